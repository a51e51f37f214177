/** HTTP Archives: those of browsers and of mitmproxy become recordings, and recordings become archives. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readRecording, readHar, harOfRecording } from '../../src/exchange/exchange-files.ts';
import { runHere } from '../support/command.ts';
import { withDirectory } from '../support/program.ts';
import { answers, asks, json, record, target, textOf } from './exchanges.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAIAAABxZ0isAAAAEklEQVR4nGP4z8CAFWEXpZMEADMoL9HswQX5AAAAAElFTkSuQmCC',
  'base64',
);

const unknown = { httpVersion: 'HTTP/2', headers: [], cookies: [], headersSize: -1 };

const entry = (request: object, response: object, more: object = {}): object => ({
  startedDateTime: '2026-03-01T10:00:00.000+01:00',
  time: 31.5,
  request: {
    ...{ method: 'GET', url: 'https://islandora.test/node/1?_format=json', queryString: [], bodySize: 0 },
    ...unknown,
    ...request,
  },
  response: {
    ...{ status: 200, statusText: '', redirectURL: '', bodySize: -1, content: { size: 0, mimeType: 'x-unknown' } },
    ...unknown,
    ...response,
  },
  cache: {},
  timings: { send: 0, wait: 1, receive: 1 },
  ...more,
});

const lines = (headers: Readonly<Record<string, string>>): object => ({
  headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
});
const image = {
  content: { size: png.byteLength, mimeType: 'image/png', text: png.toString('base64'), encoding: 'base64' },
};

/** What the developer tools of Chromium write: names of HTTP/2, sizes of what was unpacked, members of their own. */
const chromium = [
  entry(
    lines({ ':authority': 'islandora.test', accept: 'application/json' }),
    {
      ...lines({ 'content-type': 'application/json', 'content-encoding': 'br', 'content-length': '20' }),
      content: { size: 19, mimeType: 'application/json', compression: -1, text: '{"nid":[{"value":1}]}' },
      _transferSize: 120,
    },
    { _initiator: { type: 'other' }, _resourceType: 'fetch' },
  ),
  entry(
    { url: 'https://islandora.test/sites/default/files/a.png' },
    { ...lines({ 'content-type': 'image/png' }), ...image },
  ),
  entry({ url: 'https://fonts.test/a.css' }, {}),
  entry({ url: 'https://islandora.test/blocked' }, { status: 0, _error: 'net::ERR_BLOCKED_BY_CLIENT' }),
  entry({ url: 'https://islandora.test/big.tif' }, { content: { size: 5_000_000, mimeType: 'image/tiff' } }),
];

/** What those of Firefox write: header lines joined by line feeds, posted data with parameters beside the text. */
const firefox = [
  entry(
    {
      ...{ method: 'POST', url: 'https://islandora.test/user/login?_format=json', bodySize: 39 },
      ...lines({ 'Content-Type': 'application/json' }),
      postData: { mimeType: 'application/json', params: [], text: '{"name":"jo","pass":"planted-Secret-1"}' },
    },
    {
      ...lines({ 'Set-Cookie': 'SESSa=planted-Session-1; path=/\nother=planted-Other-22; path=/' }),
      content: { mimeType: 'application/json', size: 2, text: '{}' },
    },
  ),
];

const form = 'application/x-www-form-urlencoded';

/** What mitmproxy writes: the size of the packed content, bytes as base64. */
const mitmproxy = [
  entry(
    {
      ...{ method: 'PUT', url: 'https://islandora.test/node/1/media/image/16', bodySize: 5 },
      postData: { mimeType: 'text/plain', text: 'words', params: [] },
    },
    {
      ...{ status: 201, statusText: 'Created', ...lines({ Location: 'https://islandora.test/media/9' }) },
      content: { size: 4, compression: 6, mimeType: 'text/plain', text: 'ten signs!' },
    },
  ),
  entry(
    {
      ...{ method: 'POST', url: 'https://islandora.test/form', ...lines({ 'Content-Type': form }) },
      postData: {
        ...{ mimeType: form, text: '' },
        params: [
          { name: 'a', value: 'b c' },
          { name: 'pass', value: 'planted-Secret-2' },
        ],
      },
    },
    image,
  ),
];

const withHar = (entries: readonly object[], use: (file: string, directory: string) => Promise<void>): Promise<void> =>
  withDirectory(async (directory) => {
    const file = join(directory, 'a.har');
    await writeFile(
      file,
      `\ufeff${JSON.stringify({ log: { version: '1.2', creator: { name: 'x', version: '1' }, pages: [], entries } }, null, 1)}`,
    );
    await use(file, directory);
  });

