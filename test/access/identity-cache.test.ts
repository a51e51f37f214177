/** The caller of a connection's last request, who need not be looked at again. Who is taken at all stands in the tests of the providers. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Identity } from '../../src/repository/repository.ts';
import { account, adminHash, basic, createTestAccess, editorHash, limits, type TestAccess } from './access-fixture.ts';

const password = 'edi:tör';
const right = basic('editor', password);
const editorWith = (traits: Parameters<typeof account>[2]): ReturnType<typeof account> =>
  account(2, 'editor', { roles: ['editor'], password: editorHash, ...traits });

const bearerOf = async ({ access }: TestAccess): Promise<{ authorization: string }> => {
  const principal = await access.principal(2);
  if (principal === undefined) throw new Error('There is no editor.');
  return { authorization: `Bearer ${await access.issueToken(principal)}` };
};

type Way = readonly [what: string, header: (world: TestAccess) => Promise<{ authorization: string }>];
const ways: readonly Way[] = [
  ['Basic', async () => right],
  ['Bearer', bearerOf],
];

describe.each(ways)('%s, again on the same connection,', (_what, headerOf) => {
  let world: TestAccess;
  let header: { authorization: string };
  let connection: object;
  const ask = (headers: { authorization?: string } = header): Promise<Identity> =>
    world.identify(headers, '127.0.0.1', connection);

  beforeEach(async () => {
    world = createTestAccess();
    header = await headerOf(world);
    connection = {};
    expect(await ask()).toMatchObject({ credentials: 'accepted', principal: { uid: 2 } });
  });

  it('is known at once, but not on another connection', () => {
    const source = { headers: header, address: '127.0.0.1' };
    const known = ({ connection: asked }: { connection: object }): unknown[] =>
      world.access.providers.map((provider) => provider.recognise({ ...source, connection: asked }));
    expect(known({ connection })).toContainEqual(expect.objectContaining({ credentials: 'accepted' }));
    expect(known({ connection: {} })).toContainEqual(expect.any(Promise));
  });

  it('is refused when the account has been blocked', async () => {
    await world.put(editorWith({ active: false }));
    expect(await ask()).toMatchObject({ credentials: 'refused', principal: { uid: 0 } });
  });

  it('has the rights of now when the roles have changed', async () => {
    await world.put(editorWith({ roles: [] }));
    expect((await ask()).principal.roles).toEqual([]);
  });

  it('is not taken for another header, nor for none', async () => {
    expect(await ask(basic('editor', 'wrong'))).toMatchObject({ credentials: 'refused' });
    expect(await ask({ authorization: header.authorization.replace(/.{4}$/, 'AAAA') })).not.toMatchObject({
      credentials: 'accepted',
    });
    expect(await ask({})).toMatchObject({ credentials: 'none' });
    expect(await ask()).toMatchObject({ credentials: 'accepted', principal: { uid: 2 } });
  });

  it('is looked at anew in another world', async () => {
    const other = createTestAccess();
    await other.put(editorWith({ active: false }));
    expect(await other.identify(header, '127.0.0.1', connection)).toMatchObject({ credentials: 'refused' });
    expect(await ask()).toMatchObject({ credentials: 'accepted' });
  });

  it('is looked at anew when the account changed while it was looked up', async () => {
    const late = {};
    const asked = world.identify(header, '127.0.0.1', late);
    const changed = world.put(editorWith({ active: false }));
    await Promise.all([asked, changed]);
    expect(await world.identify(header, '127.0.0.1', late)).toMatchObject({ credentials: 'refused' });
  });
});

describe('Basic, again on the same connection,', () => {
  it('is refused when the password has changed', async () => {
    const { identify, put } = createTestAccess();
    const connection = {};
    await identify(right, '127.0.0.1', connection);
    await put(editorWith({ password: adminHash }));
    expect(await identify(right, '127.0.0.1', connection)).toMatchObject({ credentials: 'refused' });
  });

  it('is looked at anew after 60 s', async () => {
    const { access, identify, clock } = createTestAccess();
    const source = { headers: right, address: '127.0.0.1', connection: {} };
    await identify(source.headers, source.address, source.connection);
    const [basicAuth] = access.providers;
    clock.advance(59);
    expect(basicAuth?.recognise(source)).toMatchObject({ credentials: 'accepted' });
    clock.advance(1);
    expect(basicAuth?.recognise(source)).toBeInstanceOf(Promise);
  });

  it('A27: is refused like any other after as many failures as are allowed', async () => {
    const { identify } = createTestAccess();
    const connection = {};
    await identify(right, '127.0.0.1', connection);
    for (let failure = 0; failure < limits.userLimit; failure += 1) await identify(basic('editor', `no ${failure}`));
    expect(await identify(right, '127.0.0.1', connection)).toMatchObject({ credentials: 'refused' });
  });
});

describe('Bearer, again on the same connection,', () => {
  it('is refused from the second on in which the token ends', async () => {
    const world = createTestAccess();
    const header = await bearerOf(world);
    const connection = {};
    const ask = (): Promise<Identity> => world.identify(header, '127.0.0.1', connection);
    await ask();
    world.clock.advance(7199);
    expect(await ask()).toMatchObject({ credentials: 'accepted' });
    world.clock.advance(1);
    expect(await ask()).toMatchObject({ credentials: 'refused' });
  });

  it('is refused before the time from which it holds', async () => {
    const world = createTestAccess();
    const header = await bearerOf(world);
    const connection = {};
    await world.identify(header, '127.0.0.1', connection);
    world.clock.advance(-1);
    expect(await world.identify(header, '127.0.0.1', connection)).toMatchObject({ credentials: 'refused' });
  });
});
