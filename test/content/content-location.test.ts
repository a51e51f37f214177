/** Content-Location as a label. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  fileNameOf,
  freeUri,
  readContentLocation,
  requireExtension,
} from '../../src/repository/content/uploads/content-location.ts';
import type { FieldDefinition } from '../../src/repository/repository.ts';

const schemes = ['public', 'fedora'];
/** A header as Node hands it over: the bytes of the text, one character each. */
const header = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const read = (text: string) => readContentLocation(header(text), schemes);

const traversal = 'Content-Location must not contain path traversal segments';
const badScheme = 'Content-Location must be a valid stream wrapper URI';
const noFile = 'Content-Location must include a filename';
const invalid = 'Invalid Content-Location header';

describe('a Content-Location is refused', () => {
  it.each([
    // U22: a way up or out
    ['public://../x', traversal],
    ['public://a/../../x', traversal],
    ['public://%2e%2e/x', traversal],
    ['public://%2E%2e/x', traversal],
    ['public://..%2fx', traversal],
    ['public://a/..%5cx', traversal],
    ['public://..\\x', traversal],
    ['public://./x', traversal],
    ['public://a//b', traversal],
    ['public:///etc/passwd', traversal],
    ['public://C:\\x', traversal],
    ['public://\\\\host\\s', traversal],
    ['public://a%00b.png', traversal],
    ['public://a/', noFile],
    ['public://', noFile],
    ['/etc/passwd', badScheme],
    // U23: another scheme, or none
    ['file:///x.png', badScheme],
    ['http://169.254.169.254/x.png', badScheme],
    ['php://filter/x.png', badScheme],
    ['data:text/plain,x', badScheme],
    ['PUBLIC://x.png', badScheme],
    ['public:/x.png', badScheme],
    ['public:x.png', badScheme],
    ['://x.png', badScheme],
    ['private://x.png', badScheme],
    ['s3://x.png', badScheme],
    ['pic.png', badScheme],
    [' public://x.png', badScheme],
    // U24: control characters
    ['public://a\tb.png', invalid],
    ['public://a\u0085b.png', invalid],
    ['public://a\u007fb.png', invalid],
    // U25: too long
    [`public://${'a'.repeat(256)}`, invalid],
    [`public://${'é'.repeat(128)}`, invalid],
    [`public://${'a/'.repeat(512)}b`, invalid],
  ])('%p', (text, message) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ status: 400, message }));
  });

  it.each([undefined, ''])('when it is %p', (missing) => {
    expect(() => readContentLocation(missing, schemes)).toThrow(
      expect.objectContaining({ status: 400, message: 'Missing Content-Location header' }),
    );
  });

  it('when its bytes are no UTF-8 (U26)', () => {
    expect(() => readContentLocation('public://\xff.png', schemes)).toThrow(
      expect.objectContaining({ status: 400, message: invalid }),
    );
  });
});

describe('a Content-Location is kept as a name', () => {
  it.each([
    ['public://pic.png', 'pic.png'],
    ['fedora://2019-03/a.jpg', '2019-03/a.jpg'],
    ['public://2024-01/a b.png', '2024-01/a b.png'],
    // Percent sequences are literal, as on the real site.
    ['public://a%20b.png', 'a%20b.png'],
    [`public://${'a'.repeat(255)}`, 'a'.repeat(255)],
    // U26
    ['public://Èxample-✓.txt', 'Èxample-✓.txt'],
    ['public://e\u0301.txt', 'é.txt'],
    ['public://😀.txt', '😀.txt'],
    // U27 and U28: names that hurt somewhere are only names here
    ...['CON', 'nul.txt', 'COM1', 'a.', 'a ', 'a:b', '.htaccess', '.git/config', 'foo.php', 'foo.phar.png.php.jpg'].map(
      (name) => [`public://${name}`, name] as const,
    ),
  ])('%p', (text, path) => {
    expect(read(text)).toMatchObject({ path, uri: `${text.split('://')[0] ?? ''}://${path}` });
  });

  it('or refused with 400: no text does anything else, and what is kept never leads up', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          const { path } = read(`public://${text}`);
          expect(path.split('/').filter((segment) => ['', '.', '..'].includes(segment))).toEqual([]);
        } catch (error) {
          expect(error).toMatchObject({ status: 400 });
        }
      }),
    );
  });
});

describe('the extension', () => {
  const field = { extensions: ['png', 'jpg'] } as unknown as FieldDefinition; // only the extensions are asked
  it.each(['a.png', 'A.PNG', 'a.b.Jpg', 'x/y.png'])('of %p is allowed', (path) => {
    expect(() => requireExtension({ scheme: 'public', path, uri: `public://${path}` }, field)).not.toThrow();
  });
  it.each(['a.exe', 'png', 'a.', 'a.png/b', 'a.png.php'])(
    'of %p is not, and the answer names those that are',
    (path) => {
      expect(() => requireExtension({ scheme: 'public', path, uri: `public://${path}` }, field)).toThrow(
        expect.objectContaining({ status: 400, message: 'Invalid file extension.  Valid types are png jpg' }),
      );
    },
  );
});

describe('a uri that is taken', () => {
  it.each([
    ['public://a.png', [], 'public://a.png'],
    ['public://a.png', ['public://a.png'], 'public://a_0.png'],
    ['public://a.png', ['public://a.png', 'public://a_0.png'], 'public://a_1.png'],
    ['public://x.y/a', ['public://x.y/a'], 'public://x.y/a_0'],
    ['public://a.tar.gz', ['public://a.tar.gz'], 'public://a.tar_0.gz'],
  ])('%p beside %p becomes %p', (uri, taken, free) => {
    expect(freeUri(uri, (candidate) => taken.includes(candidate))).toBe(free);
  });

  it('keeps its last segment as the file name', () => {
    expect(fileNameOf('public://2024-01/a b.png')).toBe('a b.png');
  });
});
