/** Shows the progress of long work on a terminal. */
import { systemClock } from '../server/server.ts';
import type { CommandContext } from './command-context.ts';

/** Shorter work shows no progress. */
const quietMs = 2000;
const intervalMs = 250;

/** Returns a function that takes the number of finished steps. */
export const createProgress = (context: CommandContext, what: string): ((done: number) => void) => {
  let next = systemClock.now() + quietMs;
  return (done) => {
    if (systemClock.now() < next) return;
    next = systemClock.now() + intervalMs;
    context.progress(`${what}: ${done}`);
  };
};
