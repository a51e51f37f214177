/** The twin between a client and a server that has other ids. */
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buffer } from 'node:stream/consumers';
import { twinReport, twinReportFormats, startTwin, type Twin } from '../../src/checks/checks-proxy.ts';
import type { TwinOptions } from '../../src/checks/twin/twin.ts';
import { preparedFile, root } from '../support/atoll.ts';
import { send, startServer, type Answer, type Sending, type TestServer } from '../support/server.ts';

let target: TestServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-twin-test-'));
  target = await startServer();
  // The target is ahead of a fresh Atoll.
  for (const title of ['one', 'two', 'three']) await make(target, title);
});
afterAll(async () => {
  await target.stop();
  await rm(folder, { recursive: true, force: true });
});

const fields = (title: string) => ({
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: title }],
  field_model: [{ target_id: 24 }],
});

const make = (at: { readonly url: string }, title: string, sending: Sending = {}): Promise<Answer> =>
  send(at, 'POST', '/node?_format=json', { json: fields(title), ...sending });

const withTwin = async <T>(options: Partial<TwinOptions>, use: (twin: Twin) => Promise<T>): Promise<T> => {
  const twin = await startTwin({
    ...{ root, prepared: await preparedFile(), target: target.url, warn: () => undefined, ...options },
  });
  try {
    return await use(twin);
  } finally {
    await twin.stop(0);
  }
};

const pathOf = ({ headers }: Answer): string => new URL(headers.location ?? '').pathname;

/** What a client does with the records it makes. */
const session = async (twin: Twin): Promise<void> => {
  const path = pathOf(await make(twin, 'through the twin'));
  for (const format of ['json', 'jsonld']) await send(twin, 'GET', `${path}?_format=${format}`);
  const put = await send(twin, 'PUT', `${path}/media/file/16`, {
    headers: { 'Content-Type': 'text/plain', 'Content-Location': `public://twin-${Date.now()}-${Math.random()}/a.txt` },
    body: 'some text',
  });
  expect(put.status).toBe(201);
  expect((await send(twin, 'GET', `${pathOf(put)}?_format=json`)).status).toBe(200);
  const child = await make(twin, 'a child', {
    json: { ...fields('a child'), field_member_of: [{ target_id: Number(path.slice('/node/'.length)) }] },
  });
  expect(child.status).toBe(201);
  await send(twin, 'PATCH', `${path}?_format=json`, {
    json: { type: [{ target_id: 'islandora_object' }], title: [{ value: 'new' }] },
  });
  await send(twin, 'GET', `${path}/members?_format=json`);
  await send(twin, 'DELETE', `${pathOf(child)}?_format=json`);
  expect(
    (await send(twin, 'GET', `${path}?_format=json`, { headers: { Authorization: `Basic ${btoa('admin:wrong')}` } }))
      .status,
  ).toBe(200);
};

/** Logs in by both other ways. */
const logins = async (twin: Twin): Promise<void> => {
  const { token } = (await send(twin, 'GET', '/jwt/token?_format=json', { as: 'editor' })).json() as unknown as {
    token: string;
  };
  const bearer = await make(twin, 'by token', { as: null, headers: { Authorization: `Bearer ${token}` } });
  expect(bearer.status).toBe(201);
  const login = await send(twin, 'POST', '/user/login?_format=json', {
    as: null,
    json: { name: 'editor', pass: 'editor' },
  });
  const { csrf_token: csrf } = login.json() as unknown as { csrf_token: string };
  const cookie = login.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const made = await make(twin, 'by session', { as: null, headers: { Cookie: cookie, 'X-CSRF-Token': csrf } });
  expect(made.status).toBe(201);
  secrets.push(token, csrf, cookie.split('=')[1] ?? '');
};
const secrets: string[] = ['aXNsYW5kb3Jh'];

describe.each(['target', 'atoll'] as const)('A twin that answers with the answers of %s', (answerWith) => {
  it('finds no difference between two Atolls, whatever their ids are', async () => {
    await withTwin({ answerWith }, async (twin) => {
      await session(twin);
      await logins(twin);
      const report = await twin.report();
      expect(report.findings).toEqual([]);
      expect(report.counts).toMatchObject({ new: 0, failed: 0, skipped: 0 });
      expect(report.counts.equal).toBe(report.counts.requests);
    });
  });
});

