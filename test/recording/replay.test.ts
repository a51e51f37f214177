/** A replay answers as the recorded server did: in order, by caller and by body, with its own addresses. */
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serveReplay } from '../../src/checks/checks-recording.ts';
import type { ReplayServer } from '../../src/checks/recording/replay/serve-replay.ts';
import { withServedAddresses } from '../../src/checks/recording/replay/replayed-reply.ts';
import { runHere } from '../support/command.ts';
import { startProgram, run, withDirectory } from '../support/program.ts';
import { basic } from '../support/requests.ts';
import { send, type Answer, type Sending } from '../support/server.ts';
import { until } from '../support/until.ts';
import { answers, answersJson, asks, asksJson, exchange, json, record, target, type Parts } from './exchanges.ts';
import { secondLab, secondLabExchanges } from './second-lab-recording.ts';

const says = (text: string, more: Parts = {}): Parts => ({ ...more, ...answersJson({ says: text }) });
const editor = asks(basic('editor').headers);
const viewer = asks(basic('viewer').headers);
const bytes = Buffer.from(Array.from({ length: 300 }, (_, at) => at % 256));

const recorded: readonly Parts[] = [
  says('first', { path: '/node/1?_format=json&page=2' }),
  says('second', { path: '/node/1?_format=json&page=2' }),
  says('third', { path: '/node/1?_format=json&page=2' }),
  says('for nobody', { path: '/node/2' }),
  says('for the editor', { path: '/node/2', ...editor, account: 'editor' }),
  says('for the viewer', { path: '/node/2', ...viewer, account: 'viewer' }),
  says('only with credentials', { path: '/node/3', ...editor, account: 'editor' }),
  says('one', { method: 'POST', path: '/node', ...asksJson({ title: [{ value: 'One' }] }) }),
  says('two', { method: 'POST', path: '/node', ...asksJson({ title: [{ value: 'Two' }] }) }),
  says('any', { method: 'PATCH', path: '/node/1', ...asksJson({ a: 1 }) }),
  { method: 'DELETE', path: '/node/1', reply: { status: 204, reason: 'No Content' } },
  {
    path: '/a.png',
    ...answers({ 'Content-Type': 'image/png', ETag: '"a"', Date: 'Mon, 02 Mar 2026 10:00:00 GMT' }, bytes),
  },
  {
    ...{ method: 'POST', path: '/user/login?_format=json' },
    ...asksJson({ name: 'editor', pass: 'planted-Secret-1' }),
    ...answers(
      { ...json, 'Set-Cookie': 'SSESSab=planted-Session-1; path=/; domain=.repository.test; secure; HttpOnly' },
      '{"csrf_token":"planted-Token-1"}',
    ),
  },
  says('in the session', { path: '/node/4', ...asks({ Cookie: 'SSESSab=planted-Session-1' }) }),
  says('in another session', { path: '/node/4', ...asks({ Cookie: 'SSESSab=planted-Session-2' }) }),
  {
    path: '/links',
    ...answers(
      { ...json, Link: `<${target}/node/1>; rel="describes"`, Location: `${target}/node/9` },
      JSON.stringify({
        url: `${target}/node/1`,
        other: 'https://repository.test/basement',
        third: 'https://repository.test:8443/base',
      }).replaceAll('/', '\\/'),
    ),
  },
];

let folder: string;
let server: ReplayServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-replay-'));
  await record(folder, recorded);
  server = await serveReplay(folder);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Serves another recording. */
const withReplay = (
  parts: Parameters<typeof record>[1],
  use: (server: ReplayServer) => Promise<void>,
  options?: Parameters<typeof record>[2],
): Promise<void> =>
  withDirectory(async (directory) => {
    await record(directory, parts, options);
    const started = await serveReplay(directory);
    try {
      await use(started);
    } finally {
      await started.stop();
    }
  });

const ask = (method: string, path: string, sending: Sending = {}): Promise<Answer> =>
  send(server, method, path, { as: null, ...sending });
const said = async (method: string, path: string, sending?: Sending): Promise<unknown> => {
  const answer = await ask(method, path, sending);
  return (JSON.parse(answer.body.toString()) as { says?: unknown; message?: unknown }).says ?? answer.message();
};

