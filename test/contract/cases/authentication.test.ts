/** Group A: tokens, passwords, sessions, CSRF. */
import { repositoryOnDisk } from '../../../src/application/application-disk.ts';
import { repositoryWorld } from '../../../src/repository/repository.ts';
import { createHmac, createPublicKey } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import jwt from 'jsonwebtoken';
import { hashPassword } from '../../../src/repository/repository-engine.ts';
import { openWorlds } from '../../../src/server/server-worlds.ts';
import { baseUrl, createIds, createTestAtoll, root, type TestAtoll } from '../../support/atoll.ts';
import {
  anonymous,
  basic,
  bearer,
  cookie,
  get,
  messageOf,
  sendJson,
  visit,
  type Visitor,
} from '../../support/requests.ts';
import { testSigningKey } from '../../support/signing-key.ts';
import { entityKey, type Entity } from '../../../src/openapi/openapi-records.ts';

const guarded = '/media/60?_format=json';
const open = '/node/13?_format=json';
const noCredentials = 'No authentication credentials provided.';

let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll();
});
beforeEach(async () => {
  await atoll.reset();
});

const withHeader = (Authorization: string): Visitor => ({
  label: 'by hand',
  name: undefined,
  headers: { Authorization },
});
const change = (uid: number, make: (account: Entity) => Entity | undefined): Promise<void> => {
  const key = entityKey('user', uid);
  return atoll.world().store.transact([key], (view) => {
    const account = view.get(key);
    const changed = account && make(account);
    return { changes: [changed === undefined ? { remove: key } : { put: changed }], result: undefined };
  });
};
const block = (uid: number): Promise<void> =>
  change(uid, (account) => ({ ...account, fields: { ...account.fields, status: [{ value: false }] } }));

/** Credentials that are refused: known as such where access is needed, anonymous on what is public. Never a 401, never a 5xx. */
const expectRefused = async (visitor: Visitor): Promise<void> => {
  const { status, headers } = await get(atoll, visitor, guarded);
  expect([status, headers['www-authenticate']]).toEqual([403, undefined]);
  expect((await get(atoll, visitor, open)).status).toBe(200);
};

describe('A01–A12: a forged token', () => {
  const seconds = Date.parse('2024-05-01T12:00:00Z') / 1000;
  const claims = {
    ...{ iat: seconds, exp: seconds + 7200, drupal: { uid: '2' }, webid: '2', iss: baseUrl, sub: 'editor' },
    roles: ['authenticated', 'editor'],
  };
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const sign = (payload: object, header: object = {}): string =>
    jwt.sign(payload, testSigningKey, {
      algorithm: 'RS256',
      header: { alg: 'RS256', typ: 'JWT', ...header },
    });
  const without = (name: string): object => Object.fromEntries(Object.entries(claims).filter(([key]) => key !== name));
  const good = sign(claims);
  const [head = '', payload = '', signature = ''] = good.split('.');
  const hs = `${encode({ typ: 'JWT', alg: 'HS256' })}.${payload}`;
  const pem = createPublicKey(testSigningKey).export({ type: 'spki', format: 'pem' });
  const mac = (key: string): string => createHmac('sha256', key).update(hs).digest('base64url');

  it('would be let in if it were right', async () => {
    expect((await get(atoll, withHeader(`Bearer ${good}`), guarded)).status).toBe(200);
  });

  it.each([
    ...['none', 'None', 'nOnE', 'NONE'].flatMap((alg): [string, string][] => [
      [`A01: alg ${alg}`, `${encode({ alg })}.${payload}.`],
      [`A01: alg ${alg}, without the dot`, `${encode({ alg })}.${payload}`],
      [`A01: alg ${alg}, signed`, `${encode({ alg })}.${payload}.${signature}`],
    ]),
    ['A02: HS256 by the public key', `${hs}.${mac(pem.toString())}`],
    ['A02: HS256 by the public key without its last line break', `${hs}.${mac(pem.toString().trim())}`],
    ['A03: RS512', jwt.sign(claims, testSigningKey, { algorithm: 'RS512' })],
    ['A04: expired', sign({ ...claims, exp: seconds - 1 })],
    ['A04: without end', sign(without('exp'))],
    ['A05: not yet', sign({ ...claims, nbf: seconds + 600 })],
    ['A05: of next year', sign({ ...claims, iat: seconds + 31_536_000, exp: seconds + 40_000_000 })],
    ['A06: without iss', sign(without('iss'))],
    ['A07: another payload', `${head}.${encode({ ...claims, webid: '1', sub: 'admin' })}.${signature}`],
    ['A07: no signature', `${head}.${payload}.`],
    ['A07: padded', `${good}==`],
    ['A07: five parts', `${good}.a.b`],
    ['A08: crit', sign(claims, { crit: ['x'], x: 1 })],
    ['A11: 4 KB', sign({ ...claims, filler: 'x'.repeat(4096) })],
    ['A11: 15 KB', `${head}.${'x'.repeat(14_000)}.${signature}`],
    ['A12: unknown uid', sign({ ...claims, webid: '99' })],
    ['A12: uid and name of two', sign({ ...claims, webid: '1' })],
    ['A12: uid 0', sign({ ...claims, webid: '0', sub: '' })],
    ['A12: uid as a list', sign({ ...claims, webid: ['1'] })],
    ['A12: uid -1', sign({ ...claims, webid: -1 })],
  ])('%s is 403 where access is needed, and anonymous elsewhere', async (_what, token) => {
    await expectRefused(withHeader(`Bearer ${token}`));
  });

  it.each(['../../dev/null', "' OR 1=1", 'x'.repeat(2000), 7, {}, '__proto__'])(
    'A09, A10: kid %j, jku and jwk are passed over: the key is our own',
    async (kid) => {
      const foreign = { kid, jku: 'http://evil.example/k', x5u: 'http://evil.example/x', jwk: { kty: 'oct', k: 'AA' } };
      expect((await get(atoll, withHeader(`Bearer ${sign(claims, foreign)}`), guarded)).status).toBe(200);
    },
  );
});

