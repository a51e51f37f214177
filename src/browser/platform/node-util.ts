/** Replaces the used members of `node:util`. */

type Callback<Result> = (error: Error | null, result: Result) => void;

/** The function with a promise in place of its last argument, a callback. */
export const promisify =
  <Arguments extends readonly unknown[], Result>(
    call: (...all: [...Arguments, Callback<Result>]) => void,
  ): ((...all: Arguments) => Promise<Result>) =>
  (...all) =>
    new Promise((resolve, reject) => {
      call(...all, (error, result) => (error === null ? resolve(result) : reject(error)));
    });

/** Equality of values of JSON, maps, sets, dates and bytes. */
export const isDeepStrictEqual = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (a instanceof Map && b instanceof Map) return isDeepStrictEqual([...a], [...b]);
  if (a instanceof Set && b instanceof Set) return isDeepStrictEqual([...a], [...b]);
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
  return (
    left.length === right.size &&
    left.every(([key, value]) => right.has(key) && isDeepStrictEqual(value, right.get(key)))
  );
};