describe('A replay', () => {
  it('gives the answers to the same request in order, and the last one ever after', async () => {
    const answered = [];
    const [one, other] = ['/node/1?_format=json&page=2', '/node/1?page=2&_format=json'];
    for (const path of [one, other, one, one]) answered.push(await said('GET', path));
    expect(answered).toEqual(['first', 'second', 'third', 'third']);
  });

  it('tells callers apart: nobody, an account by its name, and anybody with credentials', async () => {
    expect(await said('GET', '/node/2')).toBe('for nobody');
    expect(await said('GET', '/node/2', { as: 'viewer' })).toBe('for the viewer');
    expect(await said('GET', '/node/2', { as: 'editor' })).toBe('for the editor');
    expect(await said('GET', '/node/3', { as: 'admin' })).toBe('only with credentials');
    expect(await said('GET', '/node/3')).toBe('GET /node/3 was recorded with credentials only. Send some.');
    expect((await ask('GET', '/node/3')).status).toBe(404);
    expect(await said('DELETE', '/node/1', { as: 'editor' })).toBe(
      'DELETE /node/1 was recorded without credentials only. Leave them out.',
    );
  });

  it('looks at the body where several were recorded, and only there', async () => {
    expect(await said('POST', '/node', { body: '{ "title": [{ "value": "Two" }] }' })).toBe('two');
    expect(await said('POST', '/node', { json: { title: [{ value: 'One' }] } })).toBe('one');
    expect(await said('POST', '/node', { json: { title: [{ value: 'Three' }] } })).toMatch(
      /^POST \/node was recorded with 2 other bodies: see exchanges\/000008-POST-node\.json\.$/,
    );
    expect(await said('PATCH', '/node/1', { json: { b: 2 } })).toBe('any');
  });

  it('lets a client sign in, and knows its session again', async () => {
    const login = await ask('POST', '/user/login?_format=json', { json: { name: 'editor', pass: 'whatever' } });
    const [cookie = ''] = login.headers['set-cookie'] ?? [];
    expect(cookie).toBe('SSESSab=[redacted:cookie:1]; path=/; HttpOnly');
    expect(await said('GET', '/node/4', { headers: { Cookie: cookie.replace(/;.*/, '') } })).toBe('in the session');
    expect(await said('GET', '/node/4', { headers: { Cookie: 'SSESSab=[redacted:cookie:2]' } })).toBe(
      'in another session',
    );
  });

  it('names the nearest request for one that was not recorded', async () => {
    expect(await said('GET', '/node/1?_format=jsonld&page=2')).toBe(
      'GET /node/1?_format=jsonld&page=2 was not recorded. The nearest recorded request is GET /node/1?_format=json&page=2 (exchanges/000001-GET-node-1.json).',
    );
    expect(await said('DELETE', '/node/2')).toContain('nearest recorded request is GET /node/2 ');
  });

  it('answers HEAD, ranges and statuses without a body from what was recorded for GET', async () => {
    const head = await ask('HEAD', '/a.png');
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '300', 0]);
    const part = await ask('GET', '/a.png', { headers: { Range: 'bytes=10-19' } });
    expect([part.status, part.headers['content-range'], part.body]).toEqual([
      206,
      'bytes 10-19/300',
      bytes.subarray(10, 20),
    ]);
    expect((await ask('GET', '/a.png', { headers: { Range: 'bytes=400-' } })).status).toBe(416);
    const whole = await ask('GET', '/a.png');
    expect([whole.body, whole.headers['date'], whole.headers['atoll-replay']]).toEqual([
      bytes,
      'Mon, 02 Mar 2026 10:00:00 GMT',
      'exchanges/000012-GET-a.png.json',
    ]);
    const gone = await ask('DELETE', '/node/1');
    expect([gone.status, gone.body.length, gone.headers['content-length']]).toEqual([204, 0, undefined]);
  });

  it('leads to itself in headers and bodies, and leaves other addresses', async () => {
    const { headers, body } = await ask('GET', '/links');
    expect([headers.link, headers.location]).toEqual([
      `<${server.url}/node/1>; rel="describes"`,
      `${server.url}/node/9`,
    ]);
    expect(JSON.parse(body.toString())).toEqual({
      url: `${server.url}/node/1`,
      other: 'https://repository.test/basement',
      third: 'https://repository.test:8443/base',
    });
    expect(Number(headers['content-length'])).toBe(body.length);
    const addresses = { recorded: 'http://a.test', served: 'http://localhost:1' };
    expect(
      withServedAddresses('http://a.test. https://a.test/x http://a.test.b http%3A%2F%2Fa.test%2Fy', addresses),
    ).toBe('http://localhost:1. http://localhost:1/x http://a.test.b http%3A%2F%2Flocalhost%3A1%2Fy');
  });

  it('answers no name that is led to this machine from elsewhere', async () => {
    expect((await ask('GET', '/node/2', { headers: { Host: 'evil.test' } })).status).toBe(421);
  });

  it('says what is missing of an answer that was cut off, and sends trailers', async () => {
    const cut = exchange({ path: '/big', reply: { body: 'begin' } });
    const big = { ...cut, reply: { ...cut.reply, body: { ...cut.reply.body, bytes: 1000, isWhole: false } } };
    const sum: Parts = { path: '/sum', reply: { body: 'words', trailers: [['X-Sum', '1']] } };
    await withReplay([big, sum], async (started) => {
      const answer = await send(started, 'GET', '/big', { as: null });
      expect([answer.status, answer.message()]).toEqual([
        501,
        'The recording has 5 of the 1000 bytes of this answer (exchanges/000001-GET-big.json).',
      ]);
      const trailers = await new Promise<unknown>((resolve, reject) => {
        request(`${started.url}/sum`, (response) => response.resume().on('end', () => resolve(response.trailers)))
          .on('error', reject)
          .end();
      });
      expect(trailers).toEqual({ 'x-sum': '1' });
    });
  });

  it('of a session of the second lab answers every request as it was answered', async () => {
    await withReplay(
      secondLabExchanges('caches-on'),
      async (started) => {
        const { exchanges } = started.recording;
        expect(exchanges).toHaveLength(secondLabExchanges('caches-on').length);
        const statuses = [];
        for (const { request: asked } of exchanges) {
          const headers = Object.fromEntries(asked.headers.filter(([name]) => !/^content-length$/i.test(name)));
          const sent = asked.body.bytes === 0 ? {} : { body: asked.body.kept };
          statuses.push((await send(started, asked.method, asked.path, { as: null, headers, ...sent })).status);
        }
        // An answer whose body the lab has only counted cannot be given.
        const expected = exchanges.map(({ request: asked, reply }) =>
          reply.body.isWhole || asked.method === 'HEAD' ? reply.status : 501,
        );
        expect(statuses).toEqual(expected);
      },
      secondLab,
    );
  });
});

