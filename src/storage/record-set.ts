/** Holds the published records of a repository in memory, with their indexes and counters. */
import {
  type Change,
  type Counter,
  type Counters,
  countersOf,
  type IndexKey,
  type IndexKeys,
  type ListOptions,
} from '../core/model/entity-store.ts';
import { type Entity, type EntityKey, type EntityType, entityTypes, keyOf } from '../core/model/entity.ts';
import {
  createLayer,
  entitiesOf,
  entityOf,
  type FrozenRecords,
  hasNoChanges,
  type HeldRecord,
  heldIn,
  isPacked,
  listIn,
  mergeSmallLayers,
  type PackedRecord,
  recordIn,
  type RecordLayer,
} from './record-layer.ts';

type Placed = { readonly type: EntityType; readonly id: number };

/** Adds a record, or replaces the one with its key. Finds the position in O(log n) and moves the elements behind it. */
export const putEntity = <R extends Placed>(entities: R[], entity: R): void => {
  const at = position(entities, entity);
  if (at === entities.length) entities.push(entity);
  else entities.splice(at, isAt(entities, at, entity) ? 1 : 0, entity);
};

/** Removes the record with this one's key. A missing record is not an error. */
export const removeEntity = (entities: Placed[], entity: Placed): void => {
  const at = position(entities, entity);
  if (isAt(entities, at, entity)) entities.splice(at, 1);
};

/** Puts one object in place of another, where that is in the array. Both are forms of the same record. */
const exchangeEntity = <R extends Placed>(entities: R[], before: R, after: R): void => {
  const at = position(entities, before);
  if (entities[at] === before) entities[at] = after;
};

const order = (a: Placed, b: Placed): number => a.id - b.id || (a.type < b.type ? -1 : a.type > b.type ? 1 : 0);

const isAt = (entities: readonly Placed[], at: number, entity: Placed): boolean => {
  const found = entities[at];
  return found !== undefined && order(found, entity) === 0;
};

