/**
 * Keeps records in layers, each with the changes to the layer below, so that worlds share unchanged records. A record is an object
 * or the bytes of its JSON, which is read when it is asked for: as objects they take four times as much.
 */
import { beginSlices } from '../basics/long-work.ts';
import { type Entity, type EntityKey, keyOf, type IndexKey } from '../openapi/openapi-records.ts';

/**
 * A record whose JSON lies in a block of bytes. `indexKeys` are those of the record, so that nobody has to read it for
 * them. A compaction moves the bytes into a new block.
 */
export type PackedRecord = {
  readonly type: string;
  readonly id: number;
  readonly bundle: string;
  readonly indexKeys: readonly IndexKey[];
  block: RecordBlock;
  start: number;
  end: number;
  /** As long as it was read lately. */
  entity: Entity | undefined;
  /** It was asked for again since it was read, or since the cache passed it over. */
  isAskedAgain: boolean;
};

/** Bytes of many records. They never change. */
export type RecordBlock = {
  readonly bytes: Uint8Array;
  /** Reads the record and keeps it for a while. */
  readonly read: (record: PackedRecord) => Entity;
};

/** A record in memory: as an object, or packed. */
export type HeldRecord = Entity | PackedRecord;

export const isPacked = (held: HeldRecord): held is PackedRecord => 'block' in held;

export const entityOf = (held: HeldRecord): Entity => {
  if (!isPacked(held)) return held;
  if (held.entity === undefined) return held.block.read(held);
  held.isAskedAgain = true;
  return held.entity;
};

/** The records, in the same order, read as they are iterated. */
export function* entitiesOf(records: Iterable<HeldRecord>): Generator<Entity> {
  for (const held of records) yield entityOf(held);
}

/** So few records are read at once. */
const fewRecords = 200;

/** The records, read in slices between which other requests are answered when they are many. */
export const readRecords = (records: readonly HeldRecord[]): Promise<readonly Entity[]> =>
  records.length <= fewRecords ? Promise.resolve(records.map(entityOf)) : readInSlices(records);

const readInSlices = async (records: readonly HeldRecord[]): Promise<readonly Entity[]> => {
  const slices = beginSlices();
  const entities: Entity[] = [];
  for (const held of records) {
    entities.push(entityOf(held));
    if (entities.length % 32 === 0 && slices.isOver()) await slices.next();
  }
  return entities;
};

/**
 * Each key once, in no order. Where both descend from one layer, only the keys of the layers above it are passed, so the
 * cost depends on what has changed since. Where they have no layer in common, every key is.
 */
export function* possiblyChangedKeys(before: FrozenRecords, after: FrozenRecords): Generator<EntityKey> {
  const afterChain = new Set(chainOf(after));
  const shared = chainOf(before).find((layer) => afterChain.has(layer));
  const afterLayers = above(after, shared);
  const beforeLayers = above(before, shared);
  yield* keysOf(afterLayers, []);
  yield* keysOf(beforeLayers, afterLayers);
}

const chainOf = (top: FrozenRecords): readonly FrozenRecords[] => {
  const layers: FrozenRecords[] = [];
  for (let each: FrozenRecords | undefined = top; each !== undefined; each = each.base) layers.push(each);
  return layers;
};

const above = (top: FrozenRecords, shared: FrozenRecords | undefined): readonly FrozenRecords[] => {
  const layers = chainOf(top);
  return shared === undefined ? layers : layers.slice(0, layers.indexOf(shared));
};

/** The keys of these layers that none of the others has. */
function* keysOf(layers: readonly FrozenRecords[], others: readonly FrozenRecords[]): Generator<EntityKey> {
  for (const [position, layer] of layers.entries()) {
    const earlier = [...others, ...layers.slice(0, position)];
    for (const key of layer.records.keys()) if (!earlier.some(({ records }) => records.has(key))) yield key;
  }
}

/**
 * The records, entity lists and counters that differ from `base`. A layer below another one never changes again. Lists
 * are complete, not differences: the first change of a list copies its array (800 KB for the list of 100,000 nodes).
 */
export type RecordLayer = {
  readonly base: RecordLayer | undefined;
  /** `null` marks a record that this layer removes. */
  readonly records: Map<EntityKey, HeldRecord | null>;
  readonly lists: Map<string, HeldRecord[]>;
  readonly counters: Map<string, number>;
  /** The number of records, with those of the layers below. */
  size: number;
};

