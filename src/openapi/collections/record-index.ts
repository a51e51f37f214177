/** Finds the records of a list by a member or by their parents, without a look at each. An index is kept as long as its array is. */
import { isRecord } from '../../basics/json.ts';
import { plainText } from '../answers/answer.ts';
import type { CollectionRecord } from './collection-store.ts';

type Records = readonly CollectionRecord[];
type Index = ReadonlyMap<string, readonly number[]>;

/** By what they find. */
const indexes = new WeakMap<Records, Map<string, Index>>();

/** The records whose member is one of the texts, or a list with one of them, in the order of the list. */
export const recordsWith = (records: Records, member: string, wanted: readonly string[]): Records => {
  const index = indexOf(records, `member ${member}`, ({ value }) =>
    isRecord(value) && Object.hasOwn(value, member) ? textsOf(value[member]) : [],
  );
  const [first = [], ...others] = [...new Set(wanted)].map((text) => index.get(text) ?? []);
  return at(records, others.length === 0 ? first : [...new Set([first, ...others].flat())].sort((a, b) => a - b));
};

/** The records whose keys begin with the prefix of their parents. */
export const recordsBelow = (records: Records, prefix: string): Records => {
  const index = indexOf(records, 'parents', ({ id }) => [id.slice(0, id.lastIndexOf('/') + 1)]);
  return at(records, index.get(prefix) ?? []);
};

/** A value as it is compared: each of a list. */
export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? (value as unknown[]).map(plainText) : value === undefined ? [] : [plainText(value)];

const at = (records: Records, positions: readonly number[]): Records =>
  positions.flatMap((position) => records[position] ?? []);

const indexOf = (records: Records, name: string, textsIn: (record: CollectionRecord) => readonly string[]): Index => {
  const known = indexes.get(records) ?? new Map<string, Index>();
  indexes.set(records, known);
  const index = known.get(name) ?? made(records, textsIn);
  known.set(name, index);
  return index;
};

const made = (records: Records, textsIn: (record: CollectionRecord) => readonly string[]): Index => {
  const index = new Map<string, number[]>();
  for (const [position, record] of records.entries()) {
    for (const text of textsIn(record)) {
      const positions = index.get(text);
      if (positions === undefined) index.set(text, [position]);
      else if (positions.at(-1) !== position) positions.push(position);
    }
  }
  return index;
};
