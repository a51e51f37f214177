/** Chance that can be repeated: the same seed gives the same numbers. Not for secrets. */
import { createHash } from 'node:crypto';

/** Numbers from 0 up to, but not, 1 (mulberry32, begun at the seed's hash). */
export const createRandomSource = (seed: string): (() => number) => {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
};
