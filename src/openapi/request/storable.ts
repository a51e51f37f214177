/** Refuses values of JSON that some store cannot hold. */
import { malformed, unprocessable } from '../problem.ts';
import type { Json } from '../../basics/json.ts';

const dangerous: readonly string[] = ['__proto__', 'constructor', 'prototype'];

/**
 * Throws 400 for dangerous names of members and half of a surrogate pair; 422 for U+0000, and for numbers that are not exact or have no
 * end.
 */
export const refuseUnstorable = (value: Json): void => {
  if (typeof value === 'string') refuseText(value);
  else if (typeof value === 'number') refuseNumber(value);
  else if (typeof value === 'object' && value !== null) {
    for (const [member, inner] of Object.entries(value)) {
      if (dangerous.includes(member)) throw malformed(`The member name "${member}" is not allowed.`);
      refuseText(member);
      refuseUnstorable(inner);
    }
  }
};

/** Throws 422 for a number without an end alone: JSON has none, but `JSON.parse` makes one of `1e999`. */
export const refuseInfinite = (value: Json): void => {
  if (typeof value === 'number' && !Number.isFinite(value)) refuseNumber(value);
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) refuseInfinite(inner);
};

const refuseText = (text: string): void => {
  if (!text.isWellFormed()) throw malformed('Single unpaired UTF-16 surrogate in unicode escape');
  if (text.includes('\0')) throw unprocessable('The body holds a character that cannot be stored (U+0000).');
};

const refuseNumber = (value: number): void => {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))) {
    throw unprocessable('The body holds a number that cannot be stored exactly.');
  }
};
