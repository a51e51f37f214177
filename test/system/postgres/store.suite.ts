/** The suite of the port of entity stores on PostgreSQL, and several stores over one world that write at the same time. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../../../src/team/postgres/database.ts';
import { openPostgres } from '../../../src/team/postgres/open-postgres.ts';
import { migrate } from '../../../src/team/postgres/schema.ts';
import type { StoredWorld } from '../../../src/team/postgres/stored-world.ts';
import { describeEntityStore } from '../../storage/entity-store.suite.ts';
import { makeWorld, openWorld } from '../../team/postgres/worlds.ts';
import { article } from '../../storage/records.ts';
import { startPostgres, type Postgres } from '../../support/postgres.ts';
import { count, longOrShort } from './support/counts.ts';
import type { EntityStore } from '../../../src/openapi/openapi-records.ts';

let postgres: Postgres;
let databases: readonly Database[];
beforeAll(async () => {
  postgres = await startPostgres();
  const url = await postgres.database();
  databases = await Promise.all([1, 2, 3].map(() => openPostgres({ url })));
  // All at once, as processes of a rollout do.
  await Promise.all(databases.map(migrate));
});
afterAll(async () => {
  await Promise.all(databases.map((each) => each.close()));
  await postgres.close();
});

const first = (): Database => {
  const [database] = databases;
  if (database === undefined) throw new Error('Not started.');
  return database;
};

describeEntityStore('PostgreSQL', async () => (await openWorld(first(), await makeWorld(first()))).store);

/** A new world as three processes see it. */
const asThree = async (): Promise<readonly StoredWorld[]> => {
  const id = await makeWorld(first());
  return Promise.all(databases.map((database, index) => openWorld(database, id, { process: `p${index}` })));
};

describe('Stores of three processes over one world', () => {
  it('never give an id twice and lose no update', async () => {
    const worlds = await asThree();
    const stores = worlds.map(({ store }) => store);
    const rounds = longOrShort(600, 100);
    await stores[0]?.transact([], () => ({ changes: [{ put: article(1, 'counted', { parent: 0 }) }], result: 0 }));
    const one = async (store: EntityStore): Promise<number> =>
      store.transact(['node:1'], (view) => {
        const node = article(view.nextId('node'), 'new');
        const counted = view.get('node:1');
        const value = Number(counted?.fields['field_member_of']?.[0]?.['target_id'] ?? 0);
        return { changes: [{ put: node }, { put: article(1, 'counted', { parent: value + 1 }) }], result: node.id };
      });
    const ids = await Promise.all(Array.from({ length: rounds }, (_, at) => one(stores[at % 3] as EntityStore)));
    await Promise.all(worlds.map((world) => world.refresh()));
    const seen = await Promise.all(stores.map(async (store) => (await store.getMany(['node:1']))[0]));
    const doubles = rounds - new Set(ids).size;
    await count({
      ...{
        fault: 'three stores draw ids and count in one record',
        rounds,
        acknowledged: rounds * 2,
        unknown: 0,
        reads: 3,
      },
      violations: doubles,
    });
    expect(doubles).toBe(0);
    expect(seen.map((node) => node?.fields['field_member_of'])).toEqual(
      seen.map(() => [expect.objectContaining({ target_id: rounds })]),
    );
  });
});

describe('A pool of connections that are all in use', () => {
  it('lets a call wait for longer than a connection may take to be made, as long as the database answers', async () => {
    const url = await postgres.database();
    const pool = await openPostgres({ url, poolSize: 1, connectTimeoutMs: 1000 });
    const waited = pool.transaction(async (queries) => {
      await queries.query('select pg_sleep(3)');
      return 'done';
    });
    const rows = pool.query<{ one: number }>('select 1 as one');
    expect(await Promise.all([waited, rows])).toEqual(['done', [{ one: 1 }]]);
    await pool.close();
  });

  it('says that the database is busy, not that it cannot be reached, when a statement takes too long', async () => {
    const pool = await openPostgres({ url: await postgres.database(), statementTimeoutMs: 500 });
    await expect(pool.query('select pg_sleep(60)')).rejects.toMatchObject({
      status: 503,
      message: 'The database is too busy at the moment. Try again.',
      headers: { 'Retry-After': '1' },
    });
    await pool.close();
  });
});
