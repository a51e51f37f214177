/** The files of a recording: they can be read by people, written at the same time, continued, and refused when damaged. */
import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openRecorder, readRecording } from '../../src/exchange/exchange-files.ts';
import type { WireExchange } from '../../src/exchange/exchange.ts';
import { programFile, withDirectory } from '../support/program.ts';
import { until } from '../support/until.ts';
import { answersJson, asks, bodyOf, exchange, record, recorded, target } from './exchanges.ts';
import { secondLab, secondLabExchanges } from './second-lab-recording.ts';

const files = async (directory: string): Promise<string[]> => (await readdir(join(directory, 'exchanges'))).sort();

describe('A recording', () => {
  it('is one readable file for each exchange, in order', async () => {
    await withDirectory(async (directory) => {
      const node = { path: '/node/5?_format=json', ...answersJson({ nid: [{ value: 5 }] }) };
      await record(directory, [node, { method: 'DELETE', path: '/media/7', reply: { status: 204 } }]);
      expect(await files(directory)).toEqual(['000001-GET-node-5.json', '000002-DELETE-media-7.json']);
      const file = JSON.parse(await readFile(join(directory, 'exchanges/000001-GET-node-5.json'), 'utf8')) as unknown;
      expect(file).toMatchObject({
        request: { method: 'GET', path: '/node/5?_format=json' },
        reply: { status: 200, headers: ['Content-Type: application/json'], body: { json: { nid: [{ value: 5 }] } } },
      });
    });
  });

  it.each([
    ['JSON as PHP writes it', '{"url":"\\/user\\/1","title":"Caf\\u00e9"}'],
    ['JSON as Drupal writes it', '{"a":"\\u003Cp\\u003E\\u0022x\\u0022 \\u0026 \\\\ \\u0027y\\u0027","b":"\\/"}'],
    ['JSON with blanks and a line feed', '{"a": 1, "b": ["x, y", "z: \\" ,"]}\n'],
    ['JSON on lines', JSON.stringify({ a: [1, { b: 2 }] }, null, 2)],
    ['JSON with numbers that JavaScript would write otherwise', '{"a":1.0,"b":12345678901234567890,"c":1e2}'],
    ['JSON with a name twice', '{"a":1,"a":2}'],
    ['null', 'null'],
    ['no JSON', '{"a":'],
    ['lines of several systems', 'one\r\ntwo\nthree\n'],
    ['a byte order mark', '\ufeff{"a":1}'],
    ['a long text', 'word '.repeat(40_000)],
    ['bytes', Buffer.from([0, 255, 1, 254])],
    ['text that is no UTF-8', Buffer.from('caf\u00e9', 'latin1')],
  ])('gives back the very bytes of %s', async (_name, body) => {
    const original = exchange({ reply: { body } });
    const [again] = (await recorded([original])).exchanges;
    expect(Buffer.from(again?.reply.body.kept ?? []).toString('latin1')).toBe(Buffer.from(body).toString('latin1'));
    const { bytes, sha256 } = original.reply.body;
    expect(again?.reply.body).toMatchObject({ isWhole: true, bytes, sha256 });
  });

  it('keeps header lines in order, also repeated ones and those with bytes beyond ASCII', async () => {
    const headers = [
      ['Link', '</a>; rel="x"'],
      ['X-Empty', ''],
      ['Link', '</b>; rel="y"'],
      ['X-Name', 'caf\u00c3\u00a9'],
    ] as const;
    const { exchanges } = await recorded([{ reply: { headers, trailers: [['X-Sum', '1']] } }]);
    expect(exchanges[0]?.reply).toMatchObject({ headers, trailers: [['X-Sum', '1']] });
  });

  it('is whole when many exchanges are added at the same time, with equal bodies in one file', async () => {
    await withDirectory(async (directory) => {
      const body = Buffer.alloc(100_000, 0xfe);
      const paths = Array.from({ length: 60 }, (_, index) => `/node/${index}`);
      await record(
        directory,
        paths.map((path) => ({ path, reply: { body } })),
      );
      const { exchanges } = await readRecording(directory);
      expect(exchanges.map(({ request }) => request.path)).toEqual(paths);
      expect(await readdir(join(directory, 'bodies'))).toHaveLength(1);
    });
  });

  it('says what is missing of a body that was cut off, and finds it when it went through a sink', async () => {
    await withDirectory(async (directory) => {
      const bytes = Buffer.alloc(300_000, 7);
      const recorder = await openRecorder(directory, { target });
      const cut = exchange({ reply: { body: bytes } });
      const body = { ...cut.reply.body, kept: bytes.subarray(0, 1000), isWhole: false };
      await recorder.add({ ...cut, reply: { ...cut.reply, body } });
      const sink = await recorder.sink();
      await sink.write(bytes.subarray(0, 100_000));
      await sink.write(bytes.subarray(100_000));
      expect(await sink.end()).toEqual({ bytes: 300_000, sha256: body.sha256 });
      await recorder.add({ ...cut, reply: { ...cut.reply, body } });
      await (await recorder.sink()).discard();
      await recorder.close();
      const { exchanges } = await readRecording(directory);
      expect(exchanges[0]?.reply.body).toMatchObject({ isWhole: false, bytes: 300_000, sha256: body.sha256 });
      expect(Buffer.from(exchanges[0]?.reply.body.kept ?? [])).toEqual(bytes.subarray(0, 1000));
      expect(exchanges[1]?.reply.body).toMatchObject({ isWhole: true, bytes: 300_000, sha256: body.sha256 });
      expect((await readdir(join(directory, 'bodies'))).some((name) => name.endsWith('.tmp'))).toBe(false);
    });
  });

  it('holds what any server and client may say: odd methods, reasons and statuses', async () => {
    const odd = [
      { method: 'M-SEARCH', path: '*', reply: { status: 599, reason: '' } },
      { method: 'OPTIONS', path: '/a%20b/\u00e9?x=[1]&y={z}', reply: { reason: 'So \u00e9' } },
      { path: `/${'long'.repeat(500)}` },
    ];
    const { exchanges } = await recorded(odd);
    expect(exchanges.map(({ request }) => [request.method, request.path])).toEqual(
      odd.map(({ method = 'GET', path }) => [method, path]),
    );
  });

  it('rejects an exchange that cannot be written, and takes the next one', async () => {
    await withDirectory(async (directory) => {
      const recorder = await openRecorder(directory, { target });
      await expect(recorder.add({ ...exchange(), at: Number.NaN })).rejects.toThrow('Invalid time value');
      await recorder.add(exchange());
      await recorder.close();
      expect((await readRecording(directory)).exchanges).toHaveLength(1);
    });
  });

  it('is continued: numbers and placeholders go on, and what a killed process left is removed', async () => {
    await withDirectory(async (directory) => {
      const secret = asks({ Authorization: 'Bearer abcdefgh12345678' });
      await record(directory, [secret, secret]);
      await writeFile(join(directory, 'exchanges/000003-GET-node-1.json.tmp'), '{"at": "20');
      await record(directory, [secret]);
      const { exchanges } = await readRecording(directory);
      expect(exchanges.map(({ request }) => request.headers[0]?.[1])).toEqual([
        'Bearer [redacted:authorization:1]',
        'Bearer [redacted:authorization:1]',
        'Bearer [redacted:authorization:2]',
      ]);
      expect((await files(directory)).at(-1)).toBe('000003-GET-node-1.json');
    });
  });

  it('is not begun in a directory with other files, nor continued for another server, nor by two processes', async () => {
    await withDirectory(async (directory) => {
      await mkdir(join(directory, 'other'));
      await writeFile(join(directory, 'other/notes.txt'), 'mine');
      const open = (name: string, of = target) => openRecorder(join(directory, name), { target: of });
      await expect(open('other')).rejects.toThrow('holds something else than a recording');
      await expect(open('other/notes.txt')).rejects.toThrow('is a file');
      await record(join(directory, 'mine'), []);
      await expect(open('mine', 'https://else.test')).rejects.toThrow(
        `holds a recording of ${target}, not of https://else.test`,
      );
      const first = await open('mine');
      await expect(open('mine')).rejects.toThrow('is in use');
      await first.close();
    });
  });
});

