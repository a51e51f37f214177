/** Joins what requests load at the same time, so that one statement serves all of them. */
import type { Wanted } from './world-reads.ts';
import { Problem } from '../../openapi/openapi-terms.ts';

type Call<T> = {
  readonly wanted: Wanted;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
};

/** The most statements of a world that run at a time. Calls that come meanwhile wait for one of them, and go together. */
const maxRunning = 4;

/** The most records and look-ups of a statement, as far as it is of several calls. */
const maxJoined = 200;

/**
 * `run` loads all that it is given, and begins after the calls that it is for. All calls of a statement get the same value. When
 * it fails, each call gets a statement of its own, because one of them may have what the database cannot look for; but not when the
 * database refuses all of them with a Problem.
 */
export const createJoinedLoads = <T>(run: (wanted: Wanted) => Promise<T>): ((wanted: Wanted) => Promise<T>) => {
  const waiting: Call<T>[] = [];
  let running = 0;
  const answer = async (calls: readonly Call<T>[]): Promise<void> => {
    try {
      const value = await run(join(calls));
      for (const { resolve } of calls) resolve(value);
    } catch (error) {
      if (calls.length > 1 && !(error instanceof Problem)) await Promise.all(calls.map((call) => answer([call])));
      else for (const { reject } of calls) reject(error);
    }
  };
  const start = (): void => {
    while (waiting.length > 0 && running < maxRunning) {
      running += 1;
      void answer(takeFrom(waiting)).then(() => {
        running -= 1;
        start();
      });
    }
  };
  return (wanted) =>
    new Promise((resolve, reject) => {
      waiting.push({ wanted, resolve, reject });
      // The first one waits for nobody.
      if (running === 0) start();
      // Requests that waited for the same answer of the database go on side by side, so all of them have asked by then.
      else if (waiting.length === 1) queueMicrotask(start);
    });
};

const sizeOf = ({ keys, indexes }: Wanted): number => keys.length + indexes.length;

/** Takes the oldest calls: at least one, and as many as fit into a statement. */
const takeFrom = <T>(waiting: Call<T>[]): readonly Call<T>[] => {
  let size = 0;
  const end = waiting.findIndex(({ wanted }, at) => (size += sizeOf(wanted)) > maxJoined && at > 0);
  return waiting.splice(0, end === -1 ? waiting.length : end);
};

const join = (calls: readonly Pick<Call<unknown>, 'wanted'>[]): Wanted => {
  const [first, ...others] = calls;
  if (first !== undefined && others.length === 0) return first.wanted;
  return {
    keys: [...new Set(calls.flatMap(({ wanted }) => wanted.keys))],
    indexes: [...new Set(calls.flatMap(({ wanted }) => wanted.indexes))],
  };
};
