/** Keeps records in layers. Each layer holds the changes to the layer below, so that worlds share unchanged records. */
import type { Entity, EntityKey } from '../core/model/entity.ts';
import { entityOf, type HeldRecord } from './packed-record.ts';

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