describe('A recording whose process is killed', () => {
  it('has only whole exchanges, and is continued', async () => {
    await withDirectory(async (directory) => {
      const [har, out] = [join(directory, 'a.har'), join(directory, 'out')];
      const entries = Array.from({ length: 5000 }, (_, at) => ({
        startedDateTime: '2026-03-01T10:00:00Z',
        request: { method: 'GET', url: `https://a.test/${at}`, headers: [] },
        response: { status: 200, headers: [], content: { text: `${'word '.repeat(2000)}${at}` } },
      }));
      await writeFile(har, JSON.stringify({ log: { entries } }));
      const args = [programFile, 'recording', 'from-har', har, '--out', out];
      const child = spawn(process.execPath, args, { stdio: 'ignore' });
      const ended = new Promise((resolve) => child.on('exit', resolve));
      await until(async () => (await files(out).catch(() => [])).length > 25, 'twenty exchanges');
      child.kill('SIGKILL');
      await ended;
      const { exchanges } = await readRecording(out);
      expect(exchanges.length).toBeGreaterThan(20);
      expect(exchanges.length).toBeLessThan(5000);
      expect(exchanges.map(({ request }) => request.path)).toEqual(exchanges.map((_, at) => `/${at}`));
      await record(out, [{}], { target: 'https://a.test' });
      expect((await files(out)).at(-1)).toBe(`${String(exchanges.length + 1).padStart(6, '0')}-GET-node-1.json`);
      expect((await files(out)).some((name) => name.endsWith('.tmp'))).toBe(false);
    });
  });
});