describe('A13–A16: what ends a token, a session, a remembered password', () => {
  const credentials = async (name: string): Promise<Visitor[]> => {
    const all = [basic(name), await bearer(atoll, name), await cookie(atoll, name)];
    for (const visitor of all) expect((await get(atoll, visitor, guarded)).status).toBe(200);
    return all;
  };

  it('A13: a blocked account is refused on the next request, by every provider', async () => {
    const all = await credentials('viewer');
    await block(3);
    for (const visitor of all) await expectRefused(visitor);
  });

  it('A14: a role taken away counts at once, whatever the token says', async () => {
    const all = await credentials('viewer');
    await change(3, (account) => ({ ...account, fields: { ...account.fields, roles: [] } }));
    for (const visitor of all) {
      expect(messageOf(await get(atoll, visitor, guarded))).toBe(
        "The 'view media' permission is required when the media item is published.",
      );
    }
  });

  it('A15: a new password ends Basic and the session; a deleted account everything', async () => {
    const [byBasic, , byCookie] = await credentials('viewer');
    const password = await hashPassword('new', Buffer.alloc(16, 1));
    await change(3, (account) => ({ ...account, password }));
    for (const visitor of [byBasic, byCookie]) await expectRefused(visitor ?? anonymous);
    expect((await get(atoll, basic('viewer', 'new'), guarded)).status).toBe(200);
    const again = [basic('editor'), await bearer(atoll, 'editor'), await cookie(atoll, 'editor')];
    await change(2, () => undefined);
    for (const visitor of again) await expectRefused(visitor);
  });

  it('A16, A33: a session ends with its logout, and a login never takes an id from outside', async () => {
    const first = await cookie(atoll, 'viewer');
    const planted = atoll.world().access.cookieName;
    const login = await atoll
      .send('POST', '/user/login?_format=json')
      .set({ 'Content-Type': 'application/json', Cookie: `${planted}=planted` })
      .send({ name: 'viewer', pass: 'viewer' });
    expect(login.get('Set-Cookie')?.[0]).not.toContain('planted');
    const { logout_token } = login.body as { logout_token: string }; // checked against the document
    const headers = { Cookie: login.get('Set-Cookie')?.[0]?.split(';')[0] ?? '' };
    const second: Visitor = { label: 'second', name: 'viewer', headers };
    expect((await visit(atoll, second, 'POST', `/user/logout?_format=json&token=${logout_token}`)).status).toBe(204);
    await expectRefused(second);
    expect((await get(atoll, first, guarded)).status).toBe(200);
    await expectRefused({ ...first, headers: { Cookie: `${planted}=planted` } });
  });
});