describe('An archive', () => {
  it('of Chromium is read: content unpacked, other servers and what has no answer left out', async () => {
    await withHar(chromium, async (file) => {
      const read = await readHar(file);
      expect(read).toMatchObject({ target: 'https://islandora.test', elsewhere: 1, unanswered: 1 });
      expect(read.exchanges.map(({ request }) => request.path)).toEqual([
        '/node/1?_format=json',
        '/sites/default/files/a.png',
        '/big.tif',
      ]);
      const [node, picture, big] = read.exchanges;
      expect(node?.request.headers).toEqual([['accept', 'application/json']]);
      expect(node?.reply.headers).toEqual([
        ['content-type', 'application/json'],
        ['content-length', '21'],
      ]);
      expect(Buffer.from(picture?.reply.body.kept ?? [])).toEqual(png);
      expect(big?.reply.body).toMatchObject({ bytes: 5_000_000, isWhole: false });
      expect(node?.at).toBe(Date.UTC(2026, 2, 1, 9));
    });
  });

  it('of Firefox is read, and becomes a recording without its secrets', async () => {
    await withHar(firefox, async (file, directory) => {
      const out = join(directory, 'recording');
      const ended = await runHere(['recording', 'from-har', file, '--out', out]);
      expect(ended).toMatchObject({ code: 0, error: '' });
      expect(ended.out).toBe(`Recorded 1 exchange of https://islandora.test in ${out}.\n`);
      const [name = ''] = await readdir(join(out, 'exchanges'));
      const text = await readFile(join(out, 'exchanges', name), 'utf8');
      expect(text).not.toMatch(/planted/);
      expect(text).toContain('Set-Cookie: other=[redacted:cookie:2]; path=/');
      expect(text).toContain('"pass": "[redacted:pass:1]"');
    });
  });

  it('of mitmproxy is read', async () => {
    await withHar(mitmproxy, async (file) => {
      const { exchanges } = await readHar(file);
      expect(exchanges[0]?.reply.body).toMatchObject({ isWhole: true, bytes: 10 });
      expect(textOf(exchanges[0]?.request.body)).toBe('words');
      expect(textOf(exchanges[1]?.request.body)).toBe('a=b+c&pass=planted-Secret-2');
      expect(Buffer.from(exchanges[1]?.reply.body.kept ?? [])).toEqual(png);
    });
  });

  it('is read below a base URL with a path', async () => {
    const entries = [
      'https://a.test/drupal/node/1',
      'https://a.test/drupal',
      'https://a.test/drupal?x=1',
      'https://a.test/drupalia',
      'https://a.test:443/drupal/b',
    ];
    await withHar(
      entries.map((url) => entry({ url }, {})),
      async (file) => {
        const { exchanges, elsewhere } = await readHar(file, 'https://a.test/drupal');
        expect(exchanges.map(({ request }) => request.path)).toEqual(['/node/1', '/', '/?x=1', '/b']);
        expect(elsewhere).toBe(1);
      },
    );
  });

  it.each([
    ['{"log": {"entries": [\n{"request": 1}]}}', /a\.har:2: log\.entries\.0\./],
    ['{"log": \n', /a\.har:\d: /],
    ['{"log": {"entries": []}}', /it has no request to any server/],
  ])('that is damaged is refused with file and place: %j', async (text, message) => {
    await withDirectory(async (directory) => {
      const file = join(directory, 'a.har');
      await writeFile(file, text);
      await expect(readHar(file)).rejects.toThrow(message);
    });
  });
});

describe('A recording', () => {
  it('becomes an archive, and the archive the same recording', async () => {
    await withDirectory(async (directory) => {
      const [first, second, file] = [join(directory, 'first'), join(directory, 'second'), join(directory, 'a.har')];
      await record(first, [
        {
          ...{ path: '/node/1?_format=json&token=planted-Secret-1', account: 'editor' },
          ...answers({ ...json, 'Content-Length': '21' }, '{"nid":[{"value":1}]}'),
        },
        {
          ...{ method: 'PUT', path: '/media/1/source', reply: { status: 204, reason: 'No Content' } },
          ...asks({ 'Content-Type': 'image/png' }, 'bytes'),
        },
        { path: '/a.png', ...answers({ 'Content-Type': 'image/png' }, png) },
      ]);
      expect(await runHere(['recording', 'har', first, '--out', file])).toMatchObject({ code: 0, error: '' });
      expect(await runHere(['recording', 'from-har', file, '--out', second, '--target', target])).toMatchObject({
        code: 0,
        error: '',
      });
      const before = await readRecording(first);
      const after = await readRecording(second);
      const bare = (recording: typeof before) => recording.exchanges.map((each) => ({ ...each, bodyFiles: undefined }));
      expect(bare(after)).toEqual(bare(before));
      expect(JSON.stringify(harOfRecording(before, '0'))).not.toContain('planted');
      expect((await runHere(['recording', 'show', second])).out).toContain(
        '     1 200 GET /node/1?_format=json&token=[redacted:token:1] as editor',
      );
    });
  });
});
