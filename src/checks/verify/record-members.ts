/** Reads members of values that a server has sent, of which nothing is known. */
import { areEqual } from '../../basics/equal-values.ts';
import { isRecord } from '../../basics/json.ts';
import { type Answer, CheckFailure, shown } from './answer.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

/** A member of a JSON value; undefined where the value is not an object. */
export const memberOf = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);

/** The record of an answer. Throws `CheckFailure` when the body is not an object. */
export const recordOf = ({ json, text }: Answer): JsonRecord => {
  if (isRecord(json)) return json;
  throw new CheckFailure(`The body is not a record: ${shown(text)}.`);
};

/** The items of a field; none where the field is missing or no list. */
export const itemsOf = (record: unknown, field: string): readonly JsonRecord[] => {
  const items = memberOf(record, field);
  return Array.isArray(items) ? items.filter(isRecord) : [];
};

/** One property of each item of a field. */
export const valuesIn = (record: unknown, field: string, property = 'value'): readonly unknown[] =>
  itemsOf(record, field).map((item) => item[property]);

/** One property of the first item. */
export const valueIn = (record: unknown, field: string, property = 'value'): unknown =>
  itemsOf(record, field)[0]?.[property];

/** The number in a field. Throws `CheckFailure` without one. */
export const numberIn = (record: JsonRecord, field: string, property = 'value'): number => {
  const value = valueIn(record, field, property);
  if (typeof value === 'number') return value;
  throw new CheckFailure(`"${field}" holds no number, but ${shown(record[field])}.`);
};

/** The names of the fields that two records have otherwise. */
export const differingFields = (before: JsonRecord, after: JsonRecord): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !areEqual(before[name], after[name]));
