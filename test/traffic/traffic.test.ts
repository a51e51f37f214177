/** What is remembered of each request and how it is judged, shown, asked for and exported, through the front door. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { components } from '../../src/client/generated/control.ts';
import type { RecordedExchange } from '../../src/exchange/exchange.ts';
import { queryPredicate } from '../../src/server/traffic/traffic-query.ts';
import { createWorldObserver } from '../../src/server/server-start.ts';
import { createTestAtoll, root, type TestAtoll } from '../support/atoll.ts';

type Schemas = components['schemas'];
type Entry = Schemas['TrafficEntry'];

let atoll: TestAtoll;
/** Whose watch fails at whatever it is asked. */
let failing: TestAtoll | undefined;

beforeAll(async () => {
  atoll = await createTestAtoll();
});

beforeEach(async () => {
  await atoll.reset();
  await atoll.send('delete', '/_atoll/traffic').expect(204);
});

const createNode = (body: object, path = '/node?_format=json') => atoll.send('post', path, 'admin').send(body);

const traffic = async (query = ''): Promise<Entry[]> => {
  const body: unknown = (await atoll.send('get', `/_atoll/traffic${query}`).expect(200)).body;
  return (body as Schemas['TrafficPage']).entries;
};

const last = async (): Promise<Entry> => {
  const [entry] = await traffic('?limit=1');
  if (entry === undefined) throw new Error('Nothing is remembered.');
  return entry;
};

const exchange = async (id: number): Promise<Schemas['TrafficExchange']> => {
  const body: unknown = (await atoll.send('get', `/_atoll/traffic/${id}`).expect(200)).body;
  return body as Schemas['TrafficExchange'];
};

const documentLines = readFileSync(join(root, 'openapi.yaml'), 'utf8').split('\n');
const lineAt = (fault: Schemas['BrokenRule'] | undefined): string | undefined =>
  fault?.document === undefined ? undefined : documentLines[fault.document.line - 1]?.trim();

const collection = {
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'A box' }],
  field_model: [{ target_id: 23, target_type: 'taxonomy_term' }],
};

describe('A request that keeps the contract', () => {
  it('is remembered with operation, caller, status and both verdicts: 201', async () => {
    await createNode(collection).expect(201);
    expect(await last()).toMatchObject({
      time: '2024-05-01T12:00:00.000Z',
      world: 'main',
      method: 'POST',
      path: '/node?_format=json',
      operation: 'createNode',
      identity: { name: 'admin', provider: 'basic_auth', credentials: 'accepted' },
      status: 201,
      verdict: { request: 'kept', reply: 'kept' },
      requestFaults: [],
      replyFaults: [],
    });
    expect(await last()).not.toHaveProperty('corrected');
  });

  it('is remembered of a visitor without credentials: 200', async () => {
    await atoll.send('get', '/node/1?_format=json').expect(200);
    expect((await last()).identity).toEqual({ name: 'anonymous', provider: null, credentials: 'none' });
  });

  it('is remembered when the reply was kept from before: 200', async () => {
    for (let times = 0; times < 4; times += 1) await atoll.send('get', '/node/1?_format=json').expect(200);
    const all = await traffic();
    expect(all.map(({ operation, status, verdict }) => [operation, status, verdict.reply])).toEqual(
      Array.from({ length: 4 }, () => ['getNode', 200, 'kept']),
    );
  });

  it('that is refused for who asks, or for what is not there, is not broken: 401, 404', async () => {
    await atoll.send('delete', '/node/1?_format=json').expect(401);
    await atoll.send('get', '/node/999?_format=json').expect(404);
    expect((await traffic()).map(({ verdict }) => verdict.request)).toEqual(['kept', 'kept']);
  });

  it('shows its head and its JSON whole by its id: 201', async () => {
    await createNode(collection).expect(201);
    const { request, response } = await exchange((await last()).id);
    expect(JSON.parse(request.body ?? '')).toEqual(collection);
    expect(request.headers).toMatchObject({ 'content-type': 'application/json', authorization: '[redacted]' });
    expect(response.headers).toMatchObject({ Location: 'http://localhost:8000/node/31' });
    expect(JSON.parse(response.body ?? '')).toMatchObject({ title: [{ value: 'A box' }] });
    expect(response.bytes).toBe(Number(response.headers['Content-Length']));
  });

  it('shows of bytes, and of a long text, only how many there were', async () => {
    await atoll
      .send('put', '/media/1/source', 'admin')
      .set('Content-Type', 'image/jpeg')
      .send(Buffer.alloc(20_000, 1))
      .expect(204);
    const upload = await exchange((await last()).id);
    expect(upload.request.bytes).toBe(20_000);
    expect(upload.request).not.toHaveProperty('body');
    await createNode({ ...collection, title: [{ value: 'x' }], field_description: [{ value: 'y'.repeat(20_000) }] });
    const long = await exchange((await last()).id);
    expect(long.request.bytes).toBeGreaterThan(20_000);
    expect(long.request).not.toHaveProperty('body');
  });
});

