/** Reads the terms of a vocabulary's file, one line each, as JSON: of thousands, YAML would take seconds. */
import { parsedJson } from '../json.ts';

type TermLines = {
  /** The text with an empty line in place of each term. */
  readonly rest: string;
  readonly terms: readonly unknown[];
  /** The line of each term, counted from 1. */
  readonly lines: readonly number[];
};

const marker = '\nterms:\n';

/** Undefined when the file has no list of terms, or a term that is written otherwise. Then the YAML library reads all. */
export const readTermLines = (text: string): TermLines | undefined => {
  const start = text.indexOf(marker);
  if (start < 0) return undefined;
  const head = text.slice(0, start + marker.length);
  const firstLine = head.split('\n').length;
  const terms: unknown[] = [];
  const lines: number[] = [];
  const after = text.slice(head.length).split('\n');
  let index = 0;
  for (; index < after.length; index += 1) {
    const line = after[index] ?? '';
    // The next key of the file ends the list.
    if (/^[^\s#]/.test(line)) break;
    if (/^\s*(#|$)/.test(line)) continue;
    const term = readTerm(line);
    if (term === undefined) return undefined;
    terms.push(term);
    lines.push(firstLine + index);
  }
  if (terms.length === 0) return undefined;
  return { rest: head + '\n'.repeat(index) + after.slice(index).join('\n'), terms, lines };
};

const readTerm = (line: string): unknown => {
  return line.startsWith('  - {') ? parsedJson(line.slice('  - '.length)) : undefined;
};