/** The index of the record, or the index to insert it at. Checks the end first, because new records have the highest id. */
const position = (entities: readonly Placed[], entity: Placed): number => {
  const last = entities.at(-1);
  if (last === undefined || order(last, entity) < 0) return entities.length;
  let low = 0;
  let high = entities.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const candidate = entities[middle];
    if (candidate !== undefined && order(candidate, entity) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The published records. Only the store that owns them changes them. */
export type RecordSet = {
  readonly size: () => number;
  get(key: EntityKey): Entity | undefined;
  /** The records with this index key in ascending id, in a new array. */
  lookup(index: IndexKey): readonly Entity[];
  /** The same records in the form in which they lie in memory. */
  lookupHeld(index: IndexKey): readonly HeldRecord[];
  /** How many records have this index key. */
  countUnder(index: IndexKey): number;
  list(type: EntityType, options: ListOptions): { readonly total: number; readonly entities: readonly Entity[] };
  listHeld(type: EntityType, options: ListOptions): { readonly total: number; readonly records: readonly HeldRecord[] };
  /** Every record as it is now, by type and ascending id. Each one is read when the iteration comes to it. */
  all(): Iterable<Entity>;
  /** The same records in the form in which they lie in memory, in a new array. */
  held(): readonly HeldRecord[];
  counters(): Counters;
  /** Draws an id. No id is drawn twice. */
  nextId(counter: Counter): number;
  /** Raises counters; never lowers one. */
  raise(counters: Counters): void;
  /** Applies one change. A put raises the counters to the record's id and revision. Cost: the record's indexes. */
  apply(change: Change): void;
  /** Puts a record whose key is not there yet. Its counters must be raised by themselves. */
  load(record: PackedRecord): void;
  /** Puts the packed form of a record in place of the record, unless that has changed meanwhile. */
  pack(entity: Entity, packed: PackedRecord): void;
  /**
   * The records as they are now, as a layer that never changes. Later changes of this set go into a new layer above it.
   * With 100,000 nodes this takes 3 µs. The first change afterwards takes about 1 ms more, because it copies lists.
   */
  readonly freeze: () => FrozenRecords;
};

/** A set over frozen records, or an empty one. `indexes` is a pure function of the record. */
export const createRecordSet = (indexes: IndexKeys, base?: FrozenRecords): RecordSet => {
  let top = createLayer(base);
  const lists = createEntityLists(
    () => top,
    (held) => [...(isPacked(held) ? held.indexKeys : indexes(held)), ...listNames(held)],
  );
  const counters = countersIn(() => top.counters);

  return {
    size: () => top.size,
    get: (key) => recordIn(top, key),
    ...readsOf(lists),
    ...counters,
    apply: (change) => {
      const entity = 'put' in change ? change.put : undefined;
      const key = changedKey(change);
      const before = heldIn(top, key);
      lists.replace(before, entity);
      top.size += (entity === undefined ? 0 : 1) - (before === undefined ? 0 : 1);
      if (entity !== undefined) {
        top.records.set(key, entity);
        counters.raise(countersOf(entity));
      } else if (top.base === undefined) top.records.delete(key);
      else if (before !== undefined) top.records.set(key, null);
    },
    load: (record) => {
      top.records.set(keyOf(record), record);
      top.size += 1;
      lists.replace(undefined, record);
    },
    pack: (entity, packed) => {
      const key = keyOf(entity);
      if (top.records.get(key) !== entity) return;
      top.records.set(key, packed);
      lists.exchange(entity, packed);
    },
    freeze: () => {
      if (hasNoChanges(top)) return top.base;
      const frozen = mergeSmallLayers(top);
      top = createLayer(frozen);
      return frozen;
    },
  };
};

const countersIn = (values: () => Map<string, number>): Pick<RecordSet, 'counters' | 'nextId' | 'raise'> => ({
  counters: () => Object.fromEntries(values()),
  nextId: (counter) => {
    const id = (values().get(counter) ?? 0) + 1;
    values().set(counter, id);
    return id;
  },
  raise: (raised) => {
    for (const [name, value] of Object.entries(raised)) {
      if (value > (values().get(name) ?? 0)) values().set(name, value);
    }
  },
});

type Reads = Pick<RecordSet, 'lookup' | 'lookupHeld' | 'countUnder' | 'list' | 'listHeld' | 'all' | 'held'>;

const readsOf = ({ peek }: ReturnType<typeof createEntityLists>): Reads => {
  const listHeld: RecordSet['listHeld'] = (type, { bundle, offset, limit }) => {
    const records = peek(listName(type, bundle));
    return { total: records.length, records: records.slice(offset, offset + limit) };
  };
  const held = (): readonly HeldRecord[] => entityTypes.flatMap((type) => peek(listName(type)));
  return {
    lookup: (index) => peek(index).map(entityOf),
    lookupHeld: (index) => [...peek(index)],
    countUnder: (index) => peek(index).length,
    list: (type, options) => {
      const { total, records } = listHeld(type, options);
      return { total, entities: records.map(entityOf) };
    },
    listHeld,
    all: () => {
      const records = held();
      return { [Symbol.iterator]: () => entitiesOf(records) };
    },
    held,
  };
};

/** The name of a list is an index key too. No other index key contains a line break. */
const listName = (type: EntityType, bundle?: string): string =>
  bundle === undefined ? `list\n${type}` : `list\n${type}\n${bundle}`;

const listNames = ({ type, bundle }: HeldRecord): string[] => [listName(type), listName(type, bundle)];

/** The entity lists of the top layer, over those of the frozen layers below. */
const createEntityLists = (top: () => RecordLayer, namesOf: (held: HeldRecord) => readonly string[]) => {
  /** The array may change later, so do not keep it. */
  const peek = (name: string): readonly HeldRecord[] => listIn(top(), name) ?? [];

  /** The top layer's own list, which is about to change. One from below is copied. */
  const ownList = (name: string): HeldRecord[] | undefined => {
    const { lists, base } = top();
    const present = lists.get(name);
    if (present !== undefined || base === undefined) return present;
    const below = listIn(base, name);
    if (below === undefined) return undefined;
    const list = [...below];
    lists.set(name, list);
    return list;
  };
  const put = (name: string, record: HeldRecord): void => {
    const list = ownList(name);
    // Most lists have one record.
    if (list === undefined) top().lists.set(name, [record]);
    else putEntity(list, record);
  };
  const drop = (name: string, record: HeldRecord): void => {
    const list = ownList(name);
    if (list === undefined) return;
    removeEntity(list, record);
    const { lists, base } = top();
    if (list.length === 0 && listIn(base, name) === undefined) lists.delete(name);
  };

  return {
    peek,
    /** Both are forms of the same record, which lies in the top layer. */
    exchange: (before: HeldRecord, after: HeldRecord): void => {
      for (const name of namesOf(after)) exchangeEntity(top().lists.get(name) ?? [], before, after);
    },
    /** Both are versions of the same record. */
    replace: (before: HeldRecord | undefined, after: HeldRecord | undefined): void => {
      if (before === undefined) {
        if (after !== undefined) for (const name of namesOf(after)) put(name, after);
        return;
      }
      const names = new Set(after === undefined ? [] : namesOf(after));
      for (const name of namesOf(before)) if (!names.has(name)) drop(name, before);
      if (after !== undefined) for (const name of names) put(name, after);
    },
  };
};

/** The key of the record that a change puts or removes. */
export const changedKey = (change: Change): EntityKey => ('put' in change ? keyOf(change.put) : change.remove);
