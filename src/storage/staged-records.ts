/** The overlay of changes that have been decided but are not durable yet: what the next decision sees. */
import type { Entity, EntityKey } from '../model/entity.ts';
import type { Change, IndexKey, IndexKeys, StoreView } from '../model/entity-store.ts';
import { removeEntity, putEntity } from './entity-list.ts';
import type { EntityList } from './entity-list.ts';
import { changedKey, countersOf } from './record-set.ts';
import type { RecordSet } from './record-set.ts';

/** Published plus staged records. Changes are staged by batch, so that a batch can be settled while the next one fills. */
export type StagedRecords = {
  readonly view: Omit<StoreView, 'nextId'>;
  /** All of the changes or, when the index function throws, none. */
  stage(changes: readonly Change[], batch: number): void;
  /** The batch has been published: what it staged last is now read from the published records. */
  settle(changes: readonly Change[], batch: number): void;
  /** Drops everything staged. */
  clear(): void;
};

/** `names` are all index keys that any version of the record since staging began has had. */
type Entry = { readonly entity: Entity | undefined; readonly batch: number; readonly names: ReadonlySet<IndexKey> };

/** An empty overlay. `published` is asked each time, because a reset may exchange the set. */
export const createStagedRecords = (published: () => RecordSet, indexes: IndexKeys): StagedRecords => {
  const entries = new Map<EntityKey, Entry>();
  const touched = createTouchedNames();

  const get = (key: EntityKey): Entity | undefined => {
    const entry = entries.get(key);
    return entry === undefined ? published().get(key) : entry.entity;
  };

  const lookup = (index: IndexKey): readonly Entity[] => {
    const keys = touched.keysUnder(index);
    const base = published().lookup(index);
    if (keys === undefined) return base;
    const members: EntityList = { entities: [...base], handedOut: false };
    for (const key of keys) {
      const before = published().get(key);
      const after = entries.get(key)?.entity;
      replaceMember(members, before, after !== undefined && indexes(after).includes(index) ? after : undefined);
    }
    return members.entities;
  };

  const stageOne = (change: Change, batch: number): void => {
    const key = changedKey(change);
    const entity = 'put' in change ? change.put : undefined;
    const before = get(key);
    const versions = [before, entity].filter((version) => version !== undefined);
    const names = new Set([...(entries.get(key)?.names ?? []), ...versions.flatMap(indexes)]);
    entries.set(key, { entity, batch, names });
    touched.add(key, names);
    if (entity !== undefined) published().raise(countersOf(entity));
  };

  return {
    view: { get, lookup },
    stage: (changes, batch) => {
      // Asked beforehand: an index function that throws must not leave half a change set behind.
      for (const change of changes) if ('put' in change) indexes(change.put);
      for (const change of changes) stageOne(change, batch);
    },
    settle: (changes, batch) => {
      for (const change of changes) {
        const key = changedKey(change);
        const entry = entries.get(key);
        if (entry?.batch !== batch) continue;
        entries.delete(key);
        touched.drop(key, entry.names);
      }
    },
    clear: () => {
      entries.clear();
      touched.clear();
    },
  };
};

const replaceMember = (members: EntityList, before: Entity | undefined, after: Entity | undefined): void => {
  if (before !== undefined) removeEntity(members, before);
  if (after !== undefined) putEntity(members, after);
};

/** Which staged records a look-up of an index key has to mind. */
const createTouchedNames = () => {
  const touched = new Map<IndexKey, Set<EntityKey>>();
  return {
    keysUnder: (name: IndexKey): ReadonlySet<EntityKey> | undefined => touched.get(name),
    add: (key: EntityKey, names: Iterable<IndexKey>): void => {
      for (const name of names) touched.set(name, (touched.get(name) ?? new Set()).add(key));
    },
    drop: (key: EntityKey, names: Iterable<IndexKey>): void => {
      for (const name of names) {
        const keys = touched.get(name);
        keys?.delete(key);
        if (keys?.size === 0) touched.delete(name);
      }
    },
    clear: () => touched.clear(),
  };
};
