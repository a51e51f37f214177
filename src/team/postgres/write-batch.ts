/** Writes a decided batch: in one statement, or in a transaction when records lose index keys. */
import type { Database, Queries } from './database.ts';
import type { Decided } from './decisions.ts';
import { listingValues } from './lists/listings.ts';
import { dropKeyStatement, storedKey, writeStatement } from './statements.ts';
import { changeText, type WorldChange, type WorldRow } from './world-row.ts';
import type { EntityKey, IndexKeys, RecordModel } from '../../openapi/openapi-records.ts';

/** `row` is the world before the batch, `next` after it. */
type Batch = {
  readonly row: WorldRow;
  readonly next: WorldRow;
  readonly decided: Decided;
  readonly change: WorldChange;
};

/** What records are found by, and listed by. */
type BatchKeys = { readonly model: RecordModel };

/** False when the world has changed since `row`: then nothing is written. `queries` may be those of a transaction. */
export const writeBatch = async (
  queries: Queries,
  database: Database,
  batch: Batch,
  keys: BatchKeys,
): Promise<boolean> => {
  const { added, dropped } = keyChanges(batch.decided, keys.model.indexKeys);
  const [top = 0] = batch.row.chain;
  const write = async (within: Queries): Promise<boolean> => {
    const written = await within.query(writeStatement, writeValues(batch, added, keys));
    if (written.length === 0) return false;
    // One by one, and sent together: a join could read all keys of the layer, because an engine does not know how many those are.
    await Promise.all(dropped.map(({ key, type, id }) => within.query(dropKeyStatement, [top, key, type, id])));
    return true;
  };
  return dropped.length === 0 || queries !== database ? write(queries) : database.transaction(write);
};

/** The values of `writeStatement`. */
const writeValues = (
  { row, next, decided, change }: Batch,
  added: readonly KeyRow[],
  { model }: BatchKeys,
): readonly unknown[] => {
  const [top = 0] = row.chain;
  const records = [...decided.changes].map(([key, { after }]) => ({ ...partsOf(key), after }));
  return [
    ...[
      row.id,
      row.generation,
      row.seq,
      top,
      next.isTopUsed,
      JSON.stringify(next.counters),
      JSON.stringify(next.totals),
    ],
    ...[
      records.map(({ type }) => type),
      records.map(({ id }) => id),
      records.map(({ after }) => after?.bundle ?? null),
    ],
    records.map(({ after }) => (after === undefined ? null : decided.texts.get(after))),
    ...columnsOf(added),
    ...[0, 1, 2].map((column) => change.state.map((each) => each[column])),
    ...[changeText(change), Date.now()],
    ...listingValues(
      records.map(({ after }) => after),
      model,
    ),
  ];
};

type KeyRow = { readonly key: string; readonly type: string; readonly id: number };

/**
 * The rows of `atoll_keys` to add and to remove in the top layer. All keys of a new version are added, because its other version may
 * be in a layer below.
 */
const keyChanges = (decided: Decided, indexes: IndexKeys) => {
  const added: KeyRow[] = [];
  const dropped: KeyRow[] = [];
  for (const [key, { before, after }] of decided.changes) {
    const now = new Set(after === undefined ? [] : indexes(after).map(storedKey));
    const old = new Set(before === undefined ? [] : indexes(before).map(storedKey));
    for (const each of now) added.push({ key: each, ...partsOf(key) });
    for (const each of old) if (!now.has(each)) dropped.push({ key: each, ...partsOf(key) });
  }
  return { added, dropped };
};

const columnsOf = (rows: readonly KeyRow[]): readonly unknown[] => [
  rows.map(({ key }) => key),
  rows.map(({ type }) => type),
  rows.map(({ id }) => id),
];

const partsOf = (key: EntityKey): { readonly type: string; readonly id: number } => {
  const [type = '', id = ''] = key.split(':');
  return { type, id: Number(id) };
};
