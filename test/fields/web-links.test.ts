/** The HTML of plain text: anchors for its addresses, paragraphs for its lines. */
import { describe, expect, it } from '@jest/globals';
import { plainText } from '../../src/repository/fields/web-links.ts';
import { hangMs } from '../support/hang.ts';

describe('The HTML of plain text', () => {
  const link = (target: string, shown = target) => `<a href="${target}">${shown}</a>`;
  const mail = (address: string) => link(`mailto:${address}`, address);
  it.each([
    [
      'see http://example.org/a?b=c&d, or me@example.org.',
      `see ${link('http://example.org/a?b=c&amp;d')}, or ${mail('me@example.org')}.`,
    ],
    ['(https://a.org/x_(y)). sftp:b.net!', `(${link('https://a.org/x_(y)')}). ${link('sftp:b.net')}!`],
    [
      'www.ab.org/b#c; xwww.b.co',
      `${link('http://www.ab.org/b#c', 'www.ab.org/b#c')}; x${link('http://www.b.co', 'www.b.co')}`,
    ],
    ['http://me:pw@localhost:8000/é/?q=[1]', `${link('http://me:pw@localhost:8000/é/?q=[1')}]`],
    ['ftp://10.0.0.1/x. tel:5 http://a.b1 a@b', `${link('ftp://10.0.0.1/x')}. tel:5 http://a.b1 a@b`],
    ['mailto:me@a.org, <me@b.org>', `${link('mailto:me@a.org')}, &lt;${mail('me@b.org')}&gt;`],
    ['"http://a.org/\'x\'"', `&quot;${link('http://a.org/&#039;x&#039;&amp;quot')};`],
    [`http://a.org/${'x'.repeat(58)}.yz`, link(`http://a.org/${'x'.repeat(58)}.yz`, `http://a.org/${'x'.repeat(58)}…`)],
    ['www.me@a.org www.b', `${mail('www.me@a.org')} www.b`],
    ['𝐦𝐞@a.org, a𝐦@b.org', `${mail('𝐦𝐞@a.org')}, ${mail('a𝐦@b.org')}`],
  ])('makes anchors of the addresses in %s', (text, expected) => {
    expect(plainText(text)).toBe(`<p>${expected}</p>\n`);
  });

  it('keeps the spaces at the begin of a line, and only those', () => {
    expect(plainText(' \n a \n  b\n \n\n  c\t\r\n\r\n')).toBe('<p>a<br />\n  b</p>\n<p>  c</p>\n');
    expect(plainText(' \t\n ')).toBe('');
  });

  it('makes little work of a text that is one long near-address', () => {
    const started = performance.now();
    for (const part of [
      'http:1',
      'a@',
      'www.',
      'www.1.',
      'http://a.b/(',
      'a.',
      '\n ',
      'http://a@b@',
      'mailto:a.b.1',
      ' \n\n',
    ]) {
      plainText(part.repeat(100_000 / part.length));
    }
    expect(performance.now() - started).toBeLessThan(hangMs);
  });
});
