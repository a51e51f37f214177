/** Compares what schemas say beside which values are valid: defaults, deprecation, who writes a member, extensions. */
import { areEqual } from '../../../basics/equal-values.ts';
import type { Part } from '../../../core/document/document-tree.ts';
import type { Comparison } from './comparison.ts';
import { finding, type Finding, type Place } from '../finding.ts';

/** `offered` and `asked` as in the comparison: for what is received the later schema is the offered one. */
export const annotationLosses = ({ direction }: Comparison, offered: Part, asked: Part, place: Place): Finding[] => {
  const [before, after] = direction === 'sent' ? [offered, asked] : [asked, offered];
  const begins = (word: string): boolean => before[word] !== true && after[word] === true;
  const extensions = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((word) =>
    word.startsWith('x-'),
  );
  const hasOther = (word: string): boolean => !areEqual(before[word], after[word]);
  return [
    ...(begins('deprecated') ? [finding('schema-deprecated', place)] : []),
    ...(direction === 'sent' && begins('readOnly') ? [finding('sent-read-only', place)] : []),
    ...(direction === 'received' && begins('writeOnly') ? [finding('received-write-only', place)] : []),
    ...(direction === 'sent' && hasOther('default') ? [finding('default', place, written(after['default']))] : []),
    ...extensions.filter(hasOther).map((word) => finding('schema-extension', place, word)),
  ];
};

const written = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));