describe('A17: GET /jwt/token', () => {
  it('is 401 to anonymous, 403 to the refused, 200 to every provider, and kept by nobody', async () => {
    expect((await get(atoll, anonymous, '/jwt/token')).status).toBe(401);
    expect((await get(atoll, basic('viewer', 'wrong'), '/jwt/token')).status).toBe(403);
    for (const visitor of [basic('viewer'), await bearer(atoll, 'viewer'), await cookie(atoll, 'viewer')]) {
      const { status, headers } = await get(atoll, visitor, '/jwt/token');
      expect([status, headers['cache-control']]).toEqual([200, 'must-revalidate, no-cache, private']);
    }
  });
});

describe('A20, A21, A22: where credentials are looked for', () => {
  it('A20: a token in the query, the body or a cookie is passed over', async () => {
    const token = (await bearer(atoll, 'admin')).headers['Authorization']?.slice('Bearer '.length) ?? '';
    for (const name of ['access_token', 'token', 'jwt', 'authorization']) {
      expect((await get(atoll, anonymous, `${guarded}&${name}=${token}`)).status).toBe(401);
      expect((await get(atoll, anonymous, guarded).set('Cookie', `${name}=${token}`)).status).toBe(401);
    }
    const sent = { access_token: token, type: [{ target_id: 'islandora_object' }] };
    expect((await sendJson(atoll, anonymous, 'POST', '/node', sent)).status).toBe(401);
  });

  it('A21: Basic is known in any case, Bearer to the letter; what is no credential is challenged', async () => {
    const { headers } = await bearer(atoll, 'viewer');
    const token = headers['Authorization']?.slice('Bearer '.length) ?? '';
    const pair = basic('viewer').headers['Authorization']?.slice('Basic '.length) ?? '';
    for (const line of [`Bearer ${token}`, `basic ${pair}`, `BASIC  ${pair}`]) {
      expect((await get(atoll, withHeader(line), guarded)).status).toBe(200);
    }
    const schemes = ['Basic', 'Bearer', 'Digest x', `bearer ${token}`, `BEARER ${token}`, `Bearer${token}`];
    for (const line of [...schemes, 'Basic ', 'Bearer ', token, 'Basic !!!', 'Basic YQ==']) {
      const response = await get(atoll, withHeader(line), guarded);
      expect([response.status, messageOf(response)]).toEqual([401, noCredentials]);
    }
    for (const line of ['Bearer x', `Bearer  ${token}`]) await expectRefused(withHeader(line));
  });

  it.each([
    ['no colon', 'viewer', 401],
    ['no user', ':viewer', 403],
    ['neither', ':', 403],
    ['no password', 'viewer:', 403],
    ['a NUL', 'viewer\0:viewer', 403],
    ['a line break', 'viewer:viewer\r\nX: y', 403],
    ['Latin-1', Buffer.from('vi\xe9wer:x', 'latin1'), 403],
    ['10 KB', `viewer:${'x'.repeat(7000)}`, 403],
    ['another password of the same 72 bytes', `viewer:${'viewer'.padEnd(72, '\u0001')}`, 403],
  ])('A22, A32: Basic with %s is no credential or a wrong one', async (_what, pair, status) => {
    expect((await get(atoll, withHeader(`Basic ${Buffer.from(pair).toString('base64')}`), guarded)).status).toBe(
      status,
    );
  });

  it('A22: Basic takes UTF-8 and colons in a password', async () => {
    const password = await hashPassword('pä:ss:wörd', Buffer.alloc(16, 2));
    await change(3, (account) => ({ ...account, password }));
    expect((await get(atoll, basic('viewer', 'pä:ss:wörd'), guarded)).status).toBe(200);
  });

  it('A23, A24: a wrong password is 403 without a challenge, and the anonymous view of what is public', async () => {
    await expectRefused(basic('viewer', 'wrong'));
    expect((await get(atoll, anonymous, guarded)).headers['www-authenticate']).toBe('Basic realm="Contract Site"');
  });

  it('A26: Authorization decides over the cookie; the CSRF token of the cookie is asked for all the same', async () => {
    const session = await cookie(atoll, 'plain');
    const both: Visitor = {
      label: 'both',
      name: 'viewer',
      headers: { ...session.headers, ...basic('viewer').headers },
    };
    expect((await get(atoll, both, guarded)).status).toBe(200);
    expect(
      (await get(atoll, { ...both, headers: { ...both.headers, ...basic('viewer', 'x').headers } }, guarded)).status,
    ).toBe(403);
    const mighty = { ...both, headers: { ...session.headers, ...basic('admin').headers } };
    expect(messageOf(await visit(atoll, mighty, 'DELETE', '/node/13'))).toBe('X-CSRF-Token request header is missing');
    expect((await visit(atoll, { ...mighty, token: session.token ?? '' }, 'DELETE', '/node/13')).status).toBe(204);
  });
});