/** Records that never change. Any number of record sets can start from them. */
export type FrozenRecords = Readonly<RecordLayer>;

/** A layer without changes. Its cost does not depend on the size of `base`. */
export const createLayer = (base: FrozenRecords | undefined): RecordLayer => ({
  base,
  records: new Map(),
  lists: new Map(),
  counters: new Map(base?.counters),
  size: base?.size ?? 0,
});

/** The record as seen through the layer. */
export const recordIn = (layer: FrozenRecords, key: EntityKey): Entity | undefined => {
  const held = heldIn(layer, key);
  return held === undefined ? undefined : entityOf(held);
};

/** The record as seen through the layer, in the form in which it lies there. */
export const heldIn = (layer: FrozenRecords, key: EntityKey): HeldRecord | undefined => {
  for (let each: FrozenRecords | undefined = layer; each !== undefined; each = each.base) {
    const found = each.records.get(key);
    if (found !== undefined) return found ?? undefined;
  }
  return undefined;
};

/** The list as seen through the layer. It may change later with the layer, so do not keep it. */
export const listIn = (layer: FrozenRecords | undefined, name: string): readonly HeldRecord[] | undefined => {
  for (let each = layer; each !== undefined; each = each.base) {
    const found = each.lists.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Whether the layer equals its base. */
export const hasNoChanges = (layer: RecordLayer): layer is RecordLayer & { readonly base: RecordLayer } =>
  layer.base !== undefined &&
  layer.records.size === 0 &&
  [...layer.counters].every(([name, value]) => layer.base?.counters.get(name) === value);

/**
 * The layer merged with the layers below it that are at most twice its size. So each layer is more than twice as large
 * as the one above it. A look-up visits at most log₂(records) layers, and each change is copied at most that often,
 * however many forks there are.
 */
export const mergeSmallLayers = (layer: RecordLayer): RecordLayer => {
  let top = layer;
  while (top.base !== undefined && top.base.records.size <= 2 * Math.max(top.records.size, 1))
    top = mergeLayers(top, top.base);
  return top;
};

const mergeLayers = (upper: RecordLayer, lower: RecordLayer): RecordLayer => {
  const records = new Map([...lower.records, ...upper.records]);
  const sets = new Map([...lower.lists, ...upper.lists]);
  if (lower.base === undefined) {
    for (const [key, entity] of records) if (entity === null) records.delete(key);
    for (const [name, list] of sets) if (list.length === 0) sets.delete(name);
  }
  return { base: lower.base, records, lists: sets, counters: upper.counters, size: upper.size };
};

type Placed = { readonly type: string; readonly id: number };

/** Adds a record, or replaces the one with its key. Finds the position in O(log n) and moves the elements behind it. */
export const putEntity = <R extends Placed>(entities: R[], entity: R): void => {
  const at = position(entities, entity);
  if (at === entities.length) entities.push(entity);
  else entities.splice(at, isAt(entities, at, entity) ? 1 : 0, entity);
};

/** Removes many records, and goes through the others once. */
export const removeMany = (list: HeldRecord[], records: readonly HeldRecord[]): void => {
  const gone = new Set(records.map(keyOf));
  let kept = 0;
  for (const record of list) {
    if (gone.has(keyOf(record))) continue;
    list[kept] = record;
    kept += 1;
  }
  list.length = kept;
};

export const byNames = (
  records: readonly HeldRecord[],
  namesOf: (held: HeldRecord) => readonly string[],
): ReadonlyMap<string, HeldRecord[]> => {
  const found = new Map<string, HeldRecord[]>();
  for (const record of records) {
    for (const name of namesOf(record)) {
      const ofName = found.get(name) ?? [];
      found.set(name, ofName);
      ofName.push(record);
    }
  }
  return found;
};

/** Removes the record with this one's key. A missing record is not an error. */
export const removeEntity = (entities: Placed[], entity: Placed): void => {
  const at = position(entities, entity);
  if (isAt(entities, at, entity)) entities.splice(at, 1);
};

/** Puts one object in place of another, where that is in the array. Both are forms of the same record. */
export const exchangeEntity = <R extends Placed>(entities: R[], before: R, after: R): void => {
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