describe('A damaged recording', () => {
  const damage = async (change: (text: string) => string | undefined): Promise<string> =>
    withDirectory(async (directory) => {
      await record(directory, [{ path: '/node/1', reply: { body: Buffer.from([0, 1]) } }]);
      const file = join(directory, 'exchanges/000001-GET-node-1.json');
      const changed = change(await readFile(file, 'utf8'));
      if (changed !== undefined) await writeFile(file, changed);
      const [body = ''] = await readdir(join(directory, 'bodies'));
      if (changed === undefined) await writeFile(join(directory, 'bodies', body), Buffer.from([0, 2]));
      const error = await readRecording(directory).catch((caught: unknown) => caught);
      return String(error).replaceAll(directory, '.');
    });

  it.each<[string, (text: string) => string | undefined, string]>([
    ['no JSON', (text) => text.replace('"GET",', '"GET"'), 'exchanges/000001-GET-node-1.json:6: is not valid YAML'],
    ['cut off', (text) => text.slice(0, 80), 'exchanges/000001-GET-node-1.json:'],
    ['with a wrong status', (text) => text.replace('200', '"200"'), 'reply.status: '],
    [
      'with an unknown member',
      (text) => text.replace('"status"', '"extra": 1,\n    "status"'),
      'json:10: reply.extra: is not a known member',
    ],
    [
      'with a body outside',
      (text) => text.replace('bodies/', '../bodies/'),
      'reply.body.file: must be a file in bodies/',
    ],
    [
      'with a body that is missing',
      (text) => text.replace(/bodies\/[0-9a-f]{4}/, 'bodies/0000'),
      'there is no such file',
    ],
    ['with another body', () => undefined, 'does not hold the bytes whose hash is its name'],
  ])('that is %s is refused with file and place', async (_name, change, message) => {
    expect(await damage(change)).toContain(message);
  });

  it('is refused when the directory is no recording', async () => {
    await withDirectory(async (directory) => {
      await expect(readRecording(directory)).rejects.toThrow('recording.json: cannot be read: there is no such file');
    });
  });
});

describe('A session of the second lab', () => {
  it.each(['caches-on', 'standard-file-upload'] as const)(
    '%s becomes a recording with the same exchanges',
    async (group) => {
      const originals = secondLabExchanges(group);
      const { exchanges } = await recorded(originals, secondLab);
      const seen = (list: readonly WireExchange[]) =>
        list.map(({ request, reply, account, at }) => [request.method, reply.status, account, at]);
      expect(seen(exchanges)).toEqual(seen(originals));
    },
  );
});

describe('The body of an exchange in a test', () => {
  it('has the hash of its bytes', () => {
    expect(bodyOf('abc').sha256).toMatch(/^ba7816bf/);
  });
});