describe('A27, A28, A31: guesses', () => {
  it('five wrong passwords shut the right one out for six hours; nobody else; whatever X-Forwarded-For says', async () => {
    for (let guess = 0; guess < 5; guess += 1) {
      const asked = get(atoll, basic('viewer', `wrong${guess}`), guarded).set('X-Forwarded-For', `10.0.0.${guess}`);
      expect((await asked).status).toBe(403);
    }
    expect((await get(atoll, basic('viewer'), guarded).set('X-Forwarded-For', '10.9.9.9')).status).toBe(403);
    expect((await get(atoll, basic('editor'), guarded)).status).toBe(200);
    atoll.clock.advance(6 * 3600);
    expect((await get(atoll, basic('viewer'), guarded)).status).toBe(200);
  });

  it('a success in between starts the count again', async () => {
    for (let round = 0; round < 2; round += 1) {
      for (let guess = 0; guess < 4; guess += 1) await get(atoll, basic('viewer', `wrong${guess}`), guarded);
      expect((await get(atoll, basic('viewer'), guarded)).status).toBe(200);
    }
  });

  it('A31: an unknown, a blocked and a mistyped account get the same answer', async () => {
    const answers = await Promise.all(
      [basic('nobody', 'x'), basic('blocked'), basic('viewer', 'x')].map((visitor) => get(atoll, visitor, guarded)),
    );
    expect(
      new Set(answers.map(({ status, headers, text }) => JSON.stringify([status, { ...headers, date: '' }, text])))
        .size,
    ).toBe(1);
  });
});

describe('A34–A39: cookies', () => {
  it('A34: tampered and strange ones are refused or passed over', async () => {
    const name = atoll.world().access.cookieName;
    const session = await cookie(atoll, 'viewer');
    for (const Cookie of [`${name}=x`, `${session.headers['Cookie'] ?? ''}x`, `${name}=`]) {
      await expectRefused({ label: Cookie, name: undefined, headers: { Cookie } });
    }
    for (const Cookie of ['__proto__=x', ';;;', '=', 'a', `constructor=${'x'.repeat(3000)}`]) {
      expect((await get(atoll, { label: Cookie, name: undefined, headers: { Cookie } }, guarded)).status).toBe(401);
    }
  });

  it('A36: writes need the token of this very session; reads, uploads and other providers need none', async () => {
    const { headers, token = '' } = await cookie(atoll, 'admin');
    const other = await cookie(atoll, 'editor');
    const session: Visitor = { label: 'session', name: 'admin', headers };
    const write = (visitor: Visitor, method: string, csrf: Record<string, string> = {}) =>
      visit(atoll, visitor, method, method === 'POST' ? '/node' : '/node/13')
        .set({ ...csrf, 'Content-Type': 'application/json' })
        .send(
          JSON.stringify({
            type: [{ target_id: 'islandora_object' }],
            title: [{ value: 'x' }],
            field_model: [{ target_id: 24 }],
          }),
        );
    for (const method of ['POST', 'PATCH', 'DELETE']) {
      expect(messageOf(await write(session, method))).toBe('X-CSRF-Token request header is missing');
      for (const wrong of ['x', other.token ?? '', `${token}x`]) {
        const response = await write(session, method, { 'X-CSRF-Token': wrong });
        expect([response.status, messageOf(response)]).toEqual([403, 'X-CSRF-Token request header is invalid']);
      }
    }
    for (const method of ['GET', 'HEAD', 'OPTIONS'])
      expect((await visit(atoll, session, method, open)).status).toBe(200);
    const put = visit(atoll, session, 'PUT', '/media/60/source').set('Content-Type', 'image/png');
    expect((await put.send('bytes')).status).toBe(204);
    expect((await write(basic('admin'), 'PATCH')).status).toBe(200);
    expect((await write(await bearer(atoll, 'admin'), 'PATCH')).status).toBe(200);
    for (const [method, status] of [
      ['POST', 201],
      ['PATCH', 200],
      ['DELETE', 204],
    ] as const) {
      // prettier-ignore
      expect((await write(session, method, { 'X-CSRF-Token': token })).status).toBe(status);
    }
  });

  it('A37: a form of another site is 415 or 403, and nothing is stored', async () => {
    const { headers } = await cookie(atoll, 'admin');
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const posted = visit(atoll, { label: 'form', name: 'admin', headers }, 'POST', '/node').set('Content-Type', type);
      expect((await posted.send('{"type":[{"target_id":"islandora_object"}]}')).status).toBe(415);
    }
    expect((await get(atoll, basic('admin'), '/node/31?_format=json')).status).toBe(404);
  });

  it('A39: a session that is over stays over when the clock goes back', async () => {
    const session = await cookie(atoll, 'viewer');
    atoll.clock.advance(2_000_000);
    await expectRefused(session);
    atoll.clock.advance(-2_000_000);
    await expectRefused(session);
  });
});

