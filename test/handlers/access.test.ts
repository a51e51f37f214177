/** The handlers of login, logout, status and tokens. */
import { describe, expect, it } from '@jest/globals';
import { getLoginStatus, getSessionToken, login, logout } from '../../handlers/session.ts';
import { getToken } from '../../handlers/token.ts';
import { readSessionCookie, type ContractRequest } from '../../src/repository/repository-engine.ts';
import type { World } from '../../src/repository/repository.ts';
import { type TestAccess, basic, createTestAccess, limits } from '../access/access-fixture.ts';
import { notFound } from '../../src/openapi/openapi-terms.ts';
import type { Json } from '../../src/basics/json.ts';

type Headers = Readonly<Record<string, string>>;

/** The handlers of this room use nothing of a world but its access. */
const worldOf = ({ access, site }: TestAccess): World => ({ access, site }) as World; // the rest is not read

const call = async <Path, Query, Reply>(
  handler: (request: ContractRequest<Path, Query>, world: World) => Promise<(input: never) => Promise<Reply>>,
  world: TestAccess,
  input: unknown,
  headers: Headers = {},
  query: { readonly token?: string; readonly _format?: string } = {},
): Promise<Reply> => {
  const request: unknown = {
    ...{ path: {}, query, headers, format: 'json', address: '127.0.0.1' },
    identity: await world.identify(headers),
    session: readSessionCookie(headers, world.access.cookieName),
    absent: () => notFound('absent'),
  };
  const answer = await handler(request as ContractRequest<Path, Query>, worldOf(world)); // none has a path parameter
  return answer(input as never); // only the login reads its input
};
const logIn = async (world: TestAccess, json: Json, headers?: Headers) => {
  const reply = await call(login, world, { json }, headers, { _format: 'json' });
  if (reply.mediaType !== 'application/json') throw new Error('The login form came in the place of a login.');
  return { ...reply, headers: { 'Set-Cookie': String(reply.headers?.['Set-Cookie']) } };
};

const opened = async (world: TestAccess, name = 'editor', pass = 'edi:tör') => {
  const { headers, body } = await logIn(world, { name, pass });
  const [cookie = ''] = headers['Set-Cookie'].split(';');
  return { headers: { cookie }, body };
};
const problem = (status: number, message: string): unknown => expect.objectContaining({ status, message });

