/** What the headers of an upload may say: where to, and what of. Numbers: test/contract/cases/README.md. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startServer, type TestServer } from '../../support/server.ts';
import { exchangeText } from '../../support/sockets.ts';
import { contentOf, mediaOf, newNode, storedNames, theMedia, upload, uploadHead } from '../../support/uploads.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ onDisk: true });
});
afterAll(() => server.stop());

/** One character a byte, as headers travel. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1');
const at = (location: string | undefined) => ({ headers: { 'Content-Location': location } });

describe('A location', () => {
  const refused = async (location: string | undefined, message?: string): Promise<void> => {
    const node = await newNode(server);
    const before = await storedNames(server);
    const answer = await upload(server, node, Buffer.from('x'), at(location));
    expect([location, answer.status, await mediaOf(server, node)]).toEqual([location, 400, []]);
    if (message !== undefined) expect(answer.message()).toBe(message);
    expect(await storedNames(server)).toEqual(before);
  };

  it('U21 is needed to create and not to replace', async () => {
    await refused(undefined, 'Missing Content-Location header');
    const node = await newNode(server);
    await upload(server, node, 'first');
    expect((await upload(server, node, 'second', at(undefined))).status).toBe(204);
  });

  it.each([
    ...[
      'public://../x.txt',
      'public://a/../../x.txt',
      'public://%2e%2e/x.txt',
      'public://..%2fx.txt',
      'public:///etc/x.txt',
    ],
    ...[
      'public://..\\x.txt',
      'public://./x.txt',
      'public://a//b.txt',
      'public://C:\\x.txt',
      'public://\\\\host\\s.txt',
    ],
    ...['public://a/', 'public://', '/etc/passwd'],
  ])('U22 that leads away is 400: %s', (location) => refused(location));

  it.each([
    ...['file:///etc/x.txt', 'http://169.254.169.254/x.txt', 'php://x.txt', 'data://x.txt', 'PUBLIC://x.txt'],
    ...['public:/x.txt', 'public:x.txt', '://x.txt', 'private://x.txt', 's3://x.txt'],
  ])('U23 of another scheme is 400: %s', (location) =>
    refused(location, 'Content-Location must be a valid stream wrapper URI'),
  );

  it('U24 with a NUL, a tab, a fold or a second header is 400', async () => {
    await refused('public://a%00.txt');
    await refused('public://a\tb.txt');
    const node = await newNode(server);
    const folded = uploadHead(node, ['Content-Length: 1']).replace('public://tests/', 'public://a\r\n b/');
    expect(await exchangeText(server.port, `${folded}x`)).toMatch(/^HTTP\/1.1 400/);
    const twice = uploadHead(node, ['Content-Length: 1', 'Content-Location: public://b.txt', 'Connection: close']);
    expect(await exchangeText(server.port, `${twice}x`)).toMatch(/^HTTP\/1.1 400/);
    expect(await mediaOf(server, node)).toEqual([]);
  });

  it('U25 may have segments of 255 bytes and not of more', async () => {
    const node = await newNode(server);
    expect((await upload(server, node, 'x', at(`public://${'a'.repeat(251)}.txt`))).status).toBe(201);
    expect(await contentOf(server, node)).toBe('x');
    await refused(`public://${'a'.repeat(252)}.txt`);
    await refused(asBytes(`public://${'é'.repeat(128)}.txt`));
    await refused(`public://${'a/'.repeat(511)}bc.txt`);
    await refused(`public://${'a/'.repeat(1000)}b.txt`);
  });

  it('U26 keeps its letters, normalised; bytes that are no UTF-8 are 400', async () => {
    for (const name of [
      '\u00c8xample-\u2713',
      'E\u0300xample-\u2713',
      'smile-\u{1f600}',
      '\u202eltr',
      'zero\u200bwidth',
    ]) {
      const node = await newNode(server);
      // Node's client writes a header together with a text in the text's encoding, so the body is bytes.
      const made = await upload(server, node, Buffer.from(name), at(asBytes(`public://u26/${node}-${name}.txt`)));
      expect([made.status, made.body.toString()]).toEqual([201, '']);
      const { file } = await theMedia(server, node);
      expect(file['filename']).toEqual([{ value: `${node}-${name.normalize('NFC')}.txt` }]);
      expect(await contentOf(server, node)).toBe(name);
    }
    await refused('public://\u00e9.txt');
  });

  it.each([
    'CON.txt',
    'nul.txt',
    'COM1.txt',
    'a:b.txt',
    'A.txt',
    'a.TXT',
    '.git/config.txt',
    'a .txt',
    'foo.phar.png.php.txt',
  ])('U27 U28 may be called %s, whatever a disk makes of it', async (name) => {
    const node = await newNode(server);
    expect((await upload(server, node, name, at(`public://u27-${node}/${name}`))).status).toBe(201);
    const { file } = await theMedia(server, node);
    expect(file['filename']).toEqual([{ value: name.slice(name.lastIndexOf('/') + 1) }]);
    expect(await contentOf(server, node)).toBe(name);
    expect((await storedNames(server)).join('\n')).not.toContain(name);
  });

  it.each(['public://x.php', 'public://.htaccess', 'public://x.txt.exe', 'public://nothing', 'public://a.'])(
    'U28 U39 with an extension that is not allowed is 400 before the body is read: %s',
    async (location) => {
      const node = await newNode(server);
      const head = uploadHead(node, ['Content-Length: 1000']).replace(/public:\S+/, location);
      expect(await exchangeText(server.port, head)).toMatch(
        location.endsWith(' ')
          ? /^HTTP\/1.1 4/
          : /^HTTP\/1.1 400 [\s\S]*Invalid file extension. {2}Valid types are txt/,
      );
      expect(await mediaOf(server, node)).toEqual([]);
    },
  );
});

describe('A Content-Type', () => {
  it.each([
    undefined,
    'garbage',
    'image/png; x="',
    `text/${'x'.repeat(4096)}`,
    'text/\u00e9',
    'a/b\u0080',
    'text/html, text/plain',
  ])('U29 that is none is 400: %s', async (type) => {
    const node = await newNode(server);
    const answer = await upload(server, node, 'x', { headers: { 'Content-Type': type } });
    expect([answer.status, await mediaOf(server, node)]).toEqual([400, []]);
  });
});
