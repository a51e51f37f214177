/** Keeps the snapshots of worlds in the database. */
import type { Database, Queries } from './postgres/database.ts';
import { snapshotLimit } from '../server/server-worlds.ts';
import { freezeWorld } from './layers.ts';
import { findWorld, type TeamWorldRow } from './world-rows.ts';
import type { Clock } from '../openapi/openapi-records.ts';
import { notFound, unavailable } from '../openapi/openapi-terms.ts';

export type SnapshotCommands = {
  /** False when it replaced a snapshot of this name. Throws 404 when there is no such world, 503 for too many snapshots. */
  saveSnapshot(world: string, name: string): Promise<boolean>;
  /** False when there is no such snapshot. Throws 404 when there is no such world. */
  deleteSnapshot(world: string, name: string): Promise<boolean>;
  /** By the time at which they were saved. Throws 404 when there is no such world. */
  listSnapshots(world: string): Promise<readonly { readonly name: string; readonly saved: number }[]>;
};

export const createSnapshotCommands = (database: Database, clock: Clock): SnapshotCommands => ({
  saveSnapshot: (world, name) =>
    database.transaction(async (queries) => {
      const now = clock.now();
      const row = await findNamed(queries, { name: world, now, lock: true });
      const [held] = await queries.query<{ count: number; known: number }>(
        'select count(*) as count, count(case when name = $2 then 1 end) as known from atoll_snapshots where world = $1',
        [row.id, name],
      );
      const isNew = held?.known !== 1;
      if (isNew && held !== undefined && held.count >= snapshotLimit) {
        throw unavailable(`There are ${snapshotLimit} snapshots already. Delete some.`);
      }
      const { chain, counters, totals } = await freezeWorld(queries, row, now);
      await queries.query(
        `insert into atoll_snapshots (world, name, chain, counters, totals, saved) values ($1, $2, $3, $4, $5, $6)
          on conflict (world, name) do update set chain = excluded.chain, counters = excluded.counters,
            totals = excluded.totals, saved = excluded.saved`,
        [row.id, name, chain, counters, totals, now],
      );
      return isNew;
    }),
  deleteSnapshot: async (world, name) => {
    const { id } = await findNamed(database, { name: world, now: clock.now() });
    const rows = await database.query('delete from atoll_snapshots where world = $1 and name = $2 returning name', [
      id,
      name,
    ]);
    return rows.length > 0;
  },
  listSnapshots: async (world) => {
    const { id } = await findNamed(database, { name: world, now: clock.now() });
    return database.query('select name, saved from atoll_snapshots where world = $1 order by saved, name', [id]);
  },
});

/** Throws 404 when there is no such world. */
export const findNamed = async (
  queries: Queries,
  wanted: { readonly name: string; readonly now: number; readonly lock?: boolean },
): Promise<TeamWorldRow> => {
  const world = await findWorld(queries, wanted);
  if (world === undefined) throw notFound(`There is no world "${wanted.name}".`);
  return world;
};
