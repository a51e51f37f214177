/** Sessions: opened, recognised, closed, expired, and their CSRF tokens. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type Session, readSessionCookie } from '../../src/repository/repository-engine.ts';
import { checkCsrf } from '../../src/repository/access/cookie-auth.ts';
import { type TestAccess, account, basic, createTestAccess, editorHash } from './access-fixture.ts';

const openSession = async ({ access }: TestAccess, name = 'editor', password = 'edi:tör'): Promise<Session> => {
  const outcome = await access.login(name, password, '127.0.0.1');
  if (outcome.kind !== 'accepted') throw new Error(`login: ${outcome.kind}`);
  return outcome.session;
};
const cookieOf = ({ access }: TestAccess, session: Session): { cookie: string } => ({
  cookie: `a=b; ${access.cookieName}=${session.id}`,
});
const accepted = { credentials: 'accepted', provider: 'cookie', principal: { uid: 2 } };
const refused = { credentials: 'refused', provider: 'cookie', principal: { uid: 0 } };

describe('A35: the session cookie', () => {
  const hash = (baseUrl: string): string => createHash('sha256').update(baseUrl).digest('hex').slice(0, 32);

  it('is secure over https and keeps to the path of its world', async () => {
    const baseUrl = 'https://repository.example/~w7';
    const world = createTestAccess({ baseUrl, basePath: '/~w7' });
    const written = world.access.setCookie(await openSession(world));
    expect(written.startsWith(`SSESS${hash(baseUrl)}=`)).toBe(true);
    expect(written).toContain('; path=/~w7; secure; HttpOnly; SameSite=Lax');
  });

  it('A34: is read among others, tampered or not', () => {
    expect(readSessionCookie({ cookie: '__proto__=x; SESS1=a; SESS1=b' }, 'SESS1')).toBe('a');
    expect(readSessionCookie({ cookie: '__proto__=x; ;;=;%' }, 'SESS1')).toBeUndefined();
    expect(readSessionCookie({}, 'SESS1')).toBeUndefined();
  });
});

describe('the provider cookie', () => {
  it('accepts an open session for 2,000,000 s, and a clock set back does not wake it', async () => {
    const world = createTestAccess();
    const cookie = cookieOf(world, await openSession(world));
    world.clock.advance(1_999_999);
    expect(await world.identify(cookie)).toMatchObject(accepted);
    world.clock.advance(1);
    expect(await world.identify(cookie)).toMatchObject(refused);
    world.clock.advance(-10);
    expect(await world.identify(cookie)).toMatchObject(refused);
  });

  it('refuses a stale or foreign session cookie, and knows nothing of other cookies', async () => {
    const { access, identify } = createTestAccess();
    expect(await identify({ cookie: `${access.cookieName}=planted` })).toMatchObject(refused);
    expect(await identify({ cookie: `${access.cookieName}=` })).toMatchObject(refused);
    expect(await identify({ cookie: 'SESS=x; __proto__=y' })).toMatchObject({ credentials: 'none' });
  });

  it('A13, A15: ends a session for good when its account is blocked or gets another password', async () => {
    const world = createTestAccess();
    const before = account(2, 'editor', { password: editorHash });
    for (const change of [
      account(2, 'editor', { active: false, password: editorHash }),
      account(2, 'editor', { password: `${editorHash}x` }),
    ]) {
      const cookie = cookieOf(world, await openSession(world));
      await world.put(change);
      expect(await world.identify(cookie)).toMatchObject(refused);
      await world.put(before);
      expect(await world.identify(cookie)).toMatchObject(refused);
    }
  });

  it('A15: ends a session when its account is deleted', async () => {
    const world = createTestAccess();
    const cookie = cookieOf(world, await openSession(world));
    await world.store.transact([], () => ({ changes: [{ remove: 'user:2' }], result: undefined }));
    expect(await world.identify(cookie)).toMatchObject(refused);
  });

  it('A33: gives every login an id of its own', async () => {
    const world = createTestAccess();
    const ids = [(await openSession(world)).id, (await openSession(world)).id];
    expect(new Set(ids).size).toBe(2);
  });

  it('A26: gives way to an Authorization header, accepted or refused', async () => {
    const world = createTestAccess();
    const cookie = cookieOf(world, await openSession(world));
    const byBasic = { provider: 'basic_auth' };
    expect(await world.identify({ ...cookie, ...basic('admin', 'islandora') })).toMatchObject({
      ...byBasic,
      principal: { uid: 1 },
    });
    expect(await world.identify({ ...cookie, ...basic('admin', 'x') })).toMatchObject({
      ...byBasic,
      credentials: 'refused',
    });
    expect(await world.identify({ ...cookie, authorization: 'Digest x' })).toMatchObject(accepted);
  });
});

describe('A36: the CSRF check', () => {
  const missing = expect.objectContaining({ status: 403, message: 'X-CSRF-Token request header is missing' });
  const check = async (
    world: TestAccess,
    session: string | undefined,
    headers: Record<string, string>,
  ): Promise<unknown> => {
    const identity = await world.identify(headers);
    try {
      checkCsrf(world.access, { headers, identity, session });
      return 'passed';
    } catch (problem) {
      return problem;
    }
  };

  it('asks nobody without a session cookie, and no anonymous visitor with a stale one', async () => {
    const world = createTestAccess();
    expect(await check(world, undefined, basic('editor', 'edi:tör'))).toBe('passed');
    const stale = { cookie: `${world.access.cookieName}=stale` };
    expect(await check(world, 'stale', stale)).toBe('passed');
    expect(await check(world, 'stale', { ...stale, ...basic('editor', 'edi:tör') })).toEqual(missing);
  });

  it('gives an anonymous visitor 43 characters, always the same', () => {
    const { access } = createTestAccess();
    expect(access.csrfToken(undefined)).toMatch(/^[\w-]{43}$/);
    expect(access.csrfToken('stale')).toBe(access.csrfToken(undefined));
  });
});
