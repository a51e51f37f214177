/** Layers of records: what was changed over what lay there before, so that worlds share what they have in common. */
import type { Entity, EntityKey } from '../model/entity.ts';
import type { EntityList } from './entity-list.ts';

/**
 * Records, index sets and counters as they differ from `base`. A layer below another one never changes again. Sets are
 * whole, not differences: the first change of one copies its array (800 KB for the list of 100,000 nodes).
 */
export type RecordLayer = {
  readonly base: RecordLayer | undefined;
  /** `null`: taken away from what lies below. */
  readonly records: Map<EntityKey, Entity | null>;
  readonly sets: Map<string, EntityList>;
  readonly counters: Map<string, number>;
  /** How many records there are, those below included. */
  size: number;
};

/** Records that never change: the beginning of any number of record sets. */
export type FrozenRecords = Readonly<RecordLayer>;

/** A layer without changes. Costs the same whatever lies below. */
export const createLayer = (base: FrozenRecords | undefined): RecordLayer => ({
  base,
  records: new Map(),
  sets: new Map(),
  counters: new Map(base?.counters),
  size: base?.size ?? 0,
});

/** The record as the layer shows it. */
export const recordIn = (layer: FrozenRecords, key: EntityKey): Entity | undefined => {
  for (let each: FrozenRecords | undefined = layer; each !== undefined; each = each.base) {
    const found = each.records.get(key);
    if (found !== undefined) return found ?? undefined;
  }
  return undefined;
};

/** The set as the layer shows it. Only for a look, where the layer may still change. */
export const membersIn = (layer: FrozenRecords | undefined, name: string): EntityList | undefined => {
  for (let each = layer; each !== undefined; each = each.base) {
    const found = each.sets.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Whether the layer says anything that its base does not. */
export const isUntouched = (layer: RecordLayer): layer is RecordLayer & { readonly base: RecordLayer } =>
  layer.base !== undefined &&
  layer.records.size === 0 &&
  [...layer.counters].every(([name, value]) => layer.base?.counters.get(name) === value);

/**
 * The layer to freeze in place of this one: joined with those below that are not more than twice its size. So each layer
 * is more than twice the one above it, a look-up passes at most log₂(records) of them, and a change is copied as often
 * at most, however many forks are made.
 */
export const settled = (layer: RecordLayer): RecordLayer => {
  let top = layer;
  while (top.base !== undefined && top.base.records.size <= 2 * Math.max(top.records.size, 1))
    top = joined(top, top.base);
  return top;
};

const joined = (upper: RecordLayer, lower: RecordLayer): RecordLayer => {
  const records = new Map([...lower.records, ...upper.records]);
  const sets = new Map([...lower.sets, ...upper.sets]);
  if (lower.base === undefined) {
    for (const [key, entity] of records) if (entity === null) records.delete(key);
    for (const [name, { entities }] of sets) if (entities.length === 0) sets.delete(name);
  }
  return { base: lower.base, records, sets, counters: upper.counters, size: upper.size };
};