describe('POST /user/login', () => {
  it('answers 200 with the account, two tokens and the cookie; no roles for an editor', async () => {
    const reply = await logIn(createTestAccess(), { name: 'editor', pass: 'edi:tör' });
    expect(reply).toMatchObject({ status: 200, mediaType: 'application/json' });
    expect(reply.headers['Set-Cookie']).toMatch(/^SESS[0-9a-f]{32}=[\w-]{43}; expires=/);
    expect(reply.body.current_user).toEqual({ uid: '2', name: 'editor' });
    expect(reply.body.csrf_token).toMatch(/^[\w-]{43}$/);
    expect(reply.body.logout_token).toMatch(/^[\w-]{43}$/);
    expect(reply.body.logout_token).not.toBe(reply.body.csrf_token);
  });

  it('shows an administrator the roles', async () => {
    const { body } = await logIn(createTestAccess(), { name: 'admin', pass: 'islandora' });
    expect(body.current_user).toEqual({
      uid: '1',
      roles: ['authenticated', 'administrator', 'fedoraadmin'],
      name: 'admin',
    });
  });

  it.each<[string, Json, string]>([
    ['nothing', {}, 'Missing credentials.'],
    ['null', null, 'Missing credentials.'],
    ['a list', ['editor', 'editor'], 'Missing credentials.'],
    ['no name', { pass: 'pw' }, 'Missing credentials.name.'],
    ['a null for a name', { name: null, pass: 'pw' }, 'Missing credentials.name.'],
    ['numbers', { name: 2, pass: 7 }, 'Sorry, unrecognized username or password.'],
    ['an empty password', { name: 'editor', pass: '' }, 'Sorry, unrecognized username or password.'],
    ['a password in a list', { name: 'editor', pass: ['edi:tör'] }, 'Sorry, unrecognized username or password.'],
    ['an empty list for a name', { name: [], pass: 'edi:tör' }, 'Sorry, unrecognized username or password.'],
    [
      'a name two levels down',
      { name: [{ value: 'editor' }], pass: 'pw' },
      'Sorry, unrecognized username or password.',
    ],
    ['no password', { name: 'editor' }, 'Missing credentials.pass.'],
    ['a wrong password', { name: 'editor', pass: 'bad' }, 'Sorry, unrecognized username or password.'],
    ['an unknown name', { name: 'nobody', pass: 'bad' }, 'Sorry, unrecognized username or password.'],
    ['A32: 129 characters', { name: 'editor', pass: 'x'.repeat(129) }, 'Sorry, unrecognized username or password.'],
    ['a blocked account', { name: 'blocked', pass: 'edi:tör' }, 'The user has not been activated or is blocked.'],
  ])('answers 400 to %s', async (_what, json, message) => {
    await expect(logIn(createTestAccess(), json)).rejects.toEqual(problem(400, message));
  });

  it('answers 403 to somebody who is logged in already', async () => {
    const world = createTestAccess();
    const { headers } = await opened(world);
    await expect(logIn(world, {}, headers)).rejects.toEqual(
      problem(403, 'This route can only be accessed by anonymous users.'),
    );
  });

  it.each<[string, Json]>([
    ['a list', ['editor']],
    ['an object', { value: 'editor' }],
  ])('takes the name out of %s', async (_what, name) => {
    expect((await logIn(createTestAccess(), { name, pass: 'edi:tör' })).body.current_user.uid).toBe('2');
  });

  it('answers the page of the form without _format or with an empty one, and opens no session', async () => {
    const json = { name: 'editor', pass: 'edi:tör' };
    for (const query of [{}, { _format: '' }]) {
      const reply = await call(login, createTestAccess(), { json }, {}, query);
      expect(reply).toEqual({ status: 200, mediaType: 'text/html', body: expect.stringContaining('<title>Log in | ') });
    }
    const told: unknown[] = [];
    const request = { query: {}, identity: { credentials: 'none' }, advise: (advice: unknown) => told.push(advice) };
    const answer = await login(request as never, worldOf(createTestAccess())); // the rest is not read
    await answer({ json });
    expect(told).toEqual([{ pointer: '/requestBody', reason: expect.stringContaining('opens no session') }]);
  });

  it('answers a token, too, where the tokens of the site are those of today', async () => {
    const world = createTestAccess({ tokensOfToday: true });
    const { body } = await logIn(world, { name: 'editor', pass: 'edi:tör' });
    const authorization = `Bearer ${body.access_token}`;
    expect(await world.identify({ authorization })).toMatchObject({ provider: 'jwt_auth', principal: { uid: 2 } });
    expect((await logIn(createTestAccess(), { name: 'editor', pass: 'edi:tör' })).body).not.toHaveProperty(
      'access_token',
    );
  });

  it('A27, A31: answers 403 after five failures, then 200 after the window', async () => {
    const world = createTestAccess();
    for (const guess of ['a', 'b', 'c', 'd', 'e']) {
      await expect(logIn(world, { name: 'Editor', pass: guess })).rejects.toMatchObject({ status: 400 });
    }
    await expect(logIn(world, { name: 'editor', pass: 'edi:tör' })).rejects.toEqual(
      problem(403, 'Too many failed login attempts from your IP address. This IP address is temporarily blocked.'),
    );
    expect(await world.identify(basic('editor', 'edi:tör'))).toMatchObject({ credentials: 'accepted' });
    world.clock.advance(limits.userWindowSeconds);
    expect(await world.access.login('editor', 'edi:tör', '127.0.0.1')).toMatchObject({ kind: 'accepted' });
  });

  it.each([
    ['an unknown name', 'nobody', 'Sorry, unrecognized username or password.'],
    ['a blocked account', 'blocked', 'The user has not been activated or is blocked.'],
  ])('A27: answers 400 to %s as often as it fails, as no account counts', async (_what, name, message) => {
    const world = createTestAccess({ flood: { ...limits, userLimit: 2 } });
    for (const pass of ['a', 'b', 'c', 'd']) {
      await expect(logIn(world, { name, pass })).rejects.toEqual(problem(400, message));
    }
  });

  it('A27: counts failures of a blocked account and refused ones not against the address', async () => {
    const world = createTestAccess({ flood: { ...limits, userLimit: 2, addressLimit: 3 } });
    const fail = (name: string) => expect(logIn(world, { name, pass: 'x' })).rejects.toBeDefined();
    for (const name of ['blocked', 'blocked', 'blocked', 'editor', 'editor', 'editor', 'editor']) await fail(name);
    await expect(logIn(world, { name: 'admin', pass: 'islandora' })).resolves.toMatchObject({ status: 200 });
    await fail('nobody');
    await expect(logIn(world, { name: 'admin', pass: 'islandora' })).rejects.toMatchObject({ status: 403 });
  });

  it('A27: answers 403 to everybody at an address with too many failures', async () => {
    const world = createTestAccess({ flood: { ...limits, addressLimit: 2 } });
    for (const name of ['x', 'y'])
      await expect(logIn(world, { name, pass: 'bad' })).rejects.toMatchObject({ status: 400 });
    await expect(logIn(world, { name: 'editor', pass: 'edi:tör' })).rejects.toEqual(
      problem(403, 'Access is blocked because of IP based flood prevention.'),
    );
  });
});

