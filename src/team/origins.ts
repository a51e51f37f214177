/** Finds in the database what a world can be made from, reset to or compared with: a world, a snapshot, its own fixture. Makes most forks by one statement. */
import { lastingTopics, mainName } from '../openapi/openapi-host.ts';
import type { StateSource } from '../server/server-worlds.ts';
import { freezeWorld } from './layers.ts';
import type { Queries, Statement } from './postgres/database.ts';
import {
  findWorld,
  type FrozenChain,
  isListed,
  type ListedRow,
  type NewWorld,
  sourceOf,
  type TeamWorldRow,
} from './world-rows.ts';

/**
 * `$1` now, `$2` the name of the new world, `$3` that of the origin, `$4` its description, or null for a fork of what the origin was
 * made from; `$5` when the new world expires, `$6` its caches, `$7` topics of the state that go with it. The origin stays locked, so that
 * nobody drops it meanwhile.
 */
const forkStatement: Statement = {
  name: 'atoll_fork',
  text: `with origin as (
      select id, case when $4::text is null then origin_chain else array_remove(chain, chain[1]) end as chain,
        case when $4::text is null then origin_counters else counters end as counters,
        case when $4::text is null then origin_totals else totals end as totals, coalesce($4::text, origin) as source
      from atoll_worlds where name = $3 and ${isListed} and ($4::text is null or not top_used) for update
    ), top as (
      insert into atoll_layers (id, created) select nextval('atoll_layer_ids'), $1::bigint from origin returning id
    ), made as (
      insert into atoll_worlds (id, name, chain, counters, totals, origin, origin_chain, origin_counters, origin_totals,
        created, expires, caches)
      select nextval('atoll_world_ids'), $2::text, array_prepend(top.id, o.chain), o.counters, o.totals, o.source, o.chain,
        o.counters, o.totals, $1::bigint, $5::bigint, $6::text from origin o, top
      on conflict (name) do nothing
      returning id, name, totals, origin, created, expires
    ), state as (
      insert into atoll_state (world, topic, key, value)
        select made.id, s.topic, s.key, s.value from made, origin, atoll_state s
        where s.world = origin.id and s.topic = any($7::text[]) and s.value is not null
    )
    select id, name, totals, origin, created, expires, 0 as snapshots from made`,
};

/** `from` is a world; when left out, the new world is made from what the main world was filled with. */
type QuickFork = Omit<NewWorld, 'origin' | 'source'> & { readonly from: string | undefined };

/**
 * Undefined when nothing was made: there is no such world, it has records of its own that are to be frozen first, or a world has
 * the name, be it one that has expired.
 */
export const forkInOneQuery = async (
  queries: Queries,
  { name, from, now, expires, caches }: QuickFork,
): Promise<ListedRow | undefined> => {
  const source: StateSource | undefined = from === undefined ? undefined : { kind: 'world', name: from, taken: now };
  const described = source === undefined ? null : JSON.stringify(source);
  const topics = source === undefined ? [] : lastingTopics;
  const values = [now, name, from ?? mainName, described, expires, caches, topics];
  const [row] = await queries.query<ListedRow>(forkStatement, values);
  return row;
};

export type TeamOrigin = {
  readonly frozen: FrozenChain;
  readonly source: StateSource;
  /** The world whose clock a fork continues with. When left out: the real time. */
  readonly clockOf?: number;
};

type WantedOrigin = {
  /** When left out: what the main world was filled with. */
  readonly from: string | undefined;
  /** The world whose snapshots `from` may name, in addition to those of the main world. */
  readonly snapshotsOf: string;
};

/** Undefined when the database has nothing of this name. A world is frozen, and locked until the end of the transaction. */
export const findOrigin = async (
  queries: Queries,
  { from, snapshotsOf }: WantedOrigin,
  now: number,
): Promise<TeamOrigin | undefined> => {
  if (from === undefined) {
    const main = await findWorld(queries, { name: mainName, now });
    return main === undefined ? undefined : madeFrom(main);
  }
  const world = await findWorld(queries, { name: from, now, lock: true });
  if (world === undefined) return findSnapshot(queries, { name: from, of: snapshotsOf }, now);
  const frozen = await freezeWorld(queries, world, now);
  return { frozen, source: { kind: 'world', name: from, taken: now }, clockOf: world.id };
};

/** What a world was made from. */
export const madeFrom = (row: TeamWorldRow): TeamOrigin => ({
  frozen: { chain: row.origin_chain, counters: row.origin_counters, totals: row.origin_totals },
  source: sourceOf(row),
});

/** A snapshot of this world, or else of the main world. */
export const findSnapshot = async (
  queries: Queries,
  { name, of }: { readonly name: string; readonly of: string },
  now: number,
): Promise<TeamOrigin | undefined> => {
  const rows = await queries.query<FrozenChain & { readonly owner: string; readonly saved: number }>(
    `select w.name as owner, s.chain, s.counters, s.totals, s.saved from atoll_snapshots s join atoll_worlds w on w.id = s.world
      where s.name = $2 and w.name in ($3, $4) and (w.expires is null or w.expires > $1)`,
    [now, name, of, mainName],
  );
  const found = rows.find(({ owner }) => owner === of) ?? rows[0];
  if (found === undefined) return undefined;
  const { chain, counters, totals, saved } = found;
  return { frozen: { chain, counters, totals }, source: { kind: 'snapshot', name, taken: saved } };
};
