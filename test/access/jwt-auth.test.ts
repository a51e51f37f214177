/** The provider `jwt_auth`: tokens that are accepted and refused. */
import { createHash, createHmac, createPublicKey, createSecretKey, createSign, createVerify } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { principalOf } from '../../src/repository/repository.ts';
import { publishedKey } from '../../src/basics/secrets/signing-key.ts';
import { account, admin, basic, createTestAccess, editor, roles, signingKey } from './access-fixture.ts';

const iat = 1_551_737_317;
const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const decode = (part: string | undefined): unknown => JSON.parse(Buffer.from(part ?? '', 'base64url').toString());

/** Signed with the server's own key, whatever it says. */
const sign = (payload: unknown, header: object = {}): string => {
  const input = `${encode({ typ: 'JWT', alg: 'RS256', ...header })}.${encode(payload)}`;
  return `${input}.${createSign('RSA-SHA256').update(input).sign(signingKey.privateKey, 'base64url')}`;
};
const claims = {
  iat,
  exp: iat + 7200,
  drupal: { uid: '2' },
  webid: '2',
  iss: 'http://localhost:8000',
  sub: 'editor',
  roles: ['authenticated', 'editor'],
};
const without = (name: keyof typeof claims): object =>
  Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
const bearer = (token: string): { authorization: string } => ({ authorization: `Bearer ${token}` });
const refused = { credentials: 'refused', provider: 'jwt_auth', principal: { uid: 0 } };
const accepted = { credentials: 'accepted', provider: 'jwt_auth', principal: { uid: 2 } };

describe('a token that was issued', () => {
  it('has the recorded header and claims, in their order', async () => {
    const { access } = createTestAccess({ baseUrl: 'https://localhost:8000' });
    const [header, payload] = (await access.issueToken(principalOf(admin, roles))).split('.');
    const recorded = {
      iat: 1551737317,
      exp: 1551744517,
      drupal: { uid: '1' },
      webid: '1',
      iss: 'https://localhost:8000',
      sub: 'admin',
      roles: ['authenticated', 'administrator', 'fedoraadmin'],
    };
    expect(decode(header)).toEqual({ typ: 'JWT', alg: 'RS256' });
    expect(decode(payload)).toEqual(recorded);
    expect(Object.keys(decode(payload) as object)).toEqual(Object.keys(recorded)); // checked to be an object above
  });

  it('of another time is refused with advice that names both times; a forged one without', async () => {
    const { access, clock, identify } = createTestAccess();
    const token = await access.issueToken(principalOf(editor, roles));
    clock.advance(7200);
    const { advice } = await identify(bearer(token));
    expect(advice).toContain('from 2019-03-04T22:08:37Z until 2019-03-05T00:08:37Z');
    expect(advice).toContain('says 2019-03-05T00:08:37Z');
    clock.advance(-7201);
    expect((await identify(bearer(token))).advice).toContain('says 2019-03-04T22:08:36Z');
    expect(await identify(bearer(token.slice(0, -4)))).not.toHaveProperty('advice');
  });

  it('A13, A14: is looked up on every request: stored roles count, a blocked or renamed account is refused', async () => {
    const { access, identify, put } = createTestAccess();
    const headers = bearer(await access.issueToken(principalOf(editor, roles)));
    expect((await identify(headers)).principal.permissions.has('create media')).toBe(true);
    await put(account(2, 'editor'));
    expect((await identify(headers)).principal.permissions.has('create media')).toBe(false);
    await put(account(2, 'editor', { active: false }));
    expect(await identify(headers)).toMatchObject(refused);
    await put(account(2, 'redactor'));
    expect(await identify(headers)).toMatchObject(refused);
  });
});

