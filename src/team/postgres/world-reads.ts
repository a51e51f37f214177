/** Reads records of a chain of layers, each call in one round trip, with the change number of the world at that moment. */
import type { Queries } from './database.ts';
import { loadStatement, pageStatement, storedKey } from './statements.ts';
import { totalName, type Chain, type Totals, type WorldRow } from './world-row.ts';
import {
  entityKey,
  type Entity,
  type EntityKey,
  type IndexKey,
  type IndexKeys,
  type ListOptions,
} from '../../openapi/openapi-records.ts';

/** Where the world was at the moment of a statement. Undefined when there is no such world any more. */
export type Moment = { readonly generation: number; readonly seq: number } | undefined;

/** A record with the characters of its text; both are missing where there is no such record. */
type LoadedRecord = { readonly entity: Entity | undefined; readonly length: number };
type LoadedList = { readonly entities: readonly Entity[]; readonly length: number };

export type Loaded = {
  readonly at: Moment;
  readonly records: ReadonlyMap<EntityKey, LoadedRecord>;
  readonly lookups: ReadonlyMap<IndexKey, LoadedList>;
};

/** What to load. */
export type Wanted = { readonly keys: readonly EntityKey[]; readonly indexes: readonly IndexKey[] };

/** A world and the layers that it has in one generation. */
export type Place = { readonly world: number; readonly chain: Chain };

/** An empty top layer need not be read. */
export const placeOf = ({ id, chain, isTopUsed }: WorldRow): Place => ({
  world: id,
  chain: isTopUsed ? chain : chain.slice(1),
});

type LoadRow = {
  readonly generation: number | null;
  readonly seq: number | null;
  readonly key: string | null;
  readonly type: string | null;
  readonly id: number | null;
  readonly record: string | null;
};

/** Loads records and look-ups. Each that was wanted is in the answer. */
export const load = async (queries: Queries, place: Place, wanted: Wanted, indexes: IndexKeys): Promise<Loaded> => {
  const parts = wanted.keys.map(splitKey);
  const byStored = new Map(wanted.indexes.map((index) => [storedKey(index), index]));
  const rows = await queries.query<LoadRow>(loadStatement, [
    place.world,
    place.chain,
    parts.map(([type]) => type),
    parts.map(([, id]) => id),
    [...byStored.keys()],
  ]);
  const records = new Map<EntityKey, LoadedRecord>();
  const lists = new Map<IndexKey, { entities: Entity[]; length: number }>(
    wanted.indexes.map((index) => [index, { entities: [], length: 0 }]),
  );
  for (const row of rows) {
    if (row.type === null || row.id === null) continue;
    const entity = row.record === null ? undefined : (JSON.parse(row.record) as Entity); // a store wrote it
    const length = row.record?.length ?? 0;
    const index = row.key === null ? undefined : byStored.get(row.key);
    if (row.key === null) records.set(entityKey(row.type, row.id), { entity, length });
    const list = index === undefined ? undefined : lists.get(index);
    // The index table may still hold a key of an earlier version of the record.
    if (index === undefined || list === undefined || entity === undefined || !indexes(entity).includes(index)) continue;
    list.entities.push(entity);
    list.length += length;
  }
  for (const list of lists.values()) list.entities.sort((a, b) => a.id - b.id || (a.type < b.type ? -1 : 1));
  return { at: momentOf(rows[0]), records, lookups: lists };
};

const splitKey = (key: EntityKey): readonly [string, number] => {
  const colon = key.indexOf(':');
  return [key.slice(0, colon), Number(key.slice(colon + 1))];
};

const momentOf = (row: Pick<LoadRow, 'generation' | 'seq'> | undefined): Moment =>
  row?.generation == null || row.seq === null ? undefined : { generation: row.generation, seq: row.seq };

type PageRow = {
  readonly generation: number | null;
  readonly seq: number | null;
  readonly totals: string | null;
  readonly id: number | null;
  readonly record: string | null;
};

/** A page of a list; or, with `after`, the records whose ids come after that one. */
type PageOptions = Omit<ListOptions, 'offset'> & ({ readonly offset: number } | { readonly after: number });

type Page = { readonly at: Moment; readonly total: number; readonly entities: readonly Entity[] };

/** One page of a type's records in ascending id. `total` is that of the world at the same moment. */
export const readPage = async (
  queries: Queries,
  { world, chain }: Place,
  type: string,
  options: PageOptions,
): Promise<Page> => {
  const { bundle } = options;
  const byId = 'after' in options;
  const rows = await queries.query<PageRow>(
    pageStatement({ layers: chain.length, byBundle: bundle !== undefined, byId }),
    [world, type, bundle ?? null, Math.min(options.limit, maxLimit), byId ? options.after : options.offset, ...chain],
  );
  const totals = JSON.parse(rows[0]?.totals ?? '{}') as Totals; // a store wrote it
  const entities = rows.flatMap(({ record }) => (record === null ? [] : [JSON.parse(record) as Entity])); // likewise
  return { at: momentOf(rows[0]), total: totals[totalName(type, bundle)] ?? 0, entities };
};

/** Callers ask for all records with a limit of Infinity or the greatest number. */
const maxLimit = 2 ** 31 - 1;
