/** Compares two values by what they hold. */
import { isDeepStrictEqual } from 'node:util';

/** Objects are equal with the same members in any order, lists with the same items in the same order. */
export const areEqual = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b);
