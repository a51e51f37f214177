/** The provider `basic_auth`. */
import { describe, expect, it } from '@jest/globals';
import { readBasic } from '../../src/basics/formats/basic-credentials.ts';
import { account, adminHash, basic, createTestAccess, editorHash, limits } from './access-fixture.ts';
import { scryptCallsIn } from '../support/scrypt-count.ts';

const encode = (pair: string | Uint8Array): string => `Basic ${Buffer.from(pair).toString('base64')}`;

describe('A22: a Basic header', () => {
  it.each([
    ['colons in the password', encode('u:a:b:'), { name: 'u', password: 'a:b:' }],
    ['UTF-8', encode('jürgen:pässwörd €'), { name: 'jürgen', password: 'pässwörd €' }],
    ['any case of the scheme and two spaces', 'bAsIc  dTpw', { name: 'u', password: 'p' }],
    ['an empty user', encode(':pw'), { name: '', password: 'pw' }],
    ['an empty password', encode('viewer:'), { name: 'viewer', password: '' }],
    ['neither', encode(':'), { name: '', password: '' }],
    ['no padding', 'Basic dmlld2VyOnY', { name: 'viewer', password: 'v' }],
    [
      'characters that are not of base64, which are left out',
      'Basic dm\tlld*2VyOnY= ',
      { name: 'viewer', password: 'v' },
    ],
    ['NUL', encode('u:p\0w'), { name: 'u', password: 'p\0w' }],
    ['10 KB', encode(`u:${'x'.repeat(10_000)}`), { name: 'u', password: 'x'.repeat(10_000) }],
  ])('is read with %s', (_what, header, expected) => {
    expect(readBasic(header)).toEqual(expected);
  });

  it.each([
    ['no header', undefined],
    ['no value', 'Basic'],
    ['no colon', encode('editor')],
    ['nothing of base64', 'Basic !!!!'],
    ['a tab', 'Basic\tdTpw'],
    ['another scheme', 'Digest dTpw'],
  ])('is no credential with %s', (_what, header) => {
    expect(readBasic(header)).toBeUndefined();
  });
});

describe('basic_auth', () => {
  it('accepts the right password of an active account, whatever the case of the name', async () => {
    const { identify } = createTestAccess();
    const identity = await identify(basic('Editor', 'edi:tör'));
    expect(identity).toMatchObject({ credentials: 'accepted', provider: 'basic_auth', principal: { uid: 2 } });
  });

  it('A27: refuses the right password too after five failures, apart from the counters of the login', async () => {
    const { access, identify, clock } = createTestAccess();
    for (const guess of ['a', 'b', 'c', 'd', 'e']) await identify(basic('editor', guess));
    expect(await identify(basic('editor', 'edi:tör'))).toMatchObject({ credentials: 'refused' });
    expect(await identify(basic('editor', 'edi:tör'), '10.0.0.2')).toMatchObject({ credentials: 'accepted' });
    expect(await access.login('editor', 'edi:tör', '127.0.0.1')).toMatchObject({ kind: 'accepted' });
    clock.advance(limits.userWindowSeconds);
    expect(await identify(basic('editor', 'edi:tör'))).toMatchObject({ credentials: 'accepted' });
  });

  it('A27: counts every attempt against the address, also of an unknown name and of a user that is refused', async () => {
    const { identify } = createTestAccess({ flood: { ...limits, userLimit: 2, addressLimit: 6 } });
    for (const guess of ['a', 'b', 'c']) await identify(basic('editor', guess));
    expect(await identify(basic('admin', 'islandora'))).toMatchObject({ credentials: 'accepted' });
    for (const guess of ['a', 'b', 'c']) await identify(basic('nobody', guess));
    expect(await identify(basic('admin', 'islandora'))).toMatchObject({ credentials: 'refused' });
    expect(await identify(basic('admin', 'islandora'), '10.0.0.2')).toMatchObject({ credentials: 'accepted' });
  });

  it('A27: clears the counter of the user on success, also when the password was remembered', async () => {
    const { identify } = createTestAccess();
    const wrong = async (count: number): Promise<void> => {
      for (let guess = 0; guess < count; guess += 1) await identify(basic('editor', `wrong${guess}`));
    };
    expect(await identify(basic('editor', 'edi:tör'))).toMatchObject({ credentials: 'accepted' });
    await wrong(4);
    expect(await identify(basic('editor', 'edi:tör'))).toMatchObject({ credentials: 'accepted' });
    await wrong(4);
    expect(await identify(basic('editor', 'edi:tör'))).toMatchObject({ credentials: 'accepted' });
  });

  it('A30: lets parallel guesses no further than the limit', async () => {
    const { identify } = createTestAccess({ flood: { ...limits, userLimit: 2 } });
    const guesses = ['a', 'b', 'edi:tör'].map((guess) => identify(basic('editor', guess)));
    expect((await Promise.all(guesses)).map(({ credentials }) => credentials)).toEqual([
      'refused',
      'refused',
      'refused',
    ]);
  });

  it('takes the same credentials sent at once for one attempt', async () => {
    const { identify } = createTestAccess({ flood: { ...limits, userLimit: 1 } });
    const identities = await Promise.all(Array.from({ length: 200 }, () => identify(basic('editor', 'edi:tör'))));
    expect(identities.every(({ credentials }) => credentials === 'accepted')).toBe(true);
  });

  it('costs next to nothing while the password is remembered', async () => {
    const { identify } = createTestAccess();
    await identify(basic('editor', 'edi:tör'));
    const calls = await scryptCallsIn(async () => {
      for (let request = 0; request < 200; request += 1) await identify(basic('editor', 'edi:tör'));
    });
    expect(calls).toBe(0);
  });

  it('A13, A15: refuses a remembered password once the account is blocked or has another', async () => {
    const { identify, put } = createTestAccess();
    const accepted = { credentials: 'accepted' };
    expect(await identify(basic('editor', 'edi:tör'))).toMatchObject(accepted);
    await put(account(2, 'editor', { active: false, password: editorHash }));
    expect(await identify(basic('editor', 'edi:tör'))).toMatchObject({ credentials: 'refused' });
    await put(account(2, 'editor', { password: editorHash }));
    expect(await identify(basic('editor', 'edi:tör'))).toMatchObject(accepted);
    await put(account(2, 'editor', { password: editorHash.replace(/\$[^$]+$/, '$AAAA') }));
    expect(await identify(basic('editor', 'edi:tör'))).toMatchObject({ credentials: 'refused' });
  });
});

describe('two worlds of a process', () => {
  it('share what they know of a password, but an account changed in one is not let in by the other', async () => {
    const [one, other] = [createTestAccess(), createTestAccess()];
    const header = basic('editor', 'edi:tör');
    expect(await one.identify(header)).toMatchObject({ credentials: 'accepted' });
    expect(await other.identify(header)).toMatchObject({ credentials: 'accepted' });
    await other.put(account(2, 'editor', { password: adminHash }));
    expect(await other.identify(header)).toMatchObject({ credentials: 'refused' });
    expect(await other.identify(basic('editor', 'islandora'))).toMatchObject({ credentials: 'accepted' });
    await other.put(account(2, 'editor', { password: adminHash, active: false }));
    expect(await other.identify(basic('editor', 'islandora'))).toMatchObject({ credentials: 'refused' });
    expect(await one.identify(basic('editor', 'islandora'))).toMatchObject({ credentials: 'refused' });
    expect(await one.identify(header)).toMatchObject({ credentials: 'accepted' });
  });
});