/** A server of this test. */
const withServer = async <T>(answer: RequestListener, use: (url: string) => Promise<T>): Promise<T> => {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  try {
    return await use(`http://localhost:${(server.address() as AddressInfo).port}`); // it listens on TCP
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
};

/** A twin of a server before the target that changes what it answers to some requests. */
const withFaulty = <T>(options: Partial<TwinOptions>, use: (twin: Twin) => Promise<T>): Promise<T> =>
  withServer(
    (request, response) => void passChanged(request, response),
    (url) => withTwin({ target: url, aliases: [target.url], ...options }, use),
  );

const passChanged = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const path = request.url ?? '';
  const passed = httpRequest(target.url + path, { method: request.method ?? 'GET', headers: request.headers });
  passed.end(await buffer(request));
  const message = await new Promise<IncomingMessage>((resolve) => passed.on('response', resolve));
  const text = (await buffer(message)).toString();
  const headers = { ...message.headers };
  delete headers['content-length'];
  if (path.startsWith('/node/5?')) headers['cache-control'] = 'no-store';
  const changed = path.startsWith('/node/1?')
    ? text.replace(/"title":\[\{"value":"[^"]*"/, '"title":[{"value":"Planted"')
    : text;
  const withSecret = path.startsWith('/user/login_status')
    ? JSON.stringify({ api_key: 'planted-secret-value' })
    : changed;
  const status = path.startsWith('/node/6?') ? 418 : message.statusCode;
  response.writeHead(status ?? 500, headers).end(withSecret);
};

const planted = async (twin: Twin): Promise<void> => {
  for (const path of ['/node/1', '/node/5', '/node/6', '/user/login_status']) {
    await send(twin, 'GET', `${path}?_format=json`, { headers: { 'X-Api-Key': 'planted-key-of-a-client' } });
  }
};

describe('A twin of a server with planted differences', () => {
  it('finds each at its place, and nothing else', async () => {
    await withFaulty({}, async (twin) => {
      await planted(twin);
      const { findings, counts } = await twin.report();
      expect(findings.map(({ operation, place }) => `${operation} ${place}`).sort()).toEqual([
        'getLoginStatus /body/api_key',
        'getLoginStatus /body/message',
        'getNode /body/title/*/value',
        'getNode /headers/Cache-Control',
        'getNode /status',
      ]);
      expect(counts).toMatchObject({ requests: 4, new: 4, equal: 0 });
    });
  });

  it('accepts what a file says, until its day is over, and writes a draft of such a file', async () => {
    const file = join(folder, 'accept.yml');
    const entry = (place: string, until = ''): string =>
      `  - {operation: getNode, place: ${place}, reason: known${until}}\n`;
    await writeFile(
      file,
      `accepted:\n${entry('/body/title/*/value')}${entry('/status', ', until: 2020-01-01')}${entry('/headers/Allow')}`,
    );
    await withFaulty({ accept: file }, async (twin) => {
      await planted(twin);
      const { report, draft } = await twin.stop(0);
      expect(report.counts).toMatchObject({ accepted: 1, new: 3 });
      expect(report.expired.map(({ place }) => place)).toEqual(['/status']);
      expect(report.unused.map(({ place }) => place)).toEqual(['/headers/Allow']);
      await writeFile(file, draft);
    });
    await withFaulty({ accept: file }, async (twin) => {
      await planted(twin);
      expect((await twin.report()).counts).toMatchObject({ accepted: 3, new: 1 });
    });
  });
});

describe('The reports and recordings of a twin', () => {
  it('hold no secret in any format', async () => {
    const directory = join(folder, 'recorded');
    await withFaulty({ record: { directory } }, async (twin) => {
      await planted(twin);
      await logins(twin);
      const { report, draft } = await twin.stop(0);
      const files = await readdir(directory, { recursive: true, withFileTypes: true });
      const recorded = files
        .filter((one) => one.isFile())
        .map((one) => readFile(join(one.parentPath, one.name), 'utf8'));
      const texts = [
        draft,
        ...twinReportFormats.map((format) => twinReport(report, format)),
        ...(await Promise.all(recorded)),
      ];
      expect(recorded.length).toBeGreaterThan(10);
      for (const secret of [...secrets, 'planted-secret-value', 'planted-key-of-a-client']) {
        expect(texts.filter((text) => text.includes(secret))).toEqual([]);
      }
      expect(texts[1]).toContain('getNode /body/title/*/value');
    });
  });
});

describe('A target that is none', () => {
  it('is refused with one line before anything is compared', async () => {
    const answerPage: RequestListener = (_request, response) =>
      response.setHeader('Content-Type', 'text/html').end('<p>Hello');
    const twinOf = (url: string) => withTwin({ target: url }, async () => undefined);
    const closed = await withServer(answerPage, async (url) => {
      await expect(twinOf(url)).rejects.toThrow(/answers HTML in place of JSON/);
      return url;
    });
    await expect(twinOf(closed)).rejects.toThrow(/nobody answers there/);
  });

  it('that goes away gives a 502 with a line, and the twin goes on', async () => {
    const passing = await startServer();
    await withTwin({ target: passing.url }, async (twin) => {
      await passing.stop();
      expect((await send(twin, 'GET', '/node/1?_format=json')).status).toBe(502);
      expect((await twin.report()).counts).toMatchObject({ requests: 1, failed: 1, new: 0 });
    });
  });
});

describe('A long upload through a twin', () => {
  it('reaches both servers, and is compared by its hash', async () => {
    await withTwin({ keptBytes: 64 * 1024 }, async (twin) => {
      const path = pathOf(await make(twin, 'with a long file'));
      const put = await send(twin, 'PUT', `${path}/media/file/16`, {
        headers: { 'Content-Type': 'text/plain', 'Content-Location': `public://long-${Math.random()}/long.txt` },
        body: Buffer.alloc(1024 * 1024, 'long '),
      });
      expect(put.status).toBe(201);
      const media = (await send(twin, 'GET', `${pathOf(put)}?_format=json`)).json();
      const { url = '' } = (media['field_media_document']?.[0] ?? media['field_media_file']?.[0] ?? {}) as {
        url?: string;
      };
      expect((await send(twin, 'GET', new URL(url).pathname)).body.length).toBe(1024 * 1024);
      expect((await twin.report()).counts).toMatchObject({ requests: 4, equal: 4 });
    });
  });
});
