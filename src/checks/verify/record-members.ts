/** Reads members of values that a server has sent, of which nothing is known. */
import { isRecord } from '../../basics/json.ts';
import { type Answer, CheckFailure, shown } from './answer.ts';

/** A member of the first item of a field of a record. */
export const firstMember = (record: unknown, field: string, member = 'value'): unknown => {
  const items = memberOf(record, field);
  return Array.isArray(items) ? memberOf(items[0], member) : undefined;
};

export type JsonRecord = Readonly<Record<string, unknown>>;

/** A member of a JSON value; undefined where the value is not an object. */
export const memberOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

/** The record of an answer. Throws `CheckFailure` when the body is not an object. */
export const recordOf = ({ json, text }: Answer): JsonRecord => {
  if (isRecord(json)) return json;
  throw new CheckFailure(`The body is not a record: ${shown(text)}.`);
};

/** The items of a field; none where the field is missing or no list. */
export const itemsOf = (record: JsonRecord, field: string): readonly JsonRecord[] => {
  const items = record[field];
  return Array.isArray(items) ? items.filter(isRecord) : [];
};

/** One property of each item of a field. */
export const valuesIn = (record: JsonRecord, field: string, property = 'value'): readonly unknown[] =>
  itemsOf(record, field).map((item) => item[property]);

/** One property of the first item. */
export const valueIn = (record: JsonRecord, field: string, property = 'value'): unknown =>
  itemsOf(record, field)[0]?.[property];

/** The number in a field. Throws `CheckFailure` without one. */
export const numberIn = (record: JsonRecord, field: string, property = 'value'): number => {
  const value = valueIn(record, field, property);
  if (typeof value === 'number') return value;
  throw new CheckFailure(`"${field}" holds no number, but ${shown(record[field])}.`);
};

/** A JSON value with sorted members, to compare two of them. */
export const canonical = (value: unknown): string =>
  value === undefined
    ? 'nothing'
    : JSON.stringify(value, (_name, part: unknown) =>
        isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
      );

/** The names of the fields that two records have otherwise. */
export const differingFields = (before: JsonRecord, after: JsonRecord): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => canonical(before[name]) !== canonical(after[name]),
  );

/**
 * What an answer to a write shows otherwise than the next GET: the real service fills an empty description and the log of a
 * revision only in one of them.
 */
export const shownOtherwise: ReadonlySet<string> = new Set([
  ...['description', 'revision_log', 'revision_log_message'],
  // A site may make an alias of the label after the write.
  'path',
]);
