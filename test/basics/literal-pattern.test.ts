/** A text as a pattern matches itself. */
import { describe, expect, it } from '@jest/globals';
import { literalPattern } from '../../src/basics/formats/literal-pattern.ts';

describe('The pattern of a text', () => {
  it.each(['a.b', 'http://[::1]:80/a?b=(c)*', String.raw`\d+^$|{1}`])('%s matches it and nothing else', (text) => {
    const pattern = new RegExp(`^${literalPattern(text)}$`);
    expect(pattern.test(text)).toBe(true);
    expect(pattern.test(`x${text.slice(1)}`)).toBe(false);
  });

  it('takes a dot for a dot', () => {
    expect(new RegExp(`^${literalPattern('a.b')}$`).test('axb')).toBe(false);
  });
});
