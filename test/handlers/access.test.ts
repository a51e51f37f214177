/** The handler of a login: floods, tokens of today, advice. The rest is in `test/expected/default/authentication.yml`. */
import { describe, expect, it } from '@jest/globals';
import { login } from '../../handlers/session.ts';
import type { World } from '../../src/repository/repository.ts';
import { type TestAccess, createTestAccess, limits } from '../access/access-fixture.ts';
import type { Json } from '../../src/basics/json.ts';

/** The handler uses nothing of a world but its access. */
const worldOf = ({ access, site }: TestAccess): World => ({ access, site }) as World; // the rest is not read

const logIn = async (world: TestAccess, json: Json) => {
  const identity = await world.identify({});
  const request: unknown = { query: { _format: 'json' }, headers: {}, address: '127.0.0.1', identity };
  const answer = await login(request as Parameters<typeof login>[0], worldOf(world)); // the rest is not read
  const reply = await answer({ json });
  if (reply.mediaType !== 'application/json') throw new Error('The login form came in the place of a login.');
  return reply;
};
const problem = (status: number, message: string): unknown => expect.objectContaining({ status, message });

describe('POST /user/login', () => {
  it('advises a client that leaves _format out', async () => {
    const told: unknown[] = [];
    const request = { query: {}, identity: { credentials: 'none' }, advise: (advice: unknown) => told.push(advice) };
    const answer = await login(request as never, worldOf(createTestAccess())); // the rest is not read
    await answer({ json: { name: 'editor', pass: 'edi:tör' } });
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
