/** Holds changes that are decided but not durable yet, over the published records. The next decision sees both. */
import type { Entity, EntityKey } from '../model/entity.ts';
import type { Change, IndexKey, IndexKeys } from '../model/entity-store.ts';
import { removeEntity, putEntity, type EntityList } from './entity-list.ts';
import { changedKey, countersOf, type RecordSet } from './record-set.ts';

/** `indexKeys` are the index keys of all versions of the record since staging began. */
type Entry = { readonly entity: Entity | undefined; readonly batch: number; readonly indexKeys: ReadonlySet<IndexKey> };

/** What staged changes lie over. */
export type Published = Pick<RecordSet, 'get' | 'lookup' | 'raise'>;

/**
 * An empty overlay over the published records. Each staged change knows its batch, so that one batch is published while
 * the next fills.
 */
export const createStagedRecords = (published: Published, indexes: IndexKeys) => {
  const entries = new Map<EntityKey, Entry>();
  const touched = createTouchedIndexes();

  const get = (key: EntityKey): Entity | undefined => {
    const entry = entries.get(key);
    return entry === undefined ? published.get(key) : entry.entity;
  };

  const lookup = (index: IndexKey): readonly Entity[] => {
    const keys = touched.keysUnder(index);
    if (keys === undefined) return published.lookup(index);
    const list: EntityList = { entities: [...published.lookup(index)], isShared: false };
    for (const key of keys) {
      const before = published.get(key);
      const after = entries.get(key)?.entity;
      if (before !== undefined) removeEntity(list, before);
      if (after !== undefined && indexes(after).includes(index)) putEntity(list, after);
    }
    return list.entities;
  };

  const stageOne = (change: Change, batch: number): void => {
    const key = changedKey(change);
    const entity = 'put' in change ? change.put : undefined;
    const before = get(key);
    const versions = [before, entity].filter((version) => version !== undefined);
    const indexKeys = new Set([...(entries.get(key)?.indexKeys ?? []), ...versions.flatMap(indexes)]);
    entries.set(key, { entity, batch, indexKeys });
    touched.add(key, indexKeys);
    if (entity !== undefined) published.raise(countersOf(entity));
  };

  return {
    view: { get, lookup },
    /** Stages all of the changes or, when the index function throws, none. */
    stage: (changes: readonly Change[], batch: number): void => {
      // Called first for all: an index function that throws must not leave half a change set staged.
      for (const change of changes) if ('put' in change) indexes(change.put);
      for (const change of changes) stageOne(change, batch);
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
