/** Finds the records in which a world differs from what it was made from, or from another world, a snapshot or a fixture. */
import { createLruMap } from '../basics/lru-map.ts';
import type { Database, Queries } from './postgres/database.ts';
import type { FrozenRecords } from '../storage/storage.ts';
import type { ServedData } from '../server/server-application.ts';
import type { ComparedRecords, Worlds } from '../server/server-worlds.ts';
import { findSnapshot, madeFrom } from './origins.ts';
import { unknownOrigin, type RegistryParts } from './registry.ts';
import { findNamed } from './snapshots.ts';
import { findWorld } from './world-rows.ts';
import { entityKey, type Entity, type EntityKey } from '../openapi/openapi-records.ts';
import { notFound } from '../openapi/openapi-terms.ts';

type Chain = readonly number[];

/** What a world is compared with. `version` changes with the records. */
type Other = Pick<ComparedRecords, 'from'> & { readonly chain: Chain; readonly version: string };

/** Pages of a long list are asked for one after another: so many comparisons are kept. */
const keptComparisons = 4;

export const createCompare = (parts: RegistryParts & Pick<ServedData, 'blobs'>): Worlds['compare'] => {
  const { database, clock, blobs } = parts;
  const known = createLruMap<string, Promise<ComparedRecords>>(keptComparisons);
  return async (name, from) => {
    const world = await findNamed(database, { name, now: clock.now() });
    const other = await findOther(parts, world.name, from);
    const version = `${versionOf(world)} ${other.version}`;
    const found = known.get(version);
    if (found !== undefined) return { ...(await found), from: other.from };
    const comparing = compareChains(database, other.chain, world.chain).then((records) => ({
      ...{ ...records, bytesBefore: blobs },
      from: other.from,
    }));
    known.set(version, comparing);
    comparing.catch(() => known.delete(version));
    return comparing;
  };
};

const versionOf = (row: { readonly id: number; readonly seq: number }): string => `${row.id}.${row.seq}`;

const findOther = async (
  { database, clock, fixture }: RegistryParts,
  name: string,
  from: string | undefined,
): Promise<Other> => {
  const now = clock.now();
  if (from === undefined) {
    const { frozen, source } = madeFrom(await findNamed(database, { name, now }));
    return { from: source, chain: frozen.chain, version: frozen.chain.join() };
  }
  const world = await findWorld(database, { name: from, now });
  if (world !== undefined) {
    return { from: { kind: 'world', name: from, taken: now }, chain: world.chain, version: versionOf(world) };
  }
  const snapshot = await findSnapshot(database, { name: from, of: name }, now);
  const chain = snapshot?.frozen.chain ?? (await fixture(from))?.chain;
  if (chain === undefined) throw notFound(unknownOrigin(from));
  return { from: snapshot?.source ?? { kind: 'fixture', name: from, taken: null }, chain, version: chain.join() };
};

/** How many ids one statement looks at. */
const idsPerQuery = 20_000;

/** The records that differ, as they are below each chain. What both chains share is not looked at. */
const compareChains = async (
  database: Database,
  before: Chain,
  after: Chain,
): Promise<Pick<ComparedRecords, 'before' | 'after'>> => {
  const [records, recordsAfter] = [new Map<EntityKey, Entity>(), new Map<EntityKey, Entity>()];
  const own = layersNotShared(before, after);
  const types = await database.query<{ type: string; first: number; last: number }>(
    'select type, min(id) as first, max(id) as last from atoll_records where layer = any($1::bigint[]) group by type',
    [own],
  );
  for (const { type, first, last } of types) {
    for (let from = first; from <= last; from += idsPerQuery) {
      for (const row of await differing(database, { own, before, after, type, from })) {
        const key = entityKey(type, row.id);
        if (row.before !== null) records.set(key, parse(row.before));
        if (row.after !== null) recordsAfter.set(key, parse(row.after));
      }
    }
  }
  return { before: frozen(records), after: frozen(recordsAfter) };
};

type Window = {
  readonly own: Chain;
  readonly before: Chain;
  readonly after: Chain;
  readonly type: string;
  readonly from: number;
};

const visible = (chain: string): string =>
  `(select r.record from atoll_records r where r.layer = any(${chain}::bigint[]) and r.type = $4 and r.id = k.id
    order by r.layer desc limit 1)`;

const differing = (
  queries: Queries,
  { own, before, after, type, from }: Window,
): Promise<readonly { readonly id: number; readonly before: string | null; readonly after: string | null }[]> =>
  queries.query(
    `select id, before, after from (
        select k.id, ${visible('$2')} as before, ${visible('$3')} as after from (
          select distinct id from atoll_records where layer = any($1::bigint[]) and type = $4 and id >= $5 and id < $6
        ) k
      ) compared where before is distinct from after`,
    [own, before, after, type, from, from + idsPerQuery],
  );

/** The layers of both chains that the other one does not have. */
const layersNotShared = (one: Chain, other: Chain): Chain => [
  ...one.filter((layer) => !other.includes(layer)),
  ...other.filter((layer) => !one.includes(layer)),
];

const parse = (record: string): Entity => JSON.parse(record) as Entity; // as the store wrote it

const frozen = (records: Map<EntityKey, Entity>): FrozenRecords => ({
  ...{ base: undefined, records, lists: new Map(), counters: new Map(), size: records.size },
});
