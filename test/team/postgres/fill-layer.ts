/** Fills a layer with many records, for fixtures and imports. */
import type { Database, Queries } from '../../../src/team/postgres/database.ts';
import { insertListings, listingValues } from '../../../src/team/postgres/lists/listings.ts';
import { storedKey } from '../../../src/team/postgres/statements.ts';
import { totalName, type Totals } from '../../../src/team/postgres/world-row.ts';
import type { Entity, Counters, RecordModel } from '../../../src/openapi/openapi-records.ts';

/** What is in a filled layer. A world over it begins with these. */
export type FilledLayer = { readonly counters: Counters; readonly totals: Totals; readonly records: number };

/** What records are found by, and listed by. */
export type LayerKeys = { readonly model: RecordModel };

/** How many records one statement writes, and how many characters they have at most, but for the last one. */
const batchRecords = 1000;
const batchCharacters = 4 * 1024 * 1024;

/** How many statements run at once. */
const lanes = 2;

/** From here on the engine's own statistics come too late for the first queries. */
const analysedFrom = 10_000;

/** Makes a layer that no world has yet. The collector removes it when it stays so for long. */
export const newLayer = async (queries: Queries, now: number): Promise<number> => {
  const [row] = await queries.query<{ id: number }>(
    "insert into atoll_layers (id, created) values (nextval('atoll_layer_ids'), $1) returning id",
    [now],
  );
  if (row === undefined) throw new Error('The database has made no layer.');
  return row.id;
};

/**
 * Writes records into an empty layer that nobody reads yet. No key may come twice. Not in one transaction: when it fails, the layer
 * is incomplete and must not be used. Memory holds some thousand records at a time. Rejects with a Problem, or with what
 * `entities` throws.
 */
export const fillLayer = async (
  database: Database,
  layer: number,
  entities: Iterable<Entity> | AsyncIterable<Entity>,
  found: LayerKeys,
): Promise<FilledLayer> => {
  const counters: Record<string, number> = {};
  const totals: Record<string, number> = {};
  let records = 0;
  for await (const batch of inLanes(batchesOf(entities), (batch) => writeBatch(database, layer, batch, found))) {
    for (const { entity } of batch) {
      for (const [name, id] of Object.entries(found.model.countersOf(entity)))
        counters[name] = Math.max(counters[name] ?? 0, id);
      for (const name of [totalName(entity.type), totalName(entity.type, entity.bundle)]) {
        totals[name] = (totals[name] ?? 0) + 1;
      }
    }
    records += batch.length;
  }
  await database.query('update atoll_layers set records = $2 where id = $1', [layer, records]);
  if (records >= analysedFrom) await analyse(database);
  return { counters, totals, records };
};

type Written = { readonly entity: Entity; readonly text: string };

async function* batchesOf(entities: Iterable<Entity> | AsyncIterable<Entity>): AsyncGenerator<readonly Written[]> {
  let batch: Written[] = [];
  let characters = 0;
  for await (const entity of entities) {
    const text = JSON.stringify(entity);
    batch.push({ entity, text });
    characters += text.length;
    if (batch.length < batchRecords && characters < batchCharacters) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Calls `work` for each batch, some at once, and yields the batches whose work is done. */
async function* inLanes<T>(batches: AsyncIterable<T>, work: (batch: T) => Promise<void>): AsyncGenerator<T> {
  const running: Promise<T>[] = [];
  try {
    for await (const batch of batches) {
      const done = work(batch).then(() => batch);
      // Awaited below. A rejection must not count as unhandled until then.
      done.catch(() => undefined);
      running.push(done);
      const [oldest] = running;
      if (running.length < lanes || oldest === undefined) continue;
      void running.shift();
      yield await oldest;
    }
    for (const each of running) yield await each;
  } finally {
    await Promise.allSettled(running);
  }
}

const writeBatch = async (
  database: Database,
  layer: number,
  batch: readonly Written[],
  { model }: LayerKeys,
): Promise<void> => {
  const keys = batch.flatMap(({ entity }) =>
    [...new Set(model.indexKeys(entity).map(storedKey))].map((key) => ({ key, type: entity.type, id: entity.id })),
  );
  await database.query(fillStatement, [
    layer,
    batch.map(({ entity }) => entity.type),
    batch.map(({ entity }) => entity.id),
    batch.map(({ entity }) => entity.bundle),
    batch.map(({ text }) => text),
    keys.map(({ key }) => key),
    keys.map(({ type }) => type),
    keys.map(({ id }) => id),
    ...listingValues(
      batch.map(({ entity }) => entity),
      model,
    ),
  ]);
};

const fillStatement = {
  name: 'atoll_fill',
  text: `with records as (
      insert into atoll_records (layer, type, id, bundle, record)
        select $1::bigint, t.type, t.id, t.bundle, t.record
        from unnest($2::text[], $3::bigint[], $4::text[], $5::text[]) as t(type, id, bundle, record)
    ), listings as (
      ${insertListings('$1', ['$2', '$3', '$4'], 9)}
    )
    insert into atoll_keys (layer, key, type, id)
      select $1::bigint, t.key, t.type, t.id from unnest($6::text[], $7::text[], $8::bigint[]) as t(key, type, id)`,
};

/** Without statistics the engine could read a whole table for one record. It makes them by itself, but only after a minute. */
const analyse = async (database: Database): Promise<void> => {
  for (const table of ['atoll_records', 'atoll_keys', 'atoll_listings']) await database.query(`analyze ${table}`);
};