describe('a Bearer header', () => {
  it.each([
    ['the claims of ours', sign(claims)],
    ['an unknown kid, jku and jwk, which are ignored', sign(claims, { kid: '../../x', jku: 'http://x', jwk: {} })],
    ['a numeric webid', sign({ ...claims, webid: 2 })],
    ['no iat', sign(without('iat'))],
  ])('is accepted with %s', async (_what, token) => {
    expect(await createTestAccess().identify(bearer(token))).toMatchObject(accepted);
  });

  it.each([
    ['bearer in lower case', `bearer ${sign(claims)}`, 'none'],
    ['BEARER', `BEARER ${sign(claims)}`, 'none'],
    ['no space', `Bearer${sign(claims)}`, 'none'],
    ['another scheme', `JWT ${sign(claims)}`, 'none'],
    ['no token', 'Bearer', 'none'],
    ['no token after the space', 'Bearer ', 'none'],
    ['two spaces', `Bearer  ${sign(claims)}`, 'refused'],
    ['a tab behind the space', `Bearer \t${sign(claims)}`, 'refused'],
  ])('A21: is read to the letter, as on the real site: %s', async (_what, authorization, credentials) => {
    expect(await createTestAccess().identify({ authorization })).toMatchObject({ credentials });
  });

  it('in JWT-Authorization is nothing in the time of the contract', async () => {
    const headers = { 'jwt-authorization': `Bearer ${sign(claims)}` };
    expect(await createTestAccess().identify(headers)).toMatchObject({ credentials: 'none' });
  });

  const [header = '', payload = '', signature = ''] = sign(claims).split('.');
  const publicPem = signingKey.publicKey.export({ type: 'spki', format: 'pem' });
  const hs256 = `${encode({ typ: 'JWT', alg: 'HS256' })}.${payload}`;
  it.each([
    ['A01: alg none', `${encode({ alg: 'none' })}.${payload}.`],
    ['A01: alg none and a signature', `${encode({ alg: 'nOnE' })}.${payload}.${signature}`],
    ['A02: HS256 by the public key', `${hs256}.${createHmac('sha256', publicPem).update(hs256).digest('base64url')}`],
    ['A03: alg RS512 in the header', sign(claims, { alg: 'RS512' })],
    ['A04: exp a second ago', sign({ ...claims, exp: iat - 1 })],
    ['A04: no exp', sign(without('exp'))],
    ['A04: exp as a string', sign({ ...claims, exp: String(claims.exp) })],
    ['A04: exp 1e300', sign({ ...claims, exp: 1e300 })],
    ['A05: nbf in ten minutes', sign({ ...claims, nbf: iat + 600 })],
    ['A05: iat in a year', sign({ ...claims, iat: iat + 31_536_000, exp: iat + 40_000_000 })],
    ['A06: no iss', sign(without('iss'))],
    ['A06: iss as a list', sign({ ...claims, iss: ['http://localhost:8000'] })],
    ['A07: another payload', `${header}.${encode({ ...claims, webid: '1', sub: 'admin' })}.${signature}`],
    ['A07: the signature cut', `${header}.${payload}.${signature.slice(0, -4)}`],
    ['A07: no signature', `${header}.${payload}.`],
    [
      'A07: stray bits at the end',
      `${header}.${payload}.${signature.slice(0, -1)}${signature.endsWith('B') ? 'C' : 'B'}`,
    ],
    ['A07: padding', `${header}.${payload}.${signature}==`],
    ['A07: a space', `${header}. ${payload}.${signature}`],
    ['A07: two parts', `${header}.${payload}`],
    ['A07: five parts', `${header}.${payload}.${signature}.a.b`],
    ['A07: a header that is no JSON', `${Buffer.from('{').toString('base64url')}.${payload}.${signature}`],
    ['A07: a header that is null', `${encode(null)}.${payload}.${signature}`],
    ['A07: a header without alg', `${encode({})}.${payload}.${signature}`],
    ['A07: an alg that is a number', sign(claims, { alg: 7 })],
    ['A07: a payload that is a string', sign('admin')],
    ['A07: a payload that is a list', sign([])],
    ['A07: a payload that is null', sign(null)],
    ['A08: an unknown crit', sign(claims, { crit: ['x'], x: 1 })],
    ['A08: b64 false', sign(claims, { b64: false })],
    ['A11: more than 4 KB', sign({ ...claims, filler: 'x'.repeat(4096) })],
    ['A12: an unknown uid', sign({ ...claims, webid: '99' })],
    ['A12: another name', sign({ ...claims, sub: 'admin' })],
    ['A12: uid 0', sign({ ...claims, webid: '0', sub: '' })],
    ['A12: uid as a list', sign({ ...claims, webid: ['2'] })],
    ['R90: no webid', sign(without('webid'))],
    ['R90: no sub', sign(without('sub'))],
    ['R90: no roles', sign(without('roles'))],
    ['nothing of a token', 'x'],
  ])('is refused with %s', async (_what, token) => {
    expect(await createTestAccess().identify(bearer(token))).toMatchObject(refused);
  });
});

