/**
 * Shows examples below records of another application, such as the nodes of a repository, where nobody has written yet. A store would
 * fill with copies otherwise: such records are many, and any of them may be asked for.
 */
import { createLruMap, type LruMap } from '../../basics/lru-map.ts';
import { begunBelow, type CollectionRecord, type CollectionStore } from './collection-store.ts';
import { type CollectionPlan, keyOf } from './plan.ts';
import type { Seeds } from './seeds.ts';

/** The examples of a collection below one record. */
type Layer = {
  readonly name: string;
  readonly key: string;
  readonly records: readonly CollectionRecord[];
  readonly byId: ReadonlyMap<string, CollectionRecord>;
  /** By the stored records. */
  readonly lists: WeakMap<readonly CollectionRecord[], readonly CollectionRecord[]>;
};

/** The collection that remembers below which records something was written. */
const writtenBelow = (name: string): string => begunBelow(name, 'written');

const mostLayers = 1000;

/** Whether a collection is below no record of its own document. */
export const isBelowOthers = ({ parent }: CollectionPlan): boolean =>
  parent !== undefined && (parent.collection === undefined || isBelowOthers(parent.collection));

/** The store as a request below these records sees it. The first write below one makes the examples records. */
export type ExamplesBelow = (
  store: CollectionStore,
  plan: CollectionPlan,
  parents: readonly string[],
) => Promise<CollectionStore>;

/** Handlers work with the records of `shared` collections, too, so their examples are records from the first request on. */
export const createExamplesBelow = (seeds: Seeds, shared: ReadonlySet<CollectionPlan>): ExamplesBelow => {
  const layers: LruMap<string, Layer> = createLruMap(mostLayers);
  const layerOf = (plan: CollectionPlan, parents: readonly string[]): Layer => {
    const key = keyOf(parents);
    const name = JSON.stringify([plan.name, key]);
    const known = layers.get(name) ?? newLayer(plan, parents, seeds);
    layers.set(name, known);
    return known;
  };
  return async (store, plan, parents) => {
    const open: Layer[] = [];
    for (let each: CollectionPlan | undefined = plan; each !== undefined; each = each.parent?.collection) {
      if (!isBelowOthers(each) || each.isSingleton || store.hasBegun(begunBelow(each.name))) continue;
      const above = parents.slice(0, each.parentParameters.length);
      if ((await store.get(writtenBelow(each.name), keyOf(above))) === undefined) open.push(layerOf(each, above));
    }
    if (open.length === 0) return store;
    const seen = withLayers(store, open);
    // Without room they stay examples.
    if (!shared.has(plan)) return seen;
    return seen.transact(() => store).catch(() => seen);
  };
};

const newLayer = (plan: CollectionPlan, parents: readonly string[], seeds: Seeds): Layer => {
  const records = seeds.records(plan, [parents]);
  return {
    ...{ name: plan.name, key: keyOf(parents), records, lists: new WeakMap() },
    byId: new Map(records.map((record) => [record.id, record])),
  };
};

const withLayers = (store: CollectionStore, layers: readonly Layer[]): CollectionStore => ({
  ...store,
  get: async (collection, id) =>
    (await store.get(collection, id)) ?? layers.find(({ name }) => name === collection)?.byId.get(id),
  list: async (collection) => {
    const stored = await store.list(collection);
    const layer = layers.find(({ name }) => name === collection);
    if (layer === undefined || layer.records.length === 0) return stored;
    const known = layer.lists.get(stored) ?? [...stored, ...layer.records];
    layer.lists.set(stored, known);
    return known;
  },
  transact: (decide) =>
    store.transact((view) => {
      for (const { name, key, records } of layers) {
        if (view.get(writtenBelow(name), key) !== undefined) continue;
        for (const { id, value } of records) if (view.get(name, id) === undefined) view.put(name, id, value);
        view.put(writtenBelow(name), key, true);
      }
      return decide(view);
    }),
});
