/** The client's RFC 8288 parser: the RFC's own examples, what servers send wrong, and the server's writer read back. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { linksNamed, parseLinks, readLinkset, type Link } from '../../src/client/client.ts';
import { linkHeader } from '../../src/repository/repository-content.ts';
import { hangMs } from '../support/hang.ts';
import { tries } from '../support/long-run.ts';

const base = 'http://example.com/node/1?_format=json';

describe('a Link header', () => {
  it.each<[string, string, Partial<Link>[]]>([
    [
      'a quoted relation and title',
      '<http://x/>; rel="related"; title="Member of"',
      [{ target: 'http://x/', rel: 'related', title: 'Member of' }],
    ],
    ['a token relation', '<http://x/>;rel=next', [{ target: 'http://x/', rel: 'next' }]],
    [
      'several relations in one value',
      '<http://x/>; rel="start  http://example.net/Rel"',
      [{ rel: 'start' }, { rel: 'http://example.net/Rel' }],
    ],
    ['a relation in capitals', '<http://x/>; rel="NEXT"', [{ rel: 'next' }]],
    ['several links', '<http://x/a>; rel="a", <http://x/b>; rel="b"', [{ rel: 'a' }, { rel: 'b' }]],
    [
      'space around every sign',
      ' <http://x/a> ; rel = "a" ; title = t , , <http://x/b>;rel=b ,',
      [{ rel: 'a', title: 't' }, { rel: 'b' }],
    ],
    [
      'commas, semicolons and brackets in a title',
      '<http://x/>; rel="a"; title="a, <b>; rel=c", <http://x/d>; rel="d"',
      [{ title: 'a, <b>; rel=c' }, { rel: 'd' }],
    ],
    ['escapes in a title', '<http://x/>; rel="a"; title="\\"q\\" \\\\ \\e"', [{ title: '"q" \\ e' }]],
    [
      'title* before title',
      `<http://x/>; rel="a"; title*=UTF-8'de'n%c3%a4chstes%20Kapitel; title="naechstes"`,
      [{ title: 'nächstes Kapitel' }],
    ],
    [
      'title* after title, in capitals',
      `<http://x/>; rel="a"; title="plain"; TITLE*=utf-8''%E2%9C%93`,
      [{ title: '✓' }],
    ],
    ['a title* that cannot be read', `<http://x/>; rel="a"; title="plain"; title*=UTF-8''%ff`, [{ title: 'plain' }]],
    [
      'a title* of another encoding',
      `<http://x/>; rel="a"; title="plain"; title*=iso-8859-1''%e4`,
      [{ title: 'plain' }],
    ],
    ['parameters given twice', '<http://x/>; rel="a"; rel="b"; type="t/1"; type="t/2"', [{ rel: 'a', type: 't/1' }]],
    ['a type', '<http://x/>; rel="describes"; type="image/png"', [{ rel: 'describes', type: 'image/png' }]],
    [
      'relative targets',
      '</media/2>; rel="a", <?page=2>; rel="b", <>; rel="c"',
      [{ target: 'http://example.com/media/2' }, { target: 'http://example.com/node/1?page=2' }, { target: base }],
    ],
    ['an anchor', '<http://x/>; rel="a"; anchor="#part"', [{ anchor: `${base}#part` }]],
    ['parameters that nobody knows', '<http://x/>; rel="a"; hreflang=de; crossorigin; foo="bar"', [{ rel: 'a' }]],
    ['a target with commas', '<http://x/a,b;c>; rel="a"', [{ target: 'http://x/a,b;c' }]],
    ['an empty quoted string', '<http://x/>; rel="a"; title=""', [{ title: '' }]],
  ])('is read with %s', (_what, header, expected) => {
    const links = parseLinks(header, base);
    expect(links).toHaveLength(expected.length);
    expect(links).toMatchObject(expected);
  });

  it.each([
    ['nothing', null, 0],
    ['an empty text', '', 0],
    ['no relation', '<http://x/>; title="a"', 0],
    ['an empty relation', '<http://x/>; rel=""', 0],
    ['text before the target', 'http://x/; rel="a", <http://x/b>; rel="b"', 1],
    ['a target without an end', '<http://x/; rel="a"', 0],
    ['a quoted string without an end', '<http://x/a>; rel="a"; title="open, <http://x/b>; rel="b"', 1],
    ['garbage between links', '<http://x/a>; rel="a" garbage "with, comma" , <http://x/b>; rel="b"', 2],
  ])('that is broken is passed over: %s', (_what, header, count) => {
    expect(parseLinks(header, base)).toHaveLength(count);
  });

  it('is not resolved without a base', () => {
    expect(parseLinks('</a>; rel="a"')).toEqual([{ target: '/a', rel: 'a' }]);
  });

  it('never throws, whatever it is', () => {
    const sign = fc.constantFrom(
      '<',
      '>',
      '"',
      '\\',
      ';',
      ',',
      '=',
      ' ',
      'rel',
      'title*',
      "UTF-8''",
      '%',
      'é',
      '/a',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 60 }), (signs) => {
        for (const { target, rel } of parseLinks(signs.join(''), base))
          expect([typeof target, rel]).toEqual(['string', expect.stringMatching(/\S/)]);
      }),
      { numRuns: 400 },
    );
  });

  it.each(['"', '\\', '<a>;', '<a>;rel="', ',', ' ', '; a', '<a> ', '"\\', '\\"', '<,', ';a="\\'])(
    'takes linear time for 200,000 times %j',
    (sign) => {
      const started = performance.now();
      parseLinks(`<http://x/>; rel="a"; title=${sign.repeat(200_000)}`, base);
      parseLinks(sign.repeat(200_000), base);
      expect(performance.now() - started).toBeLessThan(hangMs);
    },
  );

  it('of the server gives back what was written, however many links there are', () => {
    const title = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('"', '\\', ',', ';', '<', '>', '=', 'é', '😀', '%', "'", ' ') }),
    );
    const link = fc.record(
      {
        target: fc.webUrl({ withQueryParameters: true }),
        rel: fc.constantFrom('related', 'tag', 'https://drupal.org/link-relations/create'),
        title: title.map((text) => text.replace(/\p{Cc}/gu, '').replace(/\p{Surrogate}/gu, '\uFFFD')),
        type: fc.constantFrom('image/png', 'application/ld+json'),
      },
      { requiredKeys: ['target', 'rel'] },
    );
    fc.assert(
      fc.property(fc.array(link, { maxLength: 8 }), (links) => {
        expect(parseLinks(links.map(linkHeader).join(', '))).toEqual(
          links.map((each) => ({ ...each, target: expect.any(String) })),
        );
        for (const [index, { target }] of parseLinks(links.map(linkHeader).join(', ')).entries()) {
          expect(new URL(target).href).toBe(new URL(links[index]?.target ?? '').href);
        }
      }),
      { numRuns: tries(250) },
    );
  });
});

describe('links', () => {
  const links = parseLinks(
    '</a>; rel="related"; title="Member of", </b>; rel="related"; title="Original File", </c>; rel="alternate"; type="application/ld+json", </d>; rel="related"; anchor="/elsewhere"',
    base,
  );

  it('are chosen by relation, title and type, and only those that start here', () => {
    const targets = (found: readonly Link[]): string[] => found.map(({ target }) => new URL(target).pathname);
    expect(targets(linksNamed(links, 'related'))).toEqual(['/a', '/b']);
    expect(targets(linksNamed(links, 'Related', { title: 'Original File' }))).toEqual(['/b']);
    expect(targets(linksNamed(links, 'alternate', { type: 'Application/LD+JSON' }))).toEqual(['/c']);
    expect(targets(linksNamed(links, 'related', { title: 'member of' }))).toEqual([]);
  });

  it('of a linkset document are read in its order', () => {
    const linkset = {
      linkset: [
        {
          anchor: base,
          tag: [{ href: 'http://x/', title: 'Text' }],
          related: [{ href: '/node/2' }, { href: '/node/3', type: 'a/b' }],
        },
      ],
    };
    expect(readLinkset(linkset, base)).toEqual([
      { target: 'http://x/', rel: 'tag', title: 'Text' },
      { target: 'http://example.com/node/2', rel: 'related' },
      { target: 'http://example.com/node/3', rel: 'related', type: 'a/b' },
    ]);
  });

  it.each([
    [null],
    ['x'],
    [{}],
    [{ linkset: {} }],
    [{ linkset: [null, 1, { related: 'x' }, { related: [null, { href: 1 }] }] }],
  ])('of a document that is no linkset are none: %j', (document) => {
    expect(readLinkset(document)).toEqual([]);
  });
});
