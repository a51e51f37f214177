/** Group A: what is told of secrets, and what a restart leaves. The others are in `expected/default` and in `test/access`. */
import { repositoryOnDisk } from '../../../src/application/application-disk.ts';
import { repositoryWorld } from '../../../src/repository/repository.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openWorlds } from '../../../src/server/server-worlds.ts';
import { baseUrl, createIds, createTestAtoll, root, type TestAtoll } from '../../support/atoll.ts';
import { basic, bearer, cookie, get, sendJson, visit } from '../../support/requests.ts';
import { testSigningKey } from '../../support/signing-key.ts';
import { entityKey } from '../../../src/openapi/openapi-records.ts';

const guarded = '/media/60?_format=json';

let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll();
});
beforeEach(async () => {
  await atoll.reset();
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