describe('A request that breaks the contract', () => {
  it('says which rule, where, what arrived, and the line of it: a body that is read all the same, 201', async () => {
    await createNode({ ...collection, title: [{ value: 5 }] }).expect(201);
    const { verdict, requestFaults, status } = await last();
    expect([status, verdict.request]).toEqual([201, 'lenient']);
    expect(requestFaults).toEqual([
      expect.objectContaining({ rule: 'type', pointer: '/requestBody/title/0/value', arrived: '5' }),
    ]);
    expect(lineAt(requestFaults[0])).toMatch(/type: string/);
  });

  it('says the place that the refusal names: a reference to nothing, 422', async () => {
    await createNode({ ...collection, title: [{ value: 'A box' }], field_model: [{ target_id: 9999 }] }).expect(422);
    const { requestFaults } = await last();
    expect(requestFaults).toEqual([
      expect.objectContaining({ rule: 'validation', pointer: '/requestBody/field_model/0/target_id', arrived: '9999' }),
    ]);
  });

  it('says what is missing, and where the document requires it: 422', async () => {
    await createNode({ title: [{ value: 'A box' }] }).expect(422);
    const { verdict, requestFaults } = await last();
    expect(verdict).toEqual({ request: 'broken', reply: 'kept' });
    expect(requestFaults).toEqual([
      expect.objectContaining({
        rule: 'required',
        pointer: '/requestBody',
        message: expect.stringContaining('type') as unknown as string,
      }),
      expect.objectContaining({
        rule: 'required',
        pointer: '/requestBody',
        message: expect.stringContaining('field_model') as unknown as string,
      }),
    ]);
    expect(lineAt(requestFaults[0])).toMatch(/^required: .*type/);
  });

  it('names each field that the validation refuses: 422', async () => {
    await createNode({ ...collection, title: [] }).expect(422);
    const { requestFaults } = await last();
    expect(requestFaults.map(({ pointer }) => pointer)).toEqual(
      expect.arrayContaining([expect.stringContaining('title')]),
    );
  });

  it.each([
    ['no format', 'get', '/node/1', 406, '/query/_format', 'required', /^required: true/],
    ['a format that there is not', 'get', '/node/1?_format=xml', 406, '/query/_format', 'enum', /enum/],
    ['a method that the path has not', 'put', '/node/1', 405, '/method', 'method', /^\/node\/\{node_id\}:/],
    ['a path that there is not', 'get', '/nodes', 404, '/path', 'paths', /^paths:/],
  ])('%s: the rule is found', async (_name, method, path, status, pointer, rule, line) => {
    await atoll.send(method, path).expect(status);
    const { verdict, requestFaults } = await last();
    expect(verdict.request).toBe('broken');
    expect(requestFaults).toEqual([expect.objectContaining({ pointer, rule })]);
    expect(lineAt(requestFaults[0])).toMatch(line);
  });

  it('has the wrong Content-Type: 415 with what arrived and the line of what is accepted', async () => {
    await atoll.send('post', '/node?_format=json', 'admin').set('Content-Type', 'text/plain').send('x').expect(415);
    const [fault] = (await last()).requestFaults;
    expect(fault).toMatchObject({ rule: 'content', pointer: '/header/content-type', arrived: '"text/plain"' });
    expect(lineAt(fault)).toBe('content:');
  });

  it('is no JSON: 400 with what arrived', async () => {
    await atoll
      .send('post', '/node?_format=json', 'admin')
      .set('Content-Type', 'application/json')
      .send('{ title: "A box" }')
      .expect(400);
    expect((await last()).requestFaults).toEqual([
      expect.objectContaining({
        pointer: '/requestBody',
        message: 'Syntax error',
        arrived: '"{ title: \\"A box\\" }"',
      }),
    ]);
  });
});

