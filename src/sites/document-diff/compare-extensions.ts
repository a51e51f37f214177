/** Compares extensions (`x-…`) of operations and answers. Those of this contract have a meaning, others have none. */
import { areEqual } from '../../basics/equal-values.ts';
import type { Part } from '../../openapi/openapi-terms.ts';
import type { DocumentOperation } from './document-reader.ts';
import { finding, within, type Finding, type Place, type RuleName } from './finding.ts';

/** Switches: what is lost where one ends. */
const lostAtEnd: Readonly<Record<string, RuleName>> = {
  'x-any-content-type': 'any-content-type',
  'x-multi-segment': 'rest-of-path',
  'x-html-page': 'html-page',
};

/** Switches that take something away: what is lost where one begins. */
const lostAtBegin: Readonly<Record<string, RuleName>> = {
  'x-csrf': 'csrf-token',
  'x-beyond': 'beyond-contract',
};

/** Notes for people, and the texts of refusals. */
const texts: readonly string[] = ['x-route', 'x-path-pattern', 'x-beyond-schema', 'x-before-401'];

export const operationExtensionLosses = (
  before: DocumentOperation,
  after: DocumentOperation,
  place: Place,
): Finding[] => extensionLosses(extensionsOf(before), extensionsOf(after), place);

const extensionsOf = ({ item, part }: DocumentOperation): Part => ({ ...item, ...part });

export const responseExtensionLosses = (before: Part, after: Part, place: Place): Finding[] =>
  extensionLosses(before, after, within(place, 'answer'));

const extensionLosses = (before: Part, after: Part, place: Place): Finding[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => name.startsWith('x-') && !areEqual(before[name], after[name]))
    .flatMap((name) => {
      const [end, begin] = [lostAtEnd[name], lostAtBegin[name]];
      if (end !== undefined) return isOn(before[name]) && !isOn(after[name]) ? [finding(end, place)] : [];
      if (begin !== undefined) return !isOn(before[name]) && isOn(after[name]) ? [finding(begin, place)] : [];
      return [finding(texts.includes(name) ? 'extension-text' : 'extension', place, name)];
    });

const isOn = (value: unknown): boolean => value !== undefined && value !== false;