describe('atoll serve --replay', () => {
  it('serves, says what was not recorded, and stops', async () => {
    await withDirectory(async (directory) => {
      await record(directory, [says('hello')]);
      const program = await startReplay(directory);
      expect((await send(program, 'GET', '/node/1', { as: null })).body.toString()).toBe('{"says":"hello"}');
      expect((await send(program, 'GET', '/node/2', { as: null })).status).toBe(404);
      expect(await program.stop()).toBe(0);
      await until(() => program.log().includes('GET /node/2 404 not recorded'), 'the line');
    });
  });

  it('refuses options that have no use, and what is no recording', async () => {
    const refused = async (...args: string[]): Promise<unknown> => {
      const { code, error } = await runHere(['serve', '--port', '0', '--replay', ...args]);
      return [code, error];
    };
    expect(await refused('/nowhere', '--memory')).toEqual([
      2,
      'atoll: --replay answers from the recording alone, so --memory has no use. Leave out one of them.\n',
    ]);
    expect(await refused('/nowhere')).toEqual([2, expect.stringContaining('/nowhere/recording.json: cannot be read')]);
    expect((await run(['serve', '--replay', '/nowhere', '--fixture', 'empty'])).code).toBe(2);
  });
});

/** `startProgram` names a key, which a replay has no use for. */
const startReplay = async (directory: string): ReturnType<typeof startProgram> =>
  startProgram(['--replay', directory], 0, undefined, []);
