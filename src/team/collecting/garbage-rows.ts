/** Finds and removes rows that nothing needs any more, in portions, so that no statement locks much or takes long. */
import type { Database, Queries } from '../postgres/database.ts';

/** How many rows one statement removes. */
const portion = 5000;

/** The ids of worlds whose time has come, listed or not. */
export const expiredWorlds = async (queries: Queries, now: number): Promise<readonly number[]> => {
  const rows = await queries.query<{ id: number }>('select id from atoll_worlds where expires <= $1 order by expires', [
    now,
  ]);
  return rows.map(({ id }) => id);
};

/** Every layer that a world, a snapshot or a fixture is made of, now or after a reset. */
const namedLayers = `select unnest(chain) as id from atoll_worlds union select unnest(origin_chain) as id from atoll_worlds
  union select unnest(chain) as id from atoll_snapshots union select unnest(chain) as id from atoll_fixtures`;

/** Layers that are of no use. A transaction that goes on may name one of them later, when it read its name before. */
export const unnamedLayers = async (queries: Queries): Promise<readonly number[]> => {
  const rows = await queries.query<{ id: number }>(
    `select l.id from atoll_layers l where not exists (select 1 from (${namedLayers}) named where named.id = l.id) order by l.id`,
  );
  return rows.map(({ id }) => id);
};

/** Tables with rows of a layer, and what identifies a row within the layer. */
const tablesOfLayers = {
  atoll_records: 'type, id',
  atoll_listings: 'type, id',
  atoll_keys: 'key, type, id',
} as const;

/** Removes a layer, unless something names it by now. */
export const collectLayer = async (database: Database, layer: number): Promise<void> => {
  const isNamed = await database.query(`select 1 as named from (${namedLayers}) named where named.id = $1`, [layer]);
  if (isNamed.length > 0) return;
  for (const [table, columns] of Object.entries(tablesOfLayers)) {
    await inPortions(
      database,
      `delete from ${table} where layer = $1 and (${columns}) in
        (select ${columns} from ${table} where layer = $1 limit ${portion}) returning 1 as one`,
      [layer],
    );
  }
  await database.query('delete from atoll_layers where id = $1', [layer]);
};

/** Removes changes that are older than a time. Returns their number. */
export const collectChanges = (database: Database, before: number): Promise<number> =>
  inPortions(
    database,
    `delete from atoll_changes where (world, seq) in
      (select world, seq from atoll_changes where at < $1 limit ${portion}) returning 1 as one`,
    [before],
  );

/** Removes the rows of state values that were removed. The processes have learnt of that from the changes. */
export const collectRemovedState = (database: Database): Promise<number> =>
  inPortions(
    database,
    `delete from atoll_state where value is null and (world, topic, key) in
      (select world, topic, key from atoll_state where value is null limit ${portion}) returning 1 as one`,
    [],
  );

const inPortions = async (database: Database, statement: string, values: readonly unknown[]): Promise<number> => {
  let removed = 0;
  for (;;) {
    const rows = await database.query(statement, values);
    removed += rows.length;
    if (rows.length < portion) return removed;
  }
};
