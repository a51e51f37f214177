/** URL aliases and redirects over restarts, worlds and sites. What is asked and answered: `test/expected/default/aliases-and-redirects.yml`. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { systemIds } from '../../src/server/server.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';

const atoll = await createTestAtoll();
beforeEach(() => atoll.reset());

const post = (path: string, body: object, as: string | undefined = 'admin', on: TestAtoll = atoll) =>
  on.send('POST', `${path}?_format=json`, as).set('Content-Type', 'application/json').send(JSON.stringify(body));
const get = (path: string, as = 'admin', on: TestAtoll = atoll) => on.send('GET', path, as);

const aliasOf = (path: string, alias: string) => ({ path: [{ value: path }], alias: [{ value: alias }] });
const letters = aliasOf('/node/5', '/letters/from-riel');
const makeAlias = (body: object = letters, as?: string) => post('/entity/path_alias', body, as);

const redirectOf = (path: string, uri: string, others: object = {}) => ({
  type: [{ value: 'redirect' }],
  redirect_source: [{ path }],
  redirect_redirect: [{ uri }],
  ...others,
});
const makeRedirect = (body: object, as?: string) => post('/entity/redirect', body, as);

describe('Aliases and redirects', () => {
  const data = mkdtempSync(join(tmpdir(), 'atoll-addresses-'));
  afterAll(() => rm(data, { recursive: true, force: true }));

  it('are there after a restart, and go on with their numbers', async () => {
    // Ids from a seed would draw the same uuids once more after the restart.
    const start = (): Promise<TestAtoll> => createTestAtoll({ open: { data, durability: 'os', ids: systemIds } });
    const close = async (running: TestAtoll): Promise<void> => {
      running.worlds.close();
      await running.world().store.close();
    };
    const before = await start();
    await post('/entity/path_alias', letters, 'admin', before).expect(201);
    await post('/entity/redirect', redirectOf('old', 'internal:/node/5'), 'admin', before).expect(201);
    await close(before);
    const after = await start();
    const seen: readonly Response[] = [
      await get('/letters/from-riel?_format=json', 'admin', after),
      await get('/old', 'admin', after),
    ];
    expect(seen.map(({ status }) => status)).toEqual([200, 301]);
    const [alias, redirect] = [
      await post('/entity/path_alias', aliasOf('/node/1', '/b'), 'admin', after),
      await post('/entity/redirect', redirectOf('older', 'internal:/node/5'), 'admin', after),
    ];
    expect([alias.body, redirect.body]).toMatchObject([{ id: [{ value: 2 }] }, { rid: [{ value: 2 }] }]);
    await close(after);
  });

  it('belong to their world, and go back with it', async () => {
    await makeAlias().expect(201);
    await makeRedirect(redirectOf('old', 'internal:/node/5')).expect(201);
    await atoll.reset();
    expect((await get('/letters/from-riel?_format=json')).status).toBe(404);
    expect((await get('/old')).status).toBe(404);
  });

  it('are not there on a site without these resources', async () => {
    const plain = await createTestAtoll({
      site: (site) => ({
        ...site,
        resources: new Map([...site.resources].filter(([name]) => name !== 'path_alias' && name !== 'redirect')),
      }),
    });
    for (const path of ['/entity/path_alias', '/entity/redirect', '/admin/config/search/redirect/edit/1']) {
      expect((await get(`${path}?_format=json`, 'admin', plain)).status).toBe(404);
    }
  });
});
