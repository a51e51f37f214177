/** Shows the progress of long work on a terminal. */
import type { Clock } from '../model/clock.ts';
import type { CommandContext } from './command-context.ts';

/** Shorter work shows no progress. */
const quietMs = 2000;
const intervalMs = 250;

/** Returns a function that takes the number of finished steps. */
export const createProgress = (context: CommandContext, clock: Clock, what: string): ((done: number) => void) => {
  let next = clock.now() + quietMs;
  return (done) => {
    if (clock.now() < next) return;
    next = clock.now() + intervalMs;
    context.progress(`${what}: ${done}`);
  };
};
