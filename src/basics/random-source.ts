/** A repeatable random source for the probability of faults and for samples: the same seed gives the same numbers. Not for secrets. */
import { createHash } from 'node:crypto';

/** Returns a number from 0 up to, but not including, 1. */
export type RandomSource = () => number;

/** mulberry32: the number at a place, which begins with 0, of those that a start has. */
export const numberAt = (start: number, place: number): number => {
  const state = (start + Math.imul(place + 1, 0x6d2b79f5)) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
};

/** Started at the seed's hash. Returns the number of this seed at a place. */
export const randomNumbers = (seed: string): ((place: number) => number) => {
  const start = createHash('sha256').update(seed).digest().readUInt32LE(0);
  return (place) => numberAt(start, place);
};
