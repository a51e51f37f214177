/** Replaces the used members of `node:util`. */

type Callback<Result> = (error: Error | null, result: Result) => void;

/** The function with a promise in place of its last argument, a callback. */
export const promisify =
  <Arguments extends readonly unknown[], Result>(
    call: (...all: [...Arguments, Callback<Result>]) => void,
  ): ((...all: Arguments) => Promise<Result>) =>
  (...all) =>
    new Promise((resolve, reject) => {
      const settle: Callback<Result> = (error, result) => {
        if (error === null) resolve(result);
        else reject(error);
      };
      call(...all, settle);
    });

/** Equality of values of JSON, maps, sets, dates and bytes. */
export const isDeepStrictEqual = (a: unknown, b: unknown): boolean => {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (a instanceof Map && b instanceof Map) return hasSameMembers([...a], [...b]);
  if (a instanceof Set && b instanceof Set) return hasSameMembers([...a], [...b]);
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
  return (
    left.length === right.size &&
    left.every(([key, value]) => right.has(key) && isDeepStrictEqual(value, right.get(key)))
  );
};

/** Maps and sets are equal in any order. */
const hasSameMembers = (left: readonly unknown[], right: readonly unknown[]): boolean => {
  const rest = [...right];
  return (
    left.length === right.length &&
    left.every((member) => {
      const found = rest.findIndex((other) => isDeepStrictEqual(member, other));
      if (found === -1) return false;
      rest.splice(found, 1);
      return true;
    })
  );
};
