/** Keeps values that several processes count: each process writes under keys of its own, so that none overwrites another's count. */
import type { SharedState } from './shared-state.ts';

export type ValuesByProcess<Value> = {
  /** The number of values of all processes. */
  readonly size: number;
  /** What this process has written. */
  own(key: string): Value | undefined;
  /** What any process has written. */
  all(key: string): Value[];
  setOwn(key: string, value: Value): void;
  deleteOwn(key: string): void;
  /** Deletes the values of all processes. */
  delete(key: string): void;
  /** Deletes the values of all processes whose keys begin so. */
  deleteBelow(start: string): void;
  /** Every value of every process. */
  values(): Iterable<Value>;
  clear(): void;
};

/** Enough for a long row of restarts: each process of a new start has a new name. */
const processLimit = 1000;

/** `limit`: the most values, of all processes together. */
export const createValuesByProcess = <Value>(
  state: SharedState,
  topic: string,
  limit: number,
): ValuesByProcess<Value> => {
  const values = state.map<Value>(topic, limit);
  /** The processes that have written, so that a key is found without a search. */
  const processes = state.map<true>(`${topic}-processes`, processLimit);
  const ownKey = (key: string): string => `${state.process} ${key}`;
  const keysOf = (key: string): string[] => [...processes.entries()].map(([process]) => `${process} ${key}`);
  return {
    get size() {
      return values.size;
    },
    own: (key) => values.get(ownKey(key)),
    all: (key) =>
      values.size === 0
        ? []
        : keysOf(key).flatMap((each) => {
            const value = values.get(each);
            return value === undefined ? [] : [value];
          }),
    setOwn: (key, value) => {
      // Written once, not at each value.
      if (processes.get(state.process) === undefined) processes.set(state.process, true);
      values.set(ownKey(key), value);
    },
    deleteOwn: (key) => values.delete(ownKey(key)),
    delete: (key) => {
      for (const each of keysOf(key)) if (values.get(each) !== undefined) values.delete(each);
    },
    deleteBelow: (start) => {
      for (const [key] of [...values.entries()]) {
        if (key.slice(key.indexOf(' ') + 1).startsWith(start)) values.delete(key);
      }
    },
    *values() {
      for (const [, value] of values.entries()) yield value;
    },
    // The names of the processes stay: one of them may be counting at this moment.
    clear: () => {
      for (const [key] of [...values.entries()]) values.delete(key);
    },
  };
};