describe('A reply that breaks the contract', () => {
  it('is told with rule, pointer and line, and the client gets a 500', async () => {
    const broken = await createTestAtoll({
      app: {
        handlers: {
          getLoginStatus: async () => async () => ({ status: 200, mediaType: 'text/plain', body: 'yes' }) as never, // breaks its type
        },
      },
    });
    await broken.send('get', '/user/login_status?_format=json').expect(500);
    const body: unknown = (await broken.send('get', '/_atoll/traffic?verdict=reply-broken').expect(200)).body;
    const [entry] = (body as Schemas['TrafficPage']).entries;
    expect(entry).toMatchObject({ operation: 'getLoginStatus', status: 500, verdict: { reply: 'broken' } });
    expect(lineAt(entry?.replyFaults[0])).toBeDefined();
    expect(entry?.replyFaults).toHaveLength(1);
  });

  it('is told as well when it is only logged, although it is judged after it was sent', async () => {
    const broken = await createTestAtoll({
      app: {
        checkReplies: 'log',
        handlers: {
          getNode: () => () => ({ status: 200 as const, mediaType: 'application/json' as const, body: { nid: 'one' } }),
        },
      },
    });
    await broken.send('get', '/node/1?_format=json').expect(200);
    const body: unknown = (await broken.send('get', '/_atoll/traffic').expect(200)).body;
    const [entry] = (body as Schemas['TrafficPage']).entries;
    expect(entry?.verdict.reply).toBe('broken');
    const [missing, wrong] = entry?.replyFaults ?? [];
    expect(missing).toMatchObject({ pointer: '/headers/Link', rule: 'required' });
    expect(lineAt(missing)).toBe('required: true');
    expect(wrong?.pointer).toMatch(/^\/body/);
    expect(wrong?.document?.line).toBeGreaterThan(0);
  });

  it('is unknown when nobody checks', async () => {
    const unchecked = await createTestAtoll({ app: { checkReplies: 'off' } });
    await unchecked.send('get', '/node/1?_format=json').expect(200);
    const body: unknown = (await unchecked.send('get', '/_atoll/traffic').expect(200)).body;
    expect((body as Schemas['TrafficPage']).entries[0]?.verdict.reply).toBe('unchecked');
  });
});

describe('Secrets', () => {
  it('are shown nowhere: not in heads, bodies, addresses, commands or archives', async () => {
    const password = atoll.site.accounts.find(({ name }) => name === 'admin')?.demoPassword ?? '';
    const credentials = { name: 'admin', pass: password };
    const login = await atoll.send('post', '/user/login?_format=json').send(credentials).expect(200);
    const cookie = login.get('Set-Cookie')?.[0]?.split(';')[0] ?? '';
    const { csrf_token: csrf, logout_token: logout } = login.body as { csrf_token: string; logout_token: string };
    const { text: sessionToken } = await atoll.send('get', '/session/token').set('Cookie', cookie).expect(200);
    const made: unknown = (await atoll.send('get', '/jwt/token', 'admin').expect(200)).body;
    await atoll.send('post', '/node').set('Cookie', cookie).set('X-CSRF-Token', csrf).send(collection);
    await atoll.send('post', '/user/login?_format=json').send({ ...credentials, extra: 1 });
    await atoll
      .send('post', '/user/login?_format=json')
      .set('Content-Type', 'application/json')
      .send(`{"pass":"${password}"`);
    await atoll.send('post', `/user/logout?_format=json&token=${logout}`).set('Cookie', cookie);
    for (const query of ['_format=none&token=secret-1', '_format=none&%74oken=secret-2'])
      await atoll.send('post', `/user/logout?${query}`).set('Cookie', cookie);
    for (const body of ['["secret-3"]', '{"name":"admin","\\u0070ass":"secret-4"}'])
      await atoll.send('post', '/user/login?_format=json').set('Content-Type', 'application/json').send(body);
    await atoll
      .send('get', '//bob:secret-5@example.org/')
      .set('X-Api-Key', 'secret-6')
      .set('Referer', 'http://bob:secret-7@example.org/?a=1&token=secret-9');
    const more = { refresh_token: 'secret-a', apiKey: 'secret-b', deep: [{ client_secret: 'secret-c' }] };
    await createNode(more);
    await atoll.send('get', '/node/1?_format=none').set('Authorization', `Basic ${btoa('secret-8')}`);
    await atoll.send('get', '/node/1?_format=json&jwt=secret-d').set('Referer', 'http://example.org/?JWT=secret-e');
    await createNode({ jwt: 'secret-f' });
    const told = await Promise.all([
      ...(await traffic()).map(async ({ id }) => JSON.stringify(await exchange(id))),
      atoll.send('get', '/_atoll/traffic.har').then(({ text }) => text),
    ]);
    const secrets = [
      `\\"${password}\\"`,
      btoa(`admin:${password}`),
      cookie,
      csrf,
      logout,
      sessionToken,
      (made as { token: string }).token,
      'secret-',
    ];
    expect(secrets.filter((secret) => secret.length < 5)).toEqual([]);
    const shown = told.join('\n');
    expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
    expect(shown).toContain('[redacted]');
  });
});

