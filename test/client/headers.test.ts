/** The headers that a caller wants on every request of a client: where they go, and where they do not. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  basic,
  bearer,
  createClient,
  session,
  upload,
  uploadFile,
  type AtollClient,
  type Authentication,
} from '../../src/client/client.ts';

type Seen = { readonly what: string; readonly headers: IncomingHttpHeaders };

/** Notes every request. Answers what authentication needs, and a record or a success to everything else. */
const noting = (seen: Seen[]): Promise<Server> => {
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0] ?? '';
    seen.push({ what: `${request.method ?? ''} ${path}`, headers: request.headers });
    request.resume();
    request.on('end', () => {
      response.setHeader('Content-Type', 'application/json');
      if (path === '/user/login') response.setHeader('Set-Cookie', 'SESS=1; Path=/');
      const text = path === '/session/token' ? 'a-token-of-a-session' : '{"token": "a.b.c", "mid": [{"value": 1}]}';
      response.end(text);
    });
  });
  return new Promise((resolve) => server.listen(0, 'localhost', () => resolve(server)));
};

const addressOf = (server: Server): string => `http://localhost:${(server.address() as AddressInfo).port}`; // it listens on a port

const seen: Seen[] = [];
const seenElsewhere: Seen[] = [];
let here: Server;
let elsewhere: Server;
beforeAll(async () => {
  [here, elsewhere] = await Promise.all([noting(seen), noting(seenElsewhere)]);
});
afterAll(() => {
  here.close();
  elsewhere.close();
});
beforeEach(() => {
  seen.length = 0;
  seenElsewhere.length = 0;
});

const clientWith = (headers: () => Record<string, string>, authentication?: Authentication): AtollClient =>
  createClient({
    baseUrl: `${addressOf(here)}/base`,
    headers,
    ...(authentication === undefined ? {} : { authentication }),
  });

/** The requests with the header that the tests use, in their order. */
const worlds = (requests: readonly Seen[]): readonly string[] =>
  requests.map(({ what, headers }) => `${what}: ${String(headers['atoll-world'])}`);

describe('the headers of a client', () => {
  it('are on its methods, on links and on its fetch', async () => {
    const client = clientWith(() => ({ 'Atoll-World': 'w7' }));
    const base = `${addressOf(here)}/base`;
    await client.GET('/node/{node_id}', { params: { path: { node_id: 1 } } });
    await client.open({ target: `${base}/media/1`, rel: 'related' });
    await client.fetch(`${base}/sites/a.txt`, { headers: { Range: 'bytes=0-1' } });
    expect(worlds(seen)).toEqual(['GET /base/node/1: w7', 'GET /base/media/1: w7', 'GET /base/sites/a.txt: w7']);
    expect(seen.at(-1)?.headers.range).toBe('bytes=0-1');
  });

  it('are on uploads, of a Blob and of a stream', async () => {
    const client = clientWith(() => ({ 'Atoll-World': 'w7' }));
    await upload(client, { to: { media: 1 }, body: new Blob(['x']) });
    await upload(client, { to: { media: 1 }, body: new Blob(['x']).stream(), onProgress: () => undefined });
    const to = { entityType: 'media', bundle: 'file', field: 'field_media_file' };
    await uploadFile(client, { to, body: new Blob(['x']), name: 'x.txt' });
    expect(worlds(seen)).toEqual([
      ...['PUT /base/media/1/source: w7', 'PUT /base/media/1/source: w7'],
      'POST /base/file/upload/media/file/field_media_file: w7',
    ]);
  });

  it('are on what authentication asks for: tokens, logins and CSRF tokens', async () => {
    const headers = (): Record<string, string> => ({ 'Atoll-World': 'w7' });
    const credentials = { name: 'editor', password: 'editor' };
    const tokens = clientWith(headers, bearer(basic('admin', 'islandora')));
    await tokens.GET('/node/{node_id}', { params: { path: { node_id: 1 } } });
    await clientWith(headers, session(credentials)).DELETE('/node/{node_id}', { params: { path: { node_id: 1 } } });
    expect(seen.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['GET /base/jwt/token', 'POST /base/user/login']),
    );
    expect(worlds(seen).filter((line) => !line.endsWith(': w7'))).toEqual([]);
    const [token] = seen;
    expect(token?.headers.authorization).toMatch(/^Basic /);
  });

  it('are asked for before each request', async () => {
    let count = 0;
    const client = clientWith(() => ({ 'Atoll-World': `w${++count}` }));
    const params = { path: { node_id: 1 } };
    await client.GET('/node/{node_id}', { params });
    await client.GET('/node/{node_id}', { params });
    expect(worlds(seen)).toEqual(['GET /base/node/1: w1', 'GET /base/node/1: w2']);
  });

  it('go to no other server, and to no address beside the base URL', async () => {
    const client = clientWith(() => ({ 'Atoll-World': 'w7' }), basic('admin', 'islandora'));
    await client.fetch(`${addressOf(elsewhere)}/node/1`);
    await client.open({ target: `${addressOf(elsewhere)}/a.txt`, rel: 'describes' });
    await upload(client, { to: { target: `${addressOf(elsewhere)}/media/1/source` }, body: new Blob(['x']) });
    await client.fetch(`${addressOf(here)}/basement`);
    await client.fetch(`${addressOf(here)}/base/../outside`);
    const all = [...seenElsewhere, ...seen];
    expect(worlds(all)).toEqual([
      ...['GET /node/1: undefined', 'GET /a.txt: undefined', 'PUT /media/1/source: undefined'],
      ...['GET /basement: undefined', 'GET /outside: undefined'],
    ]);
    expect(all.map(({ headers }) => headers.authorization)).toEqual(all.map(() => undefined));
  });
});
