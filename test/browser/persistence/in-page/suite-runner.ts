/**
 * Takes the place of `@jest/globals` in a page, so that the suites of the stores run there as they are. It compares with jest's own
 * functions, and has the matchers that the suites use.
 */
import { equals, iterableEquality, subsetEquality } from '@jest/expect-utils';

type Work = () => unknown;
type Group = {
  readonly name: string;
  readonly before: Work[];
  readonly after: Work[];
  readonly parent: Group | undefined;
};

export type Outcome = { readonly name: string; readonly error: string | undefined };

const tests: { readonly name: string; readonly group: Group; readonly work: Work }[] = [];
let current: Group = { name: '', before: [], after: [], parent: undefined };

export const describe = (name: string, define: () => void): void => {
  const parent = current;
  current = { name: `${parent.name}${name} `, before: [], after: [], parent };
  define();
  current = parent;
};
export const it = (name: string, work: Work): void => {
  tests.push({ name: current.name + name, group: current, work });
};
export const beforeEach = (work: Work): void => void current.before.push(work);
export const afterEach = (work: Work): void => void current.after.push(work);

const outermostFirst = (group: Group | undefined): Group[] =>
  group === undefined ? [] : [...outermostFirst(group.parent), group];

/** Runs all tests that were defined, one after another. */
export const runTests = async (): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  for (const { name, group, work } of tests) {
    const groups = outermostFirst(group);
    try {
      for (const each of groups.flatMap(({ before }) => before)) await each();
      await work();
      for (const each of groups.reverse().flatMap(({ after }) => after)) await each();
      outcomes.push({ name, error: undefined });
    } catch (error) {
      outcomes.push({ name, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  }
  return outcomes;
};

const text = (value: unknown): string => {
  try {
    return JSON.stringify({ value });
  } catch {
    return String(value);
  }
};

const matchers = (actual: unknown) => {
  const require = (holds: boolean, what: string, expected: unknown): void => {
    if (!holds) throw new Error(`${text(actual)} ${what} ${text(expected)}`);
  };
  return {
    toBe: (expected: unknown) => require(Object.is(actual, expected), 'is not', expected),
    toBeUndefined: () => require(actual === undefined, 'is not', undefined),
    toEqual: (expected: unknown) => require(equals(actual, expected, [iterableEquality]), 'does not equal', expected),
    toMatchObject: (expected: unknown) =>
      require(equals(actual, expected, [iterableEquality, subsetEquality]), 'does not match', expected),
    /** For an error that was rejected with. */
    toThrow: (message: string) =>
      require(actual instanceof Error && actual.message.includes(message), 'does not have the message', message),
  };
};

export const expect = (actual: unknown) => {
  const rejection = async (): Promise<unknown> => {
    try {
      await actual;
    } catch (error) {
      return error;
    }
    throw new Error('It did not reject.');
  };
  return {
    ...matchers(actual),
    rejects: {
      toBe: async (expected: unknown) => matchers(await rejection()).toBe(expected),
      toMatchObject: async (expected: unknown) => matchers(await rejection()).toMatchObject(expected),
      toThrow: async (message: string) => matchers(await rejection()).toThrow(message),
    },
  };
};
