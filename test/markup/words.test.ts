/** The words of pages for numbers. */
import { describe, expect, it } from '@jest/globals';
import { shownSize } from '../../src/repository/markup/words.ts';

describe('The size of a file', () => {
  it.each([
    [0, '0 bytes'],
    [1023, '1023 bytes'],
    [1024, '1.0 KiB'],
    [1_572_864, '1.5 MiB'],
  ])('of %i bytes is %s', (bytes, words) => {
    expect(shownSize(bytes)).toBe(words);
  });
});
