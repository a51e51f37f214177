/** Tells how far long work has come. Whether anybody looks is known by the surroundings. */
import type { Clock } from '../model/clock.ts';
import type { CommandContext } from './serve.ts';

/** Work shorter than this says nothing. Milliseconds. */
const quietMs = 2000;
const everyMs = 250;

/** Call it with the number of steps done. */
export const createProgress = (context: CommandContext, clock: Clock, what: string): ((done: number) => void) => {
  let next = clock.now() + quietMs;
  return (done) => {
    if (clock.now() < next) return;
    next = clock.now() + everyMs;
    context.progress(`${what}: ${done}`);
  };
};