describe('POST /user/logout', () => {
  it('answers 403 without the token or with a wrong one, and the session lives on', async () => {
    const world = createTestAccess();
    const { headers, body } = await opened(world);
    const other = await opened(world, 'admin', 'islandora');
    const missing = problem(403, "'csrf_token' URL query argument is missing.");
    const invalid = problem(403, "'csrf_token' URL query argument is invalid.");
    await expect(call(logout, world, {})).rejects.toEqual(missing);
    await expect(call(logout, world, {}, headers)).rejects.toEqual(missing);
    for (const token of ['zzz', '', body.csrf_token, other.body.logout_token]) {
      await expect(call(logout, world, {}, headers, { token })).rejects.toEqual(invalid);
    }
    await expect(call(logout, world, {}, {}, { token: body.logout_token })).rejects.toEqual(invalid);
    expect(await call(getLoginStatus, world, {}, headers)).toMatchObject({ body: '1' });
  });

  it('answers 204, takes the cookie back and ends the session', async () => {
    const world = createTestAccess();
    const { headers, body } = await opened(world);
    const removal = { 'Set-Cookie': expect.stringContaining('Max-Age=0') as unknown };
    expect(await call(logout, world, {}, headers, { token: body.logout_token })).toEqual({
      status: 204,
      headers: removal,
    });
    expect(await call(getLoginStatus, world, {}, headers)).toMatchObject({ body: '0' });
  });
});

describe('GET /user/login_status', () => {
  it('answers 0 to anonymous and to a wrong token, 1 to a good one', async () => {
    const world = createTestAccess();
    const { token } = (await call(getToken, world, {}, basic('editor', 'edi:tör'))).body;
    const rows: [Headers, string][] = [
      [{}, '0'],
      [{ authorization: 'Bearer x' }, '0'],
      [{ authorization: `Bearer ${token}` }, '1'],
    ];
    for (const [headers, body] of rows) {
      expect(await call(getLoginStatus, world, {}, headers)).toEqual({ status: 200, mediaType: 'text/plain', body });
    }
  });
});

describe('GET /session/token', () => {
  it('answers 200 with the token of the session, or with 43 other characters', async () => {
    const world = createTestAccess();
    const { headers, body } = await opened(world);
    const reply = { status: 200, mediaType: 'text/plain' };
    expect(await call(getSessionToken, world, {}, headers)).toEqual({ ...reply, body: body.csrf_token });
    const anonymous = await call(getSessionToken, world, {});
    expect(anonymous.body).toMatch(/^[\w-]{43}$/);
    expect(anonymous.body).not.toBe(body.csrf_token);
  });
});

describe('A17: GET /jwt/token', () => {
  it('answers 200 with a good token by Basic, by cookie and by a token', async () => {
    const world = createTestAccess();
    const token = async (headers: Headers): Promise<string> => (await call(getToken, world, {}, headers)).body.token;
    const first = await token(basic('editor', 'edi:tör'));
    const second = await token((await opened(world)).headers);
    const third = await token({ authorization: `Bearer ${first}` });
    for (const issued of [first, second, third]) {
      const identity = await world.identify({ authorization: `Bearer ${issued}` });
      expect(identity).toMatchObject({ provider: 'jwt_auth', principal: { uid: 2 } });
    }
  });

  it('denies anonymous and refused visitors, so that the engine can say 401 or 403', async () => {
    const world = createTestAccess();
    for (const headers of [{}, basic('editor', 'wrong')]) {
      await expect(call(getToken, world, {}, headers)).rejects.toMatchObject({ status: 403, kind: 'denied' });
    }
  });
});
