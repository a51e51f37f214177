/** Worlds in a database, for the tests of stored worlds. */
import type { Database } from '../../../src/team/postgres/database.ts';
import { createRecordCache } from '../../../src/team/postgres/record-cache.ts';
import { openStoredWorld, type StoredWorld, type StoredWorldOptions } from '../../../src/team/postgres/stored-world.ts';
import { changeText, emptyChange } from '../../../src/team/postgres/world-row.ts';
import { testModel } from '../../storage/records.ts';
import { keyOf } from '../../../src/openapi/openapi-records.ts';

/** Makes a world over a chain of layers, with an empty top of its own. Returns its id. */
export const makeWorld = async (
  database: Database,
  base: { readonly chain?: readonly number[]; readonly counters?: object; readonly totals?: object } = {},
): Promise<number> => {
  const [row] = await database.query<{ id: number }>(
    `with top as (insert into atoll_layers (id, created) values (nextval('atoll_layer_ids'), 0) returning id),
      named as (select nextval('atoll_world_ids') as id)
      insert into atoll_worlds (id, name, chain, counters, totals, created)
      select named.id, 'w' || named.id, array_prepend(top.id, $1::bigint[]), $2::text, $3::text, 0 from top, named returning id`,
    [base.chain ?? [], JSON.stringify(base.counters ?? {}), JSON.stringify(base.totals ?? {})],
  );
  if (row === undefined) throw new Error('no world was made');
  return row.id;
};

/** The world as one process sees it. */
export const openWorld = async (
  database: Database,
  id: number,
  options: Partial<StoredWorldOptions> = {},
): Promise<StoredWorld> => {
  const world = await openStoredWorld(id, {
    database,
    model: testModel,
    readAhead: { withKey: () => [], withRecord: () => ({ keys: [], indexes: [] }) },
    cache: createRecordCache(1_000_000),
    consistency: 'strict',
    process: 'p1',
    ...options,
  });
  if (world === undefined) throw new Error('there is no such world');
  return world;
};

export const keysOf = (entities: readonly Parameters<typeof keyOf>[0][]): string[] => entities.map(keyOf);

/** Gives a world an empty top over a chain, as a reset does. */
export const resetWorld = async (database: Database, id: number, chain: readonly number[] = []): Promise<void> => {
  await database.query(
    `with top as (insert into atoll_layers (id, created) values (nextval('atoll_layer_ids'), 0) returning id)
      update atoll_worlds set chain = array_prepend(top.id, $2::bigint[]), top_used = false, generation = generation + 1,
        seq = seq + 1, counters = '{}', totals = '{}' from top where atoll_worlds.id = $1`,
    [id, chain],
  );
};

/** Freezes the records of a world, as a fork of it does. Resolves with what the fork begins with. */
export const freezeWorld = async (database: Database, id: number): Promise<Parameters<typeof makeWorld>[1]> =>
  database.transaction(async (queries) => {
    const [row] = await queries.query<{ chain: number[]; counters: string; totals: string; seq: number }>(
      'select chain, counters, totals, seq from atoll_worlds where id = $1 for update',
      [id],
    );
    if (row === undefined) throw new Error('there is no such world');
    await queries.query(
      `with top as (insert into atoll_layers (id, created) values (nextval('atoll_layer_ids'), 0) returning id)
        update atoll_worlds set chain = array_prepend(top.id, chain), top_used = false, seq = seq + 1
        from top where atoll_worlds.id = $1`,
      [id],
    );
    await queries.query('insert into atoll_changes (world, seq, payload, at) values ($1, $2, $3, 0)', [
      id,
      row.seq + 1,
      changeText(emptyChange),
    ]);
    return {
      chain: row.chain,
      counters: JSON.parse(row.counters) as object,
      totals: JSON.parse(row.totals) as object,
    };
  });
