/** Holds the published records of a repository in memory, with their indexes and counters. */
import { entityTypes, keyOf, revisionOf, type Entity, type EntityKey, type EntityType } from '../model/entity.ts';
import type { Change, Counter, IndexKey, IndexKeys, ListOptions } from '../model/entity-store.ts';
import { removeEntity, shareEntities, emptyEntityList, putEntity, type EntityList } from './entity-list.ts';
import { createLayer, hasNoChanges, listIn, mergeSmallLayers, recordIn } from './record-layer.ts';
import type { FrozenRecords, RecordLayer } from './record-layer.ts';

/** The highest id drawn so far, by counter. A missing counter is 0. */
export type Counters = Readonly<Partial<Record<Counter, number>>>;

/** The published records. Only the store that owns them changes them. */
export type RecordSet = {
  readonly size: () => number;
  get(key: EntityKey): Entity | undefined;
  /** The records with this index key in ascending id. The array never changes. */
  lookup(index: IndexKey): readonly Entity[];
  list(type: EntityType, options: ListOptions): { readonly total: number; readonly entities: readonly Entity[] };
  /** Every record, by type and ascending id, in a new array. */
  all(): Entity[];
  counters(): Counters;
  /** Draws an id. No id is drawn twice. */
  nextId(counter: Counter): number;
  /** Raises counters; never lowers one. */
  raise(counters: Counters): void;
  /** Applies one change. A put raises the counters to the record's id and revision. Cost: the record's indexes. */
  apply(change: Change): void;
  /**
   * The records as they are now, as a layer that never changes. Later changes of this set go into a new layer above it.
   * With 100,000 nodes this takes 3 µs. The first change afterwards takes about 1 ms more, because it copies lists.
   */
  readonly freeze: () => FrozenRecords;
};

/** The ids that a record uses up. */
export const countersOf = (entity: Entity): Counters => ({
  [entity.type]: entity.id,
  [`${entity.type}_revision`]: revisionOf(entity),
});

/** A set over frozen records, or an empty one. `indexes` is a pure function of the record. */
export const createRecordSet = (indexes: IndexKeys, base?: FrozenRecords): RecordSet => {
  let top = createLayer(base);
  const lists = createEntityLists(
    () => top,
    (entity) => [...indexes(entity), ...listNames(entity)],
  );
  const raise = (raised: Counters): void => {
    for (const [name, value] of Object.entries(raised)) {
      if (value > (top.counters.get(name) ?? 0)) top.counters.set(name, value);
    }
  };

  return {
    size: () => top.size,
    get: (key) => recordIn(top, key),
    lookup: (index) => lists.read(index),
    list: (type, { bundle, offset, limit }) => {
      const entities = lists.peek(listName(type, bundle));
      return { total: entities.length, entities: entities.slice(offset, offset + limit) };
    },
    all: () => entityTypes.flatMap((type) => lists.peek(listName(type))),
    counters: () => Object.fromEntries(top.counters),
    nextId: (counter) => {
      const id = (top.counters.get(counter) ?? 0) + 1;
      top.counters.set(counter, id);
      return id;
    },
    raise,
    apply: (change) => {
      const entity = 'put' in change ? change.put : undefined;
      const key = changedKey(change);
      const before = recordIn(top, key);
      lists.replace(before, entity);
      top.size += (entity === undefined ? 0 : 1) - (before === undefined ? 0 : 1);
      if (entity !== undefined) {
        top.records.set(key, entity);
        raise(countersOf(entity));
      } else if (top.base === undefined) top.records.delete(key);
      else if (before !== undefined) top.records.set(key, null);
    },
    freeze: () => {
      if (hasNoChanges(top)) return top.base;
      const frozen = mergeSmallLayers(top);
      top = createLayer(frozen);
      return frozen;
    },
  };
};

/** The name of a list is an index key too. No other index key contains a line break. */
const listName = (type: EntityType, bundle?: string): string =>
  bundle === undefined ? `list\n${type}` : `list\n${type}\n${bundle}`;

const listNames = (entity: Entity): string[] => [listName(entity.type), listName(entity.type, entity.bundle)];

/** The entity lists of the top layer, over those of the frozen layers below. */
const createEntityLists = (top: () => RecordLayer, namesOf: IndexKeys) => {
  const peek = (name: string): readonly Entity[] => listIn(top(), name)?.entities ?? [];

  /** The top layer's own list. A list from below is marked as shared, so that its first change copies it. */
  const ownList = (name: string): EntityList => {
    const { lists, base } = top();
    const present = lists.get(name);
    if (present !== undefined) return present;
    const below = listIn(base, name);
    const list = below === undefined ? emptyEntityList() : { entities: below.entities, isShared: true };
    lists.set(name, list);
    return list;
  };
  const drop = (name: string, entity: Entity): void => {
    const list = ownList(name);
    removeEntity(list, entity);
    const { lists, base } = top();
    if (list.entities.length === 0 && listIn(base, name) === undefined) lists.delete(name);
  };

  return {
    /** The array may change later, so do not keep it. */
    peek,
    read: (name: string): readonly Entity[] => {
      const list = listIn(top(), name);
      return list === undefined ? [] : shareEntities(list);
    },
    /** Both are versions of the same record. */
    replace: (before: Entity | undefined, after: Entity | undefined): void => {
      const names = new Set(after === undefined ? [] : namesOf(after));
      if (before !== undefined) for (const name of namesOf(before)) if (!names.has(name)) drop(name, before);
      if (after !== undefined) for (const name of names) putEntity(ownList(name), after);
    },
  };
};

/** The key of the record that a change puts or removes. */
export const changedKey = (change: Change): EntityKey => ('put' in change ? keyOf(change.put) : change.remove);
