/** Finds in the database what a world can be made from, reset to or compared with: a world, a snapshot, the own fixture. */
import type { Queries } from './postgres/database.ts';
import type { StateSource } from '../server/worlds/saved-state.ts';
import { mainName } from '../core/model/world-name.ts';
import { freezeWorld } from './layers.ts';
import { findWorld, sourceOf, type FrozenChain, type TeamWorldRow } from './world-rows.ts';

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
