/** The rows of worlds and snapshots in the database. */
import type { Queries } from './postgres/database.ts';
import { mainName, type CacheMode } from '../openapi/openapi-host.ts';
import type { StateSource } from '../server/server-worlds.ts';

/** Records that never change: ids of layers, the top first, with the counters and totals of the records. */
export type FrozenChain = {
  readonly chain: readonly number[];
  /** JSON: the last id drawn, by counter. */
  readonly counters: string;
  /** JSON: the number of records by type, and by `type/bundle`. */
  readonly totals: string;
};

export type TeamWorldRow = FrozenChain & {
  readonly id: number;
  readonly name: string;
  readonly generation: number;
  readonly seq: number;
  /** Whether the top layer of `chain` has records of its own. */
  readonly top_used: boolean;
  /** JSON of a `StateSource`. */
  readonly origin: string;
  readonly origin_chain: readonly number[];
  readonly origin_counters: string;
  readonly origin_totals: string;
  /** Milliseconds since 1970. */
  readonly created: number;
  readonly expires: number | null;
  readonly caches: CacheMode | null;
};

const columns = `id, name, generation, seq, chain, top_used, counters, totals, origin, origin_chain, origin_counters, origin_totals,
  created, expires, caches`;

/** Names of worlds that no client can address begin so. */
const unlistedPrefix = '#';

export const unlistedName = (uuid: string): string => `${unlistedPrefix}${uuid}`;

/** Of worlds that clients can address, and whose time has not come. `$1` is the time now. */
export const isListed = `name not like '${unlistedPrefix}%' and (expires is null or expires > $1)`;

/** The world of a name. With `lock` its row stays locked until the end of the transaction. */
export const findWorld = async (
  queries: Queries,
  { name, now, lock = false }: { readonly name: string; readonly now: number; readonly lock?: boolean },
): Promise<TeamWorldRow | undefined> => {
  const [row] = await queries.query<TeamWorldRow>(
    `select ${columns} from atoll_worlds where name = $2 and ${isListed}${lock ? ' for update' : ''}`,
    [now, name],
  );
  return row;
};

export type ListedRow = Pick<TeamWorldRow, 'id' | 'name' | 'totals' | 'origin' | 'created' | 'expires'> & {
  readonly snapshots: number;
};

const listedColumns = `id, name, totals, origin, created, expires,
  (select count(*) from atoll_snapshots where atoll_snapshots.world = atoll_worlds.id) as snapshots`;

/** All worlds that clients can address: the main world first, then in the order in which they were made. */
export const listWorlds = (queries: Queries, now: number): Promise<readonly ListedRow[]> =>
  queries.query<ListedRow>(
    `select ${listedColumns} from atoll_worlds where ${isListed} order by (name <> '${mainName}'), id`,
    [now],
  );

export const findListed = async (queries: Queries, name: string, now: number): Promise<ListedRow | undefined> => {
  const [row] = await queries.query<ListedRow>(
    `select ${listedColumns} from atoll_worlds where name = $2 and ${isListed}`,
    [now, name],
  );
  return row;
};

/** The number of worlds besides the main world, and the id of the newest one that there is. */
export const countWorlds = async (queries: Queries): Promise<{ readonly count: number; readonly newest: number }> => {
  const [row] = await queries.query<{ count: number; newest: number }>(
    'select count(*) - 1 as count, max(id) as newest from atoll_worlds where id > 0',
  );
  return row ?? { count: 0, newest: 0 };
};

/** Draws a number for a name. No number is drawn twice, in no process. */
export const drawNameNumber = async (queries: Queries): Promise<number> => {
  const [row] = await queries.query<{ last_name: number }>(
    'update atoll_worlds set last_name = last_name + 1 where id = 0 returning last_name',
  );
  return row?.last_name ?? 0;
};

export type NewWorld = {
  readonly name: string;
  readonly origin: FrozenChain;
  readonly source: StateSource;
  readonly now: number;
  readonly expires: number | null;
  readonly caches: CacheMode | null;
};

/** Makes a world over frozen records, with an empty layer of its own. Undefined when the name is in use. */
export const insertWorld = async (
  queries: Queries,
  { name, origin, source, now, expires, caches }: NewWorld,
): Promise<ListedRow | undefined> => {
  const { chain, counters, totals } = origin;
  const [row] = await queries.query<ListedRow>(
    `with top as (insert into atoll_layers (id, created) values (nextval('atoll_layer_ids'), $1) returning id)
      insert into atoll_worlds (id, name, chain, counters, totals, origin, origin_chain, origin_counters, origin_totals,
        created, expires, caches)
      select nextval('atoll_world_ids'), $2::text, array_prepend(top.id, $3::bigint[]), $4::text, $5::text, $6::text,
        $3::bigint[], $4::text, $5::text, $1::bigint, $7::bigint, $8::text from top
      on conflict (name) do nothing
      returning id, name, totals, origin, created, expires, 0 as snapshots`,
    [now, name, chain, counters, totals, JSON.stringify(source), expires, caches],
  );
  return row;
};

/** Makes room for a new world of this name, when one of the name has expired. */
export const removeExpired = async (queries: Queries, name: string, now: number): Promise<void> => {
  const rows = await queries.query<{ id: number }>('select id from atoll_worlds where name = $1 and expires <= $2', [
    name,
    now,
  ]);
  for (const { id } of rows) await removeWorld(queries, id);
};

/** Tables with rows of a world, besides its own row. */
const partsOfWorld = ['atoll_state', 'atoll_snapshots', 'atoll_changes', 'atoll_traffic', 'atoll_observed_worlds'];

/** The collector removes its layers later. */
export const removeWorld = async (queries: Queries, id: number): Promise<void> => {
  await queries.query('delete from atoll_worlds where id = $1', [id]);
  for (const table of partsOfWorld) await queries.query(`delete from ${table} where world = $1`, [id]);
};

export const sourceOf = ({ origin }: Pick<TeamWorldRow, 'origin'>): StateSource => JSON.parse(origin) as StateSource; // as `insertWorld` wrote it

/** The number of all records. */
export const recordsIn = ({ totals }: Pick<TeamWorldRow, 'totals'>): number =>
  Object.entries(JSON.parse(totals) as Record<string, number>) // as the store writes them
    .filter(([name]) => !name.includes('/'))
    .reduce((sum, [, count]) => sum + count, 0);