describe('Questions', () => {
  beforeEach(async () => {
    await createNode(collection).expect(201);
    await createNode({}).expect(422);
    await atoll.send('get', '/node/1?_format=json').expect(200);
    await atoll.send('get', '/taxonomy/term/1?_format=json', 'admin');
  });

  it.each([
    ['?operation=createNode', 2],
    ['?operation=createNode&status=201', 1],
    ['?status=4xx&operation=createNode', 1],
    ['?method=get', 2],
    ['?path=/node/*', 1],
    ['?path=/node', 2],
    ['?identity=admin', 3],
    ['?identity=anonymous', 1],
    ['?verdict=broken', 1],
    ['?operation=deleteNode', 0],
    ['?since=2024-05-01T12:00:00Z', 4],
    ['?since=2024-05-01T12:00:01Z', 0],
  ])('%s finds %d', async (query, count) => {
    expect(await traffic(query)).toHaveLength(count);
    const body: unknown = (await atoll.send('get', `/_atoll/traffic/count${query}`).expect(200)).body;
    expect(body).toEqual({ count, dropped: 0, lost: 0 });
  });

  const finds = (pattern: string, path: string): boolean =>
    queryPredicate({ path: pattern }, { lines: undefined, router: undefined as never })({ path } as RecordedExchange); // nothing else is read

  it('let a star in a path stand for any text, also none', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '/'), maxLength: 8 });
    const pattern = fc.array(text, { maxLength: 4 }).map((parts) => parts.join('*'));
    fc.assert(
      fc.property(pattern, text, (wanted, path) => {
        const whole = new RegExp(`^${wanted.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
        expect(finds(wanted, path)).toBe(whole.test(path));
      }),
      { numRuns: 500 },
    );
  });

  it('are answered at once however many stars a path has', () => {
    expect(finds(`${'*a'.repeat(200)}b`, 'a'.repeat(4000))).toBe(false);
  });

  it('can go on where the last one ended', async () => {
    const [, second] = await traffic();
    expect(await traffic(`?since=${second?.id}`)).toHaveLength(2);
  });

  it('show the last ones when there is a limit, and how many there are', async () => {
    const body: unknown = (await atoll.send('get', '/_atoll/traffic?limit=1').expect(200)).body;
    expect(body).toMatchObject({ total: 4, entries: [{ method: 'GET', path: '/taxonomy/term/1?_format=json' }] });
  });

  it.each(['?verdict=good', '?status=9', '?since=yesterday', '?limit=0'])('%s is refused: 400', async (query) => {
    await atoll.send('get', `/_atoll/traffic${query}`).expect(400);
  });

  it.each(['/count', '/stream', '.har'])('of another form of %s are refused: 400', async (place) => {
    await atoll.send('get', `/_atoll/traffic${place}?verdict=good`).expect(400);
  });

  it('for a request that is not remembered: 404', async () => {
    await atoll.send('get', '/_atoll/traffic/99999').expect(404);
  });
});

describe('The archive', () => {
  it('holds a request whose target is no path: 200', async () => {
    const server = atoll.app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // of a server that listens on a port
    const [reply] = (await once(
      request({ host: '127.0.0.1', port, method: 'OPTIONS', path: '*', agent: false }).end(),
      'response',
    )) as [IncomingMessage]; // what this event gives
    server.close();
    expect(reply.resume().statusCode).toBe(404);
    const archive: unknown = (await atoll.send('get', '/_atoll/traffic.har').expect(200)).body;
    expect(archive).toMatchObject({ log: { entries: [{ request: { method: 'OPTIONS', queryString: [] } }] } });
  });

  it('has every member that HAR 1.2 asks for', async () => {
    await createNode(collection).expect(201);
    const body: unknown = (await atoll.send('get', '/_atoll/traffic.har').expect(200)).body;
    const { log } = body as { log: { version: string; creator: object; entries: Record<string, unknown>[] } };
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'atoll', version: '0.0.0' } });
    const [entry] = log.entries;
    expect(entry).toMatchObject({
      startedDateTime: '2024-05-01T12:00:00.000Z',
      time: expect.any(Number) as unknown as number,
      request: {
        method: 'POST',
        url: 'http://localhost:8000/node?_format=json',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        queryString: [{ name: '_format', value: 'json' }],
        headers: expect.arrayContaining([{ name: 'content-type', value: 'application/json' }]) as unknown as object[],
        postData: { mimeType: 'application/json', text: JSON.stringify(collection) },
        headersSize: -1,
        bodySize: JSON.stringify(collection).length,
      },
      response: {
        status: 201,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: expect.arrayContaining([
          { name: 'Location', value: 'http://localhost:8000/node/31' },
        ]) as unknown as object[],
        content: {
          size: expect.any(Number) as unknown as number,
          mimeType: 'application/json',
          text: expect.stringContaining('A box') as unknown as string,
        },
        redirectURL: '',
        headersSize: -1,
        bodySize: expect.any(Number) as unknown as number,
      },
      cache: {},
      timings: { send: 0, wait: expect.any(Number) as unknown as number, receive: 0 },
    });
  });
});

describe('The traffic of a world', () => {
  it('is its own, outlives its reset and goes with it', async () => {
    await atoll.send('post', '/_atoll/worlds').send({ name: 'seen' }).expect(201);
    await atoll.send('get', '/~seen/node/1?_format=json').expect(200);
    await atoll.send('post', '/~seen/_atoll/reset').expect(204);
    expect((await atoll.send('get', '/~seen/_atoll/traffic')).body).toMatchObject({
      total: 1,
      entries: [{ id: 1, world: 'seen', path: '/node/1?_format=json' }],
    });
    expect(await traffic()).toEqual([]);
    await atoll.send('delete', '/_atoll/worlds/seen').expect(204);
    await atoll.send('post', '/_atoll/worlds').send({ name: 'seen' }).expect(201);
    expect((await atoll.send('get', '/~seen/_atoll/traffic')).body).toMatchObject({ total: 0 });
    await atoll.send('delete', '/_atoll/worlds/seen').expect(204);
  });
});

describe('What a fault on demand has made of an answer', () => {
  it('is what the client has seen: 503', async () => {
    const told = await atoll.send('post', '/_atoll/faults').send({ fault: 'status', parameters: { status: 503 } });
    expect(told.status).toBe(201);
    await atoll.send('get', '/node/1?_format=json').expect(503);
    await atoll.send('delete', '/_atoll/faults').expect(204);
    expect(await last()).toMatchObject({ operation: 'getNode', status: 503, verdict: { request: 'kept' } });
  });
});

describe('A watch that fails', () => {
  it.each([
    ['get', '/_atoll/traffic'],
    ['delete', '/_atoll/traffic'],
    ['get', '/_atoll/traffic/1'],
    ['get', '/_atoll/traffic/count'],
    ['get', '/_atoll/traffic/stream'],
    ['get', '/_atoll/traffic.har'],
    ['get', '/_atoll/coverage'],
    ['delete', '/_atoll/coverage'],
  ])('is no secret and tells none: %s %s is 500', async (method, path) => {
    const fail = (): never => {
      throw new Error('out of memory at /home/somebody');
    };
    const observer: ReturnType<typeof createWorldObserver> = {
      ...createWorldObserver(),
      of: fail,
      total: fail,
      clearTotal: fail,
    };
    failing ??= await createTestAtoll({ app: { observer: observer } });
    const { text } = await failing.send(method, path).expect(500);
    expect(text).toBe('{"message":"The website encountered an unexpected error. Try again later."}');
  });
});
