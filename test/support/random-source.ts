/** The numbers that a fault draws, one after another. */
import { randomNumbers, type RandomSource } from '../../src/basics/random-source.ts';

/** The numbers of a seed, in order. */
export const createRandomSource = (seed: string): RandomSource => {
  const at = randomNumbers(seed);
  let place = -1;
  return () => at((place += 1));
};
