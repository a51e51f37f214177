/** Writes all records of a fixture or an import into a layer of its own. */
import { insertLayer } from './layers.ts';
import { listedRecordModel } from '../repository/repository-content.ts';
import { beginSlices } from '../basics/long-work.ts';
import type { Queries } from './postgres/database.ts';
import { insertListings, listingValues } from './postgres/lists/listings.ts';
import { storedKey } from './postgres/statements.ts';
import { totalName } from './postgres/world-row.ts';
import type { InitialRecords } from '../storage/storage.ts';
import type { FrozenChain } from './world-rows.ts';
import { keyOf, type Entity, collectionRecordType } from '../openapi/openapi-records.ts';
import { unprocessable } from '../openapi/openapi-terms.ts';

/** How many records one statement writes. */
const recordsPerQuery = 1000;

/** When several records have one key, the last one counts. Other requests are answered meanwhile. */
export const writeLayer = async (queries: Queries, initial: InitialRecords, now: number): Promise<FrozenChain> => {
  const entities = lastOfEachKey(initial.entities);
  if (entities.some(({ type }) => type === collectionRecordType))
    throw unprocessable('A team server has no collections, and this has records of them.');
  const layer = await insertLayer(queries, now);
  const counters: Record<string, number> = { ...initial.counters };
  const totals: Record<string, number> = {};
  const slices = beginSlices();
  let portion: Entity[] = [];
  for (const entity of entities) {
    for (const [name, id] of Object.entries(listedRecordModel.countersOf(entity)))
      counters[name] = Math.max(counters[name] ?? 0, id);
    for (const name of [totalName(entity.type), totalName(entity.type, entity.bundle)]) {
      totals[name] = (totals[name] ?? 0) + 1;
    }
    portion.push(entity);
    if (portion.length < recordsPerQuery) continue;
    await writePortion(queries, layer, portion);
    portion = [];
    if (slices.isOver()) await slices.next();
  }
  await writePortion(queries, layer, portion);
  return { chain: [layer], counters: JSON.stringify(counters), totals: JSON.stringify(totals) };
};

/** A fixture has records of its own instead of those that the site brings. */
const lastOfEachKey = (entities: Iterable<Entity>): Entity[] => {
  const byKey = new Map<string, Entity>();
  for (const entity of entities) byKey.set(keyOf(entity), entity);
  return [...byKey.values()];
};

const writePortion = async (queries: Queries, layer: number, portion: readonly Entity[]): Promise<void> => {
  if (portion.length === 0) return;
  await queries.query(
    `insert into atoll_records (layer, type, id, bundle, record)
      select $1::bigint, r.type, r.id, r.bundle, r.record
      from unnest($2::text[], $3::bigint[], $4::text[], $5::text[]) as r (type, id, bundle, record)`,
    [
      layer,
      portion.map(({ type }) => type),
      portion.map(({ id }) => id),
      portion.map(({ bundle }) => bundle),
      portion.map((entity) => JSON.stringify(entity)),
    ],
  );
  const ids = [portion.map(({ type }) => type), portion.map(({ id }) => id), portion.map(({ bundle }) => bundle)];
  await queries.query(insertListings('$1', ['$2', '$3', '$4'], 5), [
    ...[layer, ...ids],
    ...listingValues(portion, listedRecordModel),
  ]);
  const keys = portion.flatMap((entity) =>
    [...new Set(listedRecordModel.indexKeys(entity).map(storedKey))].map((key) => ({
      key,
      type: entity.type,
      id: entity.id,
    })),
  );
  await queries.query(
    `insert into atoll_keys (layer, key, type, id)
      select $1::bigint, k.key, k.type, k.id from unnest($2::text[], $3::text[], $4::bigint[]) as k (key, type, id)`,
    [layer, keys.map(({ key }) => key), keys.map(({ type }) => type), keys.map(({ id }) => id)],
  );
};
