/** What accounts an import makes: in its own world they may have every role, and they are nobody anywhere else. */
import { scryptSync } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { writtenText } from '../../../src/basics/records/record-form.ts';
import { tarEnd, tarFile } from '../../support/tar.ts';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { basic } from '../../support/requests.ts';
import type { Entity } from '../../../src/openapi/openapi-records.ts';

let atoll: TestAtoll;
let secret: string;
beforeAll(async () => {
  atoll = await createTestAtoll({ fixture: 'empty' });
  const made = await atoll.send('POST', '/_atoll/tokens').send({ name: 'ci', right: 'worlds', prefix: 'ci-' });
  secret = (made.body as { secret: string }).secret; // held to the schema by the engine
  atoll.worlds.drop('other');
  await atoll.worlds.fork({ name: 'other' });
});
beforeEach(async () => {
  atoll.worlds.drop('ci-x');
  await atoll.worlds.fork({ name: 'ci-x' });
});

const hashOf = (password: string): string => {
  const salt = Buffer.alloc(16, password);
  const hash = scryptSync(password, salt, 32, { N: 2, r: 1, p: 1 });
  return `scrypt$2$1$1$${salt.toString('base64')}$${hash.toString('base64')}`;
};

/** The accounts of a world with the administrator under another hash, and a new administrator beside it. */
const accounts = async (password: string): Promise<readonly Entity[]> => {
  const { entities } = await atoll.worlds.main.world.store.list('user', { offset: 0, limit: 100 });
  return entities.flatMap((account) => {
    if (account.id !== 1) return [account];
    const fields = { ...account.fields, name: [{ value: 'climber' }], roles: [{ target_id: 'administrator' }] };
    const climber = { ...account, id: 90, uuid: '00000000-0000-4000-8000-000000000090', fields, password };
    return [
      { ...account, password },
      { ...climber, fields: { ...fields, uid: [{ value: 90 }], uuid: [{ value: climber.uuid }] } },
    ];
  });
};

/** Imports accounts into the world of the token, as a pipeline on another machine does. */
const importAccounts = async (password: string) => {
  const files = (await accounts(password)).flatMap((account) => [
    ...tarFile(`user/${account.id}.json`, writtenText(account)),
  ]);
  const head = tarFile('export.json', writtenText({ format: 1, name: 'x', counters: { user: 90 } }));
  return atoll
    .send('POST', '/~ci-x/_atoll/import')
    .set({ 'Atoll-Control': secret, 'X-Forwarded-For': '192.0.2.1' })
    .type('application/x-tar')
    .send(Buffer.concat([...head, ...files, tarEnd()]));
};

/** Reads an account, which an administrator may. */
const readAccount = async (prefix: string, headers: Record<string, string>): Promise<number> =>
  (await atoll.send('GET', `${prefix}/user/2?_format=json`).set(headers)).status;

const elsewhere = ['', '/~other'];

describe('Accounts that a token for worlds of a prefix imports', () => {
  it.each(['climber', 'admin'])('act as administrators in that world and nowhere else: %s', async (name) => {
    expect((await importAccounts(hashOf('imported'))).status).toBe(200);
    const { headers } = basic(name, 'imported');
    expect(await readAccount('/~ci-x', headers)).toBe(200);
    const issued = await atoll.send('GET', '/~ci-x/jwt/token?_format=json').set(headers);
    const { token } = issued.body as { token: string }; // held to the schema by the engine
    const login = await atoll.send('POST', '/~ci-x/user/login?_format=json').send({ name, pass: 'imported' });
    const { csrf_token: csrf } = login.body as { csrf_token: string }; // held to the schema by the engine
    const Cookie = (login.get('Set-Cookie') ?? [])[0]?.split(';')[0] ?? '';
    expect(await readAccount('/~ci-x', { Authorization: `Bearer ${token}` })).toBe(200);
    expect(await readAccount('/~ci-x', { Cookie, 'X-CSRF-Token': csrf })).toBe(200);
    for (const prefix of elsewhere) {
      expect([401, 403]).toContain(await readAccount(prefix, headers));
      expect([401, 403]).toContain(await readAccount(prefix, { Authorization: `Bearer ${token}` }));
      expect([401, 403]).toContain(await readAccount(prefix, { Cookie, 'X-CSRF-Token': csrf }));
    }
  });

  it('open nothing of the control interface', async () => {
    await importAccounts(hashOf('imported'));
    for (const path of ['/_atoll/tokens', '/_atoll/export', '/~ci-x/_atoll/export']) {
      const asked = atoll.send('GET', path).set({ ...basic('climber', 'imported').headers });
      expect((await asked.set('X-Forwarded-For', '192.0.2.1')).status).toBe(403);
    }
  });
});

describe('A password that an import changes', () => {
  it('is valid in that world alone, and the one before everywhere else', async () => {
    // Both have been right before, so that what remembers right passwords knows them.
    for (const prefix of ['/~ci-x', ...elsewhere]) expect(await readAccount(prefix, basic('admin').headers)).toBe(200);
    await importAccounts(hashOf('imported'));
    expect(await readAccount('/~ci-x', basic('admin', 'imported').headers)).toBe(200);
    expect([401, 403]).toContain(await readAccount('/~ci-x', basic('admin').headers));
    for (const prefix of elsewhere) {
      expect([401, 403]).toContain(await readAccount(prefix, basic('admin', 'imported').headers));
      expect(await readAccount(prefix, basic('admin').headers)).toBe(200);
    }
  });

  it('is the one before again after a reset, and goes along with a fork', async () => {
    await importAccounts(hashOf('imported'));
    atoll.worlds.drop('ci-y');
    await atoll.worlds.fork({ name: 'ci-y', from: 'ci-x' });
    await atoll.worlds.reset('ci-x');
    expect([401, 403]).toContain(await readAccount('/~ci-x', basic('admin', 'imported').headers));
    expect(await readAccount('/~ci-x', basic('admin').headers)).toBe(200);
    expect(await readAccount('/~ci-y', basic('admin', 'imported').headers)).toBe(200);
  });
});

describe('A hash that an import brings', () => {
  const rest = `${Buffer.alloc(16).toString('base64')}$${Buffer.alloc(32).toString('base64')}`;
  it.each([
    ['that would hold up every login for hours', `scrypt$131072$1$131070$${rest}`],
    ['that takes more memory than a login may', `scrypt$16777216$8$1$${rest}`],
    ['of no bytes, which every password has', `scrypt$2$1$1$${Buffer.alloc(16).toString('base64')}$A`],
    ['of another kind', '$2y$10$abcdefghijklmnopqrstuv'],
  ])('%s is refused: 422', async (_what, password) => {
    const refused = await importAccounts(password);
    expect(refused.status).toBe(422);
    const { message } = refused.body as { message: string }; // held to the schema by the engine
    expect(message).toMatch(/^The archive does not fit the site: user\/1\.json line \d+: password: /);
    expect(message).not.toContain(password);
    expect(await readAccount('/~ci-x', basic('admin').headers)).toBe(200);
  });
});
