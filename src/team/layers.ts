/** Freezes the records of worlds: forks and snapshots begin with frozen layers. Long chains of layers are merged then. */
import type { Queries } from './postgres/database.ts';
import { listingColumns } from './postgres/lists/listings.ts';
import { changeText, emptyChange } from './postgres/world-row.ts';
import type { FrozenChain, TeamWorldRow } from './world-rows.ts';

/** A longer chain is merged when it is frozen. A read looks into each layer of the chain. */
export const longestChain = 12;

/** How many layers below a merged one are left, at most. */
const layersKept = 7;

/**
 * The records of a locked world as they are now. They never change again: when the top layer has records, the world gets a new one
 * above it. What it costs does not depend on the number of records, but for a chain that has become long.
 */
export const freezeWorld = async (queries: Queries, row: TeamWorldRow, now: number): Promise<FrozenChain> => {
  const { counters, totals } = row;
  if (!row.top_used) return { chain: row.chain.slice(1), counters, totals };
  const chain = row.chain.length > longestChain ? await mergeLayers(queries, row.chain, now) : row.chain;
  await queries.query(
    `with top as (insert into atoll_layers (id, created) values (nextval('atoll_layer_ids'), $2) returning id),
      moved as (update atoll_worlds set chain = array_prepend(top.id, $3::bigint[]), top_used = false, seq = seq + 1
        from top where atoll_worlds.id = $1 returning atoll_worlds.id, seq)
      insert into atoll_changes (world, seq, payload, at) select id, seq, $4, $2 from moved`,
    [row.id, now, chain, changeText(emptyChange)],
  );
  return { chain, counters, totals };
};

/** How many of the upper layers to merge, by the numbers of their rows: the smaller ones, so that no row is copied often. */
export const layersToMerge = (rows: readonly number[]): number => {
  let merged = 1;
  let sum = rows[0] ?? 0;
  for (const [at, count] of rows.entries()) {
    if (at === 0) continue;
    if (rows.length - at <= layersKept && count > 2 * Math.max(sum, 1)) break;
    merged = at + 1;
    sum += count;
  }
  return merged;
};

/** Copies as many rows as the upper layers have: so long a statement may run here, and nowhere else. */
const mergeTimeout = "set local statement_timeout = '10min'";

/** The id of a new layer without records. */
export const insertLayer = async (queries: Queries, now: number): Promise<number> => {
  const [layer] = await queries.query<{ id: number }>(
    "insert into atoll_layers (id, created) values (nextval('atoll_layer_ids'), $1) returning id",
    [now],
  );
  if (layer === undefined) throw new Error('The database has made no layer.');
  return layer.id;
};

const mergeLayers = async (queries: Queries, chain: readonly number[], now: number): Promise<readonly number[]> => {
  await queries.query(mergeTimeout);
  const counts = await queries.query<{ layer: number; rows: number }>(
    'select layer, count(*) as rows from atoll_records where layer = any($1::bigint[]) group by layer',
    // The lowest layer is the largest one as a rule, and never merged: it would have to be counted each time.
    [chain.slice(0, -1)],
  );
  const rowsOf = new Map(counts.map(({ layer, rows }) => [layer, rows]));
  const count = layersToMerge(chain.slice(0, -1).map((layer) => rowsOf.get(layer) ?? 0));
  const [merged, kept] = [chain.slice(0, count), chain.slice(count)];
  const layer = await insertLayer(queries, now);
  // Removals stay: they hide records of the layers below.
  await queries.query(
    `insert into atoll_records (layer, type, id, bundle, record)
      select distinct on (type, id) $1::bigint, type, id, bundle, record from atoll_records
      where layer = any($2::bigint[]) order by type, id, layer desc`,
    [layer, merged],
  );
  await queries.query(
    `insert into atoll_listings (layer, type, id, bundle, ${listingColumns})
      select distinct on (type, id) $1::bigint, type, id, bundle, ${listingColumns} from atoll_listings
      where layer = any($2::bigint[]) order by type, id, layer desc`,
    [layer, merged],
  );
  await queries.query(
    `insert into atoll_keys (layer, key, type, id)
      select distinct $1::bigint, key, type, id from atoll_keys where layer = any($2::bigint[])`,
    [layer, merged],
  );
  return [layer, ...kept];
};
