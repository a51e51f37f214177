/** The entity store in IndexedDB: memory holds the published records, and each batch is one transaction. */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import {
  createBatchedEntityStore,
  type BatchWriter,
  type ChangeSet,
  changedKey,
  type RecordSet,
} from '../../storage/storage-driver.ts';
import { type JournalEntityStore, createRecordSet } from '../../storage/storage.ts';
import type { Database } from './database.ts';
import { keyOf, type Entity, type RecordModel, type Counters } from '../../openapi/openapi-records.ts';
import { Problem } from '../../openapi/openapi-terms.ts';

/** As the store of a directory, in one transaction each; what cannot be in a browser is left out. */
export type IndexedDbEntityStore = Pick<
  JournalEntityStore,
  'store' | 'isNew' | 'fill' | 'freeze' | 'replace' | 'isOutOfSpace'
> & {
  statistics(): { readonly records: number };
  /** Whether the last batch failed for another reason than space. */
  hasLastWriteFailed(): boolean;
};

/**
 * Reads all records. Rejects with `ConfigurationError` when one of them is damaged. Acknowledged changes survive the end of the
 * page, of the browser and, as far as the browser keeps its promise of `durability: 'strict'`, a power cut.
 */
export const openIndexedDbEntityStore = async (
  database: Database,
  model: RecordModel,
): Promise<IndexedDbEntityStore> => {
  const { records, written } = await readRecords(database, model);
  const isNew = records.size() === 0 && written.size === 0;
  const writer = createWriter(database, written, model);
  let current = { records, ...createBatchedEntityStore(records, model, writer.batches) };
  const publish = (next: RecordSet): void => {
    current = { records: next, ...createBatchedEntityStore(next, model, writer.batches) };
  };
  return {
    get store() {
      return current.store;
    },
    isNew,
    fill: async (entities, counters) => {
      if (!isNew || current.records.size() > 0) throw new Error('Only a new repository can be filled.');
      const filled = createRecordSet(model);
      for (const entity of entities) filled.apply({ put: entity });
      filled.raise(counters);
      await writer.replaceAll(filled);
      publish(filled);
    },
    freeze: () => current.records.freeze(),
    replace: async (frozen) => {
      const before = current;
      const next = createRecordSet(model, frozen);
      await before.suspend();
      try {
        await writer.replaceAll(next);
      } catch (error) {
        before.resume();
        throw error;
      }
      publish(next);
      return before.records.freeze();
    },
    statistics: () => ({ records: current.records.size() }),
    isOutOfSpace: () => writer.batches.isOutOfSpace(),
    hasLastWriteFailed: writer.hasLastFailed,
  };
};

/** The records, and the counters as they stand in the database. */
const readRecords = async (database: Database, model: RecordModel) => {
  const found = await database.read(['records', 'counters'], (store) => {
    const keys = store('records').getAllKeys();
    const entities = store('records').getAll();
    const names = store('counters').getAllKeys();
    const values = store('counters').getAll();
    // Every key is a name that this file gave.
    return () => ({
      keys: keys.result as string[],
      entities: entities.result as Entity[],
      names: names.result as string[],
      values: values.result as unknown[],
    });
  });
  const records = createRecordSet(model);
  for (const [at, entity] of found.entities.entries()) {
    if (keyOf(entity) !== found.keys[at]) throw damaged(database, found.keys[at] ?? '');
    records.apply({ put: entity });
  }
  const written = new Map<string, number>();
  for (const [at, value] of found.values.entries()) {
    const name = found.names[at] ?? '';
    if (typeof value !== 'number') throw damaged(database, `the counter ${name}`);
    written.set(name, value);
  }
  records.raise(Object.fromEntries(written));
  return { records, written };
};

const damaged = ({ name }: Database, what: string): ConfigurationError =>
  new ConfigurationError(`The repository "${name}" is damaged at ${what}. Delete it, or name another one.`);

/** Writes batches. `written`: the counters in the database, which it keeps up to date. */
const createWriter = (database: Database, written: Map<string, number>, model: RecordModel) => {
  let isOutOfSpace = false;
  let hasLastFailed = false;

  const attempt = async (write: () => Promise<void>): Promise<void> => {
    try {
      await write();
      isOutOfSpace = false;
      hasLastFailed = false;
    } catch (error) {
      isOutOfSpace = error instanceof Problem && error.status === 507;
      hasLastFailed = !isOutOfSpace;
      throw error;
    }
  };
  const batches: BatchWriter = {
    encode: (changeSet) => JSON.stringify(changeSet),
    append: (encoded) => attempt(() => append(database, written, encoded, model)),
    isOutOfSpace: () => isOutOfSpace,
    published: () => undefined,
    close: async () => database.close(),
  };
  return {
    batches,
    hasLastFailed: () => hasLastFailed,
    replaceAll: (records: RecordSet) => attempt(() => replaceAll(database, written, records)),
  };
};

const append = async (
  database: Database,
  written: Map<string, number>,
  encoded: readonly string[],
  model: RecordModel,
): Promise<void> => {
  const sets = encoded.map((each) => JSON.parse(each) as ChangeSet); // `encode` made it
  const raised = raisedCounters(sets, written, model);
  await database.write(['records', 'counters'], (store) => {
    const records = store('records');
    for (const change of sets.flatMap(({ changes }) => changes)) {
      if ('put' in change) records.put(change.put, changedKey(change));
      else records.delete(change.remove);
    }
    for (const [name, value] of raised) store('counters').put(value, name);
  });
  for (const [name, value] of raised) written.set(name, value);
};

const replaceAll = async (database: Database, written: Map<string, number>, records: RecordSet): Promise<void> => {
  const counters = Object.entries(records.counters());
  await database.write(['records', 'counters'], (store) => {
    store('records').clear();
    store('counters').clear();
    for (const entity of records.all()) store('records').put(entity, keyOf(entity));
    for (const [name, value] of counters) store('counters').put(value, name);
  });
  written.clear();
  for (const [name, value] of counters) written.set(name, value);
};

/** The counters that the change sets raise. A record that brings its own id raises them too, also when it is removed at once. */
const raisedCounters = (
  sets: readonly ChangeSet[],
  written: ReadonlyMap<string, number>,
  model: RecordModel,
): Map<string, number> => {
  const raised = new Map<string, number>();
  const raise = (counters: Counters): void => {
    for (const [name, value] of Object.entries(counters)) {
      if (value > (raised.get(name) ?? written.get(name) ?? 0)) raised.set(name, value);
    }
  };
  for (const { changes, counters } of sets) {
    raise(counters);
    for (const change of changes) if ('put' in change) raise(model.countersOf(change.put));
  }
  return raised;
};
