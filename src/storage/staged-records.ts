/** Holds changes that are decided but not durable yet, over the published records. The next decision sees both. */
import { putEntity, removeEntity } from './record-layer.ts';
import { changedKey, type RecordSet } from './record-set.ts';
import {
  type Entity,
  type EntityKey,
  type Change,
  type IndexKey,
  type RecordModel,
} from '../openapi/openapi-records.ts';

/** `indexKeys` are the index keys of all versions of the record since staging began. */
type Entry = { readonly entity: Entity | undefined; readonly batch: number; readonly indexKeys: ReadonlySet<IndexKey> };

/** A batch to stage changes for. `touched` gets the keys of the records and indexes that the changes concern. */
type StagedBatch = { readonly number: number; readonly touched: Set<string> };

const none: readonly IndexKey[] = [];

const addAll = (set: Set<string>, keys: Iterable<string>): void => {
  for (const key of keys) set.add(key);
};

/** What staged changes lie over. */
type Published = Pick<RecordSet, 'get' | 'lookup' | 'raise'>;

/**
 * An empty overlay over the published records. Each staged change knows its batch, so that one batch is published while
 * the next fills.
 */
export const createStagedRecords = (published: Published, model: RecordModel) => {
  const entries = new Map<EntityKey, Entry>();
  const touched = createTouchedIndexes();

  const get = (key: EntityKey): Entity | undefined =>
    entries.has(key) ? entries.get(key)?.entity : published.get(key);

  const lookup = (index: IndexKey): readonly Entity[] => {
    const keys = touched.keysUnder(index);
    if (keys === undefined) return published.lookup(index);
    const list = [...published.lookup(index)];
    for (const key of keys) {
      const before = published.get(key);
      const after = entries.get(key)?.entity;
      if (before !== undefined) removeEntity(list, before);
      if (after !== undefined && model.indexKeys(after).includes(index)) putEntity(list, after);
    }
    return list;
  };

  const stageOne = (change: Change, after: readonly IndexKey[], { number, touched: ofBatch }: StagedBatch): void => {
    const key = changedKey(change);
    const before = get(key);
    const indexKeys = new Set(entries.get(key)?.indexKeys);
    addAll(indexKeys, before === undefined ? after : [...model.indexKeys(before), ...after]);
    entries.set(key, { entity: 'put' in change ? change.put : undefined, batch: number, indexKeys });
    touched.add(key, indexKeys);
    addAll(ofBatch.add(key), indexKeys);
    if ('put' in change) published.raise(model.countersOf(change.put));
  };

  return {
    view: { get, lookup },
    keysUnder: touched.keysUnder,
    /** Stages all of the changes or, when the index function throws, none. */
    stage: (changes: readonly Change[], batch: StagedBatch): void => {
      // Called first for all: an index function that throws must not leave half a change set staged.
      const after = changes.map((change) => ('put' in change ? model.indexKeys(change.put) : none));
      changes.forEach((change, at) => stageOne(change, after[at] ?? none, batch));
    },
    /** Drops the entries of a batch that is now published. */
    settle: (changes: readonly Change[], batch: number): void => {
      for (const change of changes) {
        const key = changedKey(change);
        const entry = entries.get(key);
        if (entry?.batch !== batch) continue;
        entries.delete(key);
        touched.drop(key, entry.indexKeys);
      }
    },
    clear: (): void => {
      entries.clear();
      touched.clear();
    },
  };
};

/** For each index key, the entity keys of the staged records that have it or had it since staging began. */
const createTouchedIndexes = () => {
  const touched = new Map<IndexKey, Set<EntityKey>>();
  return {
    keysUnder: (indexKey: IndexKey): ReadonlySet<EntityKey> | undefined => touched.get(indexKey),
    add: (key: EntityKey, indexKeys: Iterable<IndexKey>): void => {
      for (const indexKey of indexKeys) touched.set(indexKey, (touched.get(indexKey) ?? new Set()).add(key));
    },
    drop: (key: EntityKey, indexKeys: Iterable<IndexKey>): void => {
      for (const indexKey of indexKeys) {
        const keys = touched.get(indexKey);
        keys?.delete(key);
        if (keys?.size === 0) touched.delete(indexKey);
      }
    },
    clear: () => touched.clear(),
  };
};
