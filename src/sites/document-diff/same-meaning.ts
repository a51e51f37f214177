/** Whether two values of two documents are equal once their references are followed. */
import { isRecord } from '../../basics/json.ts';
import type { DocumentReader } from './document-reader.ts';

/** Texts for people. */
const texts: readonly string[] = ['description', 'summary', 'title', 'example', 'examples', '$comment'];

/** `open`: references that are being compared; a schema may hold itself. */
export const sameMeaning = (
  one: DocumentReader,
  other: DocumentReader,
  value: unknown,
  wanted: unknown,
  open: readonly string[] = [],
): boolean => {
  const [from, to] = [one.follow(value), other.follow(wanted)];
  const pair = `${from.name} ${to.name}`;
  if (from.name !== undefined && open.includes(pair)) return true;
  const inner = from.name === undefined ? open : [...open, pair];
  const same = (left: unknown, right: unknown): boolean => sameMeaning(one, other, left, right, inner);
  if (Array.isArray(from.value) && Array.isArray(to.value)) {
    const [left, right]: unknown[][] = [from.value, to.value];
    return left?.length === right?.length && left?.every((each, index) => same(each, right?.[index])) === true;
  }
  if (!isRecord(from.value) || !isRecord(to.value)) return Object.is(from.value, to.value);
  const [left, right] = [from.value, to.value];
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter((name) => !texts.includes(name));
  return names.every((name) => same(left[name], right[name]));
};
