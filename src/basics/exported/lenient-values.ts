/** Reads values of exported configuration. Real exports have numbers as text, 0 and 1 as booleans, lists as maps. */
import { isRecord } from '../json.ts';

/** A map of configuration. */
export type Data = Readonly<Record<string, unknown>>;

/** The map itself; empty for anything else. PHP writes an empty map as an empty list. */
export const dataOf = (value: unknown): Data => (isRecord(value) ? value : {});

/** The value at a path of members with dots between them: `settings.max_length`. */
export const valueAt = (data: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce((value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined), data);

/** The elements of a list, or the values of a map. */
export const listOf = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.values(value) : [];
};

export const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
};

/** The text, unless it is empty. */
export const filledTextOf = (value: unknown): string | undefined => {
  const text = textOf(value);
  return text === undefined || text.trim() === '' ? undefined : text;
};

export const numberOf = (value: unknown): number | undefined => {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !/^\s*[+-]?\d+(\.\d+)?\s*$/.test(value)) return undefined;
  return Number(value);
};

/** A whole number. */
export const wholeOf = (value: unknown): number | undefined => {
  const number = numberOf(value);
  return number !== undefined && Number.isSafeInteger(number) ? number : undefined;
};

/** What PHP takes for true or false. Undefined for nothing and null. */
export const booleanOf = (value: unknown): boolean | undefined => {
  if (value === undefined || value === null) return undefined;
  return !['', '0', 'false', 'FALSE', 'no', 'off'].includes(textOf(value) ?? 'true');
};

/** True, or nothing. */
export const yesOf = (value: unknown): true | undefined => booleanOf(value) === true || undefined;

/** The texts of a list, or of the values of a map. */
export const textsOf = (value: unknown): readonly string[] =>
  listOf(value).flatMap((each) => {
    const text = textOf(each);
    return text === undefined ? [] : [text];
  });

/** Keys with labels. A map has them so; a list has `{ value, label }` or `{ key, label }`, maps of one, or bare keys. */
export const labelsOf = (value: unknown): Readonly<Record<string, string>> => {
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(dataOf(value)).map(([key, label]) => [key, textOf(label) ?? '']));
  }
  return Object.fromEntries(value.flatMap(labelledPairs));
};

const labelledPairs = (element: unknown): [string, string][] => {
  if (!isRecord(element)) {
    const key = textOf(element);
    return key === undefined ? [] : [[key, key]];
  }
  const key = textOf(element['key'] ?? element['value']);
  if (key !== undefined) return [[key, textOf(element['label'] ?? element['value']) ?? key]];
  return Object.entries(element).map(([name, label]) => [name, textOf(label) ?? '']);
};

/** Keys with labels, of which a bare element may have its label behind a bar, as forms have it: `relators:aut|Author`. */
export const barredLabelsOf = (value: unknown): readonly (readonly [key: string, label: string])[] =>
  Object.entries(labelsOf(value)).map(([name, label]) => {
    const [, key, text] = (name === label ? /^([^|]*)\|(.*)$/s.exec(name) : null) ?? [];
    return [key?.trim() ?? name, text?.trim() ?? label];
  });

/** The words of a text with blanks or commas between them, in lower case and without a dot before them, each once. */
export const wordsOf = (value: unknown): readonly string[] => {
  const words = (textOf(value) ?? '').toLowerCase().split(/[\s,;]+/);
  return [...new Set(words.map((word) => word.replace(/^\./, '')))].filter((word) => word !== '');
};

/** Names of a map or list, as `target_bundles` has them: `{ person: person }`, `{ person: 0 }`, `[person]`. */
export const namesOf = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return textsOf(value).filter((name) => name !== '0');
  return Object.entries(dataOf(value)).flatMap(([name, chosen]) => (booleanOf(chosen) === false ? [] : [name]));
};

/** Maps whose readers ask for keys, so that a list in their place would break them. */
const alwaysMaps: ReadonlySet<string> = new Set(['allowed_values']);

/** The value as PHP writes it: an empty map is a list, which the types of the contract allow. */
export const emptyAsList = <T>(value: T): T => shown(value) as T; // JSON as before

const shown = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shown);
  if (!isRecord(value)) return value;
  const members = Object.entries(value);
  return members.length === 0
    ? []
    : Object.fromEntries(members.map(([name, each]) => [name, alwaysMaps.has(name) ? each : shown(each)]));
};
