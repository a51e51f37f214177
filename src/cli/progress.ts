/** Tells how far long work has come. Whether anybody looks is known by the surroundings. */
import type { Clock } from '../content/given.ts';
import type { Surroundings } from './serve.ts';

/** Work shorter than this says nothing. Milliseconds. */
const quietMs = 2000;
const everyMs = 250;

/** Call it with the number of steps done. */
export const createProgress = (around: Surroundings, clock: Clock, what: string): ((done: number) => void) => {
  let next = clock.now() + quietMs;
  return (done) => {
    if (clock.now() < next) return;
    next = clock.now() + everyMs;
    around.progress(`${what}: ${done}`);
  };
};
