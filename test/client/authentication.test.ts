/** Who asks: Basic, tokens that are renewed, sessions with their CSRF token. Against a whole server whose clock the tests move. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  anonymous,
  basic,
  bearer,
  bearerToken,
  bodyOf,
  createClient,
  session,
  type Authentication,
  type AtollClient,
} from '../../src/client/client.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { createClock } from '../support/atoll.ts';

const clock = createClock();
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ clock });
});
beforeEach(() => {
  server.answers.length = 0;
});
afterAll(async () => {
  await server.stop();
  expect(server.errors).toEqual([]);
});

const editor = { name: 'editor', password: 'editor' };
const as = (authentication: Authentication): AtollClient => createClient({ baseUrl: server.url, authentication });
const create = (client: AtollClient, title = 'By somebody') =>
  client.POST('/node', { body: bodyOf('node', { type: 'islandora_object', title, field_model: 24 }) });
const readNode = (client: AtollClient, node_id = 1) => client.GET('/node/{node_id}', { params: { path: { node_id } } });
const now = (): number => clock.now();
const count = (answer: string): number => server.answers.filter((each) => each === answer).length;

describe('Basic', () => {
  it('is sent with every request, in UTF-8: 201', async () => {
    expect((await create(as(basic('editor', 'editor')))).response.status).toBe(201);
    const seen: (string | null)[] = [];
    const watched = createClient({
      baseUrl: server.url,
      authentication: basic('jürgen', 'pässwörd €'),
      fetch: (request) => {
        seen.push(request.headers.get('Authorization'));
        return Promise.resolve(Response.json({}));
      },
    });
    await readNode(watched);
    expect(seen).toEqual([`Basic ${Buffer.from('jürgen:pässwörd €').toString('base64')}`]);
  });

  it('that is wrong is refused with 403, once', async () => {
    await expect(create(as(basic('editor', 'wrong')))).rejects.toMatchObject({ status: 403 });
    expect(server.answers).toEqual(['createNode 403']);
  });
});

describe('a token', () => {
  it('is fetched once for many requests at the same time', async () => {
    const client = as(bearer(basic('editor', 'editor'), now));
    const made = await Promise.all(Array.from({ length: 5 }, () => create(client)));
    expect(made.map(({ response }) => response.status)).toEqual(Array(5).fill(201));
    expect(count('getToken 200')).toBe(1);
  });

  it('is renewed before it ends, and not sooner', async () => {
    const client = as(bearer(basic('editor', 'editor'), now));
    await create(client);
    clock.advance(7200 - 120);
    await create(client);
    expect(count('getToken 200')).toBe(1);
    clock.advance(90);
    await Promise.all([create(client), create(client), create(client)]);
    expect([count('getToken 200'), count('createNode 201'), count('createNode 403')]).toEqual([2, 5, 0]);
  });

  it('that ended unseen, because our clock stands, is renewed after the 403, once for all', async () => {
    const started = now();
    const client = as(bearer(basic('editor', 'editor'), () => started));
    await create(client);
    clock.advance(8000);
    await Promise.all([create(client), create(client), create(client)]);
    expect([count('getToken 200'), count('createNode 201'), count('createNode 403')]).toEqual([2, 4, 3]);
  });

  it('is renewed by its lifetime, not by its date: our clock may be years ahead', async () => {
    const client = as(bearer(basic('editor', 'editor'), () => now() + 1e12));
    await create(client);
    await create(client);
    expect(count('getToken 200')).toBe(1);
  });

  it('of somebody who may not is refused with 403 after one renewal', async () => {
    const client = as(bearer(basic('plain', 'plain'), now));
    await expect(create(client)).rejects.toMatchObject({ status: 403 });
    expect(server.answers).toEqual(['getToken 200', 'createNode 403', 'getToken 200', 'createNode 403']);
  });

  it('that cannot be had is the refusal of the token, 403, and is asked for again', async () => {
    const client = as(bearer(basic('editor', 'wrong'), now));
    await expect(readNode(client)).rejects.toMatchObject({ status: 403 });
    await expect(readNode(client)).rejects.toMatchObject({ status: 403 });
    expect(server.answers).toEqual(['getToken 403', 'getToken 403']);
  });

  it('whose renewal is refused leaves the first refusal', async () => {
    let isGood = true;
    const fading: Authentication = {
      ...anonymous,
      credentials: (exchange, method) => basic('plain', isGood ? 'plain' : 'wrong').credentials(exchange, method),
    };
    const client = as(bearer(fading, now));
    await readNode(client);
    isGood = false;
    await expect(create(client)).rejects.toMatchObject({ status: 403, message: 'HTTP 403' });
    expect(server.answers).toEqual(['getToken 200', 'getNode 200', 'createNode 403', 'getToken 403']);
  });

  it('can be fetched with a session, and can come from elsewhere: 201', async () => {
    expect((await create(as(bearer(session(editor), now)))).response.status).toBe(201);
    const { data } = await as(basic('editor', 'editor')).GET('/jwt/token');
    expect((await create(as(bearerToken(data.token)))).response.status).toBe(201);
    await expect(create(as(bearerToken('x.y.z')))).rejects.toMatchObject({ status: 403 });
  });
});

describe('a session', () => {
  it('logs in once and writes with its CSRF token: 201, 200, 204', async () => {
    const client = as(session(editor));
    const [{ data }] = await Promise.all([create(client), readNode(client)]);
    const params = { path: { node_id: data.nid[0].value } };
    const body = bodyOf('node', { type: 'islandora_object', title: 'Again' });
    expect((await client.PATCH('/node/{node_id}', { params, body })).response.status).toBe(200);
    expect((await client.DELETE('/node/{node_id}', { params })).response.status).toBe(204);
    expect([count('login 200'), count('getSessionToken 200')]).toEqual([1, 0]);
  });

  it('that ended is opened again after the 403, once for all', async () => {
    const client = as(session(editor));
    await create(client);
    clock.advance(2_000_001);
    await Promise.all([create(client), create(client)]);
    expect([count('login 200'), count('createNode 201')]).toEqual([2, 3]);
  });

  it('of somebody who may not is refused with 403 without another login', async () => {
    const client = as(session({ name: 'plain', password: 'plain' }));
    await expect(create(client)).rejects.toMatchObject({ status: 403 });
    expect(server.answers).toEqual(['login 200', 'createNode 403', 'getLoginStatus 200']);
  });

  it('with a CSRF token that is refused fetches another: 201', async () => {
    const seen: string[] = [];
    const client = createClient({
      baseUrl: server.url,
      authentication: session(editor),
      fetch: async (request) => {
        const token = request.headers.get('X-CSRF-Token');
        // The first one is spoilt on its way, as by a server that has changed it.
        if (token !== null && seen.push(token) === 1) request.headers.set('X-CSRF-Token', 'stale');
        return fetch(request);
      },
    });
    expect((await create(client)).response.status).toBe(201);
    expect(server.answers).toEqual(['login 200', 'createNode 403', 'getSessionToken 200', 'createNode 201']);
  });

  it('is ended by a logout: 204, then a new login', async () => {
    const authentication = session(editor);
    const client = as(authentication);
    await create(client);
    await authentication.logout();
    await authentication.logout();
    await create(client);
    expect(server.answers).toEqual(['login 200', 'createNode 201', 'logout 204', 'login 200', 'createNode 201']);
  });

  it('with a wrong password is the refusal of the login, 400', async () => {
    await expect(readNode(as(session({ name: 'editor', password: 'wrong' })))).rejects.toMatchObject({
      status: 400,
      message: 'Sorry, unrecognized username or password.',
    });
  });

  it('of the browser alone asks for its token and has no login: 200', async () => {
    const client = as(session());
    expect((await readNode(client)).response.status).toBe(200);
    await expect(create(client)).rejects.toMatchObject({ status: 401 });
    expect(server.answers).toEqual(['getSessionToken 200', 'getNode 200', 'createNode 401']);
  });
});
