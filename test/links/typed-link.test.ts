/** The RFC 8288 writer, read back by an independent parser. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import LinkHeader from 'http-link-header';
import { linkHeader } from '../../src/repository/repository-content.ts';

type Parsed = {
  uri: string;
  rel: string;
  title?: string;
  type?: string;
  'title*'?: { value: string; encoding: string };
};

const parse = (line: string): Parsed[] => LinkHeader.parse(line).refs;

const target = 'http://localhost:8000/node/1';
const readTitle = (link: Parsed | undefined): string | undefined => link?.['title*']?.value ?? link?.title;
const cleaned = (title: string): string => title.replace(/\p{Cc}/gu, '').replace(/\p{Surrogate}/gu, '\uFFFD');

describe('a link as a header value', () => {
  it('has target, rel, title and type in the recorded order', () => {
    expect(linkHeader({ target, rel: 'related', title: 'Member of' })).toBe(
      `<${target}>; rel="related"; title="Member of"`,
    );
    expect(linkHeader({ target, rel: 'describes', type: 'image/png' })).toBe(
      `<${target}>; rel="describes"; type="image/png"`,
    );
  });

  it('gives back every title but for control characters, in one link of printable ASCII', () => {
    const titles = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.string({
        unit: fc.constantFrom(
          '"',
          '\\',
          ',',
          ';',
          '<',
          '>',
          '\r',
          '\n',
          '\t',
          'é',
          '😀',
          '👩‍👩‍👧',
          'ا',
          '\u202e',
          '%',
          "'",
          '\ud800',
        ),
      }),
    );
    fc.assert(
      fc.property(titles, (title) => {
        const line = linkHeader({ target, rel: 'related', title, type: 'image/png' });
        expect(line).toMatch(/^[\x20-\x7e]*$/);
        const links = parse(line);
        expect(links).toHaveLength(1);
        expect(readTitle(links[0])).toBe(cleaned(title));
        expect(links[0]).toMatchObject({ uri: target, rel: 'related', type: 'image/png' });
      }),
      { numRuns: 500 },
    );
  });

  it('keeps a title of 4 KB whole', () => {
    const title = 'é"'.repeat(2048);
    expect(readTitle(parse(linkHeader({ target, rel: 'related', title }))[0])).toBe(title);
  });

  it('makes one safe URI of any target', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (path) => {
        const line = linkHeader({ target: `http://x/${path}`, rel: 'tag' });
        const [link, ...more] = parse(line);
        expect(more).toEqual([]);
        expect(link?.rel).toBe('tag');
        expect(link?.uri).toMatch(/^http:\/\/x\/(%[0-9A-Fa-f]{2}|[\w\-.~:/?#@!$&'()*+,;=])*$/);
      }),
    );
  });

  it.each([
    ['http://x/>; rel="preload"', 'http://x/%3E;%20rel=%22preload%22'],
    ['http://x/a b\r\nSet-Cookie: a=b', 'http://x/a%20b%0D%0ASet-Cookie:%20a=b'],
    ['http://x/é%20%zz', 'http://x/%C3%A9%20%25zz'],
    ['http://[::1]:8000/a[1]', 'http://[::1]:8000/a%5B1%5D'],
    ['http://openseadragon.github.io', 'http://openseadragon.github.io'],
  ])('writes the target %j as %s', (unsafe, safe) => {
    expect(linkHeader({ target: unsafe, rel: 'tag' })).toBe(`<${safe}>; rel="tag"`);
  });
});
