/** What tests try at random, they try by the seed of the run. */
import fc from 'fast-check';
import { describe, expect, it, jest } from '@jest/globals';

describe('A property', () => {
  it('tries the values of the seed that Jest has', () => {
    const values = (seed?: number): readonly number[] =>
      fc.sample(fc.integer(), seed === undefined ? 20 : { seed, numRuns: 20 });
    expect(values()).toEqual(values(jest.getSeed()));
    expect(values()).not.toEqual(values(jest.getSeed() + 1));
  });
});