describe('a token of today, where the site says so', () => {
  const today = (): ReturnType<typeof createTestAccess> => createTestAccess({ tokensOfToday: true });
  const adminClaims = { ...claims, drupal: { uid: '1' }, webid: '1', sub: 'admin' };

  it('names its audience, and is accepted', async () => {
    const { access, identify } = today();
    const token = await access.issueToken(principalOf(editor, roles));
    expect(decode(token.split('.')[1])).toMatchObject({ aud: ['islandora'], drupal: { uid: '2' }, webid: '2' });
    expect(await identify(bearer(token))).toMatchObject(accepted);
  });

  it.each([
    ['no exp', without('exp'), 2],
    ['exp as a text of digits', { ...claims, exp: String(iat + 60) }, 2],
    ['exp 1e300', { ...claims, exp: 1e300 }, 2],
    ['no iat', without('iat'), 2],
    ['no aud', claims, 2],
    ['our aud among others', { ...claims, aud: ['a', 'islandora'] }, 2],
    ['the account of drupal.uid beside another webid', { ...claims, drupal: { uid: 1 } }, 1],
    ['the same, turned', { ...adminClaims, drupal: { uid: '2' } }, 2],
  ])('is accepted with %s', async (_what, payload, uid) => {
    expect(await today().identify(bearer(sign(payload)))).toMatchObject({ ...accepted, principal: { uid } });
  });

  it.each([
    ['exp a second ago', { ...claims, exp: iat - 1 }],
    ['exp as a text, a second ago', { ...claims, exp: String(iat - 1) }],
    ['iat in an hour', { ...claims, iat: iat + 3600 }],
    ['another aud', { ...claims, aud: ['fedora'] }],
    ['an empty aud', { ...claims, aud: [] }],
    ['aud as a text', { ...claims, aud: 'islandora' }],
    ['no drupal', without('drupal')],
    ['no drupal.uid', { ...claims, drupal: {} }],
    ['drupal.uid of nobody', { ...claims, drupal: { uid: '99' } }],
    ['drupal.uid 0', { ...claims, drupal: { uid: '0' } }],
    ['drupal.uid of a blocked account', { ...claims, drupal: { uid: '5' } }],
    ['no webid', without('webid')],
    ['webid of another name', { ...claims, webid: '1' }],
    ['no roles', without('roles')],
  ])('is refused with %s', async (_what, payload) => {
    expect(await today().identify(bearer(sign(payload)))).toMatchObject(refused);
  });

  it('without exp stays valid for as long as its account does', async () => {
    const { clock, identify, put } = today();
    const headers = bearer(sign(without('exp')));
    const connection = {};
    expect(await identify(headers, '127.0.0.1', connection)).toMatchObject(accepted);
    clock.advance(400 * 86_400);
    expect(await identify(headers, '127.0.0.1', connection)).toMatchObject(accepted);
    await put(account(2, 'editor', { active: false }));
    expect(await identify(headers, '127.0.0.1', connection)).toMatchObject(refused);
  });

  it('may come in JWT-Authorization, beside Basic too, but Authorization: Bearer goes first', async () => {
    const { identify } = today();
    const connection = {};
    const ask = (headers: Record<string, string>) => identify(headers, '127.0.0.1', connection);
    const second = { 'jwt-authorization': `Bearer ${sign(claims)}` };
    expect(await ask(second)).toMatchObject(accepted);
    expect(await ask({ 'jwt-authorization': `Bearer ${sign(adminClaims)}` })).toMatchObject({ principal: { uid: 1 } });
    expect(await ask({ ...second, ...basic('admin', 'islandora') })).toMatchObject(accepted);
    expect(await ask({ ...second, ...bearer(sign(adminClaims)) })).toMatchObject({ principal: { uid: 1 } });
    expect(await ask({ ...second, ...bearer('x') })).toMatchObject(refused);
    expect(await ask({ ...second, authorization: 'Bearer' })).toMatchObject(accepted);
    expect(await ask({ 'jwt-authorization': 'Basic dTpw' })).toMatchObject({ credentials: 'none' });
  });
});

describe('the published keys', () => {
  it('verify a token for a client that knows only their address', async () => {
    const { access } = createTestAccess({ tokensOfToday: true });
    const [head = '', payload = '', signature = ''] = (await access.issueToken(principalOf(editor, roles))).split('.');
    const { kid, alg } = decode(head) as { kid: string; alg: string }; // our own token
    const key = (await access.publishedKeys()).find((each) => each.kid === kid);
    expect(key).toMatchObject({ kty: 'RSA', use: 'sig', alg });
    const publicKey = createPublicKey({ key: { ...key }, format: 'jwk' });
    const isRight = (signed: string): boolean =>
      createVerify('RSA-SHA256').update(signed).verify(publicKey, signature, 'base64url');
    expect([isRight(`${head}.${payload}`), isRight(`${head}.${encode(claims)}`)]).toEqual([true, false]);
  });

  it('have the id that the real site makes, and nothing that is secret', async () => {
    const pem = signingKey.publicKey.export({ type: 'spki', format: 'pem' }).toString().trim();
    const [key, ...others] = await createTestAccess().access.publishedKeys();
    expect([Object.keys(key ?? {}), others]).toEqual([['kty', 'kid', 'use', 'alg', 'n', 'e'], []]);
    expect(key?.kid).toBe(createHash('sha1').update(pem).digest('hex'));
  });

  it.each([
    ['a shared secret', createSecretKey(Buffer.from('between us'))],
    ['a private key', signingKey.privateKey],
  ])('are never %s', (_what, key) => {
    expect(() => publishedKey(key)).toThrow('Only a public RSA key can be published.');
  });

  it('are named in no token of the contract, nor where the site publishes none', async () => {
    for (const options of [{}, { tokensOfToday: true, publishesKeys: false }]) {
      const token = await createTestAccess(options).access.issueToken(principalOf(editor, roles));
      expect(decode(token.split('.')[0])).toEqual({ typ: 'JWT', alg: 'RS256' });
    }
  });
});