describe('A40: what is told to the log', () => {
  it('and to other people holds no password, token or cookie', async () => {
    const secrets = ['islandora', 'sesame-open'];
    const token = await bearer(atoll, 'admin');
    const session = await cookie(atoll, 'admin');
    secrets.push(
      token.headers['Authorization']?.split('.')[2] ?? '',
      session.headers['Cookie']?.split('=')[1] ?? '',
      session.token ?? '',
    );
    const answers = [
      await get(atoll, basic('admin', 'sesame-open'), guarded), await get(atoll, token, '/node/999?_format=json'),
      await visit(atoll, session, 'POST', '/nowhere'), await sendJson(atoll, token, 'POST', '/node', '{'),
      await sendJson(atoll, token, 'POST', '/node', { type: 'sesame' }),
    ]; // prettier-ignore
    const told = JSON.stringify([atoll.events, answers.map(({ text, headers }) => [text, headers])]);
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(5);
      expect(told).not.toContain(secret);
    }
  });
});

describe('A42: after a restart', () => {
  it('a blocked account is blocked still; sessions and counters begin anew', async () => {
    const data = await mkdtemp(join(tmpdir(), 'atoll-a42-'));
    const openAgain = () =>
      openWorlds({
    application: repositoryOnDisk,
        site: atoll.site, baseUrl, data, fixture: join(root, 'data/fixtures/empty'), durability: 'os',
        clock: atoll.clock, ids: createIds(), signingKey: testSigningKey, warn: () => undefined,
      }); // prettier-ignore
    try {
      const before = await openAgain();
      const key = entityKey('user', 3);
      await before.world.store.transact([key], (view) => {
        const account = view.get(key);
        const put = account && { ...account, fields: { ...account.fields, status: [{ value: false }] } };
        return { changes: put === undefined ? [] : [{ put }], result: undefined };
      });
      const login = await repositoryWorld(before.world).access.login('editor', 'editor', '::1');
      const id = login.kind === 'accepted' ? login.session.id : '';
      for (let guess = 0; guess < 6; guess += 1)
        await repositoryWorld(before.world).access.login('plain', 'wrong', '::1');
      expect((await repositoryWorld(before.world).access.login('plain', 'plain', '::1')).kind).toBe('flooded-user');
      await before.close();
      const after = await openAgain();
      expect(repositoryWorld(after.world).access.session(id)).toBeUndefined();
      expect((await repositoryWorld(after.world).access.login('viewer', 'viewer', '::1')).kind).toBe('blocked');
      expect((await repositoryWorld(after.world).access.login('plain', 'plain', '::1')).kind).toBe('accepted');
      await after.close();
    } finally {
      await rm(data, { recursive: true, force: true });
    }
  });
});
