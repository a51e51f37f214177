/** Limits the length of a request target. */
import { Problem } from '../../core/problem.ts';

/** The longest request target, in characters. `listener.ts` limits the whole head. */
const longestTarget = 4096;

/** Throws 414 when a request target, path and query, is too long. */
export const refuseLongTarget = (target: string): void => {
  if (target.length > longestTarget) {
    throw new Problem(414, `The address is longer than ${longestTarget} characters.`);
  }
};
