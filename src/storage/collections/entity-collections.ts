/** Keeps the collections of a world in its entity store, so that they are in the world's transactions, forks, resets and exports. */
import { type CollectionNamed, collectionOf, type CollectionStore, Problem } from '../../openapi/openapi-terms.ts';
import { openCollectionsView } from './collection-decisions.ts';
import { createCollectionLists } from './collection-lists.ts';
import { recordOf } from './placed-records.ts';
import {
  allBegun,
  begun,
  begunCollections,
  collectionRecord,
  type EntityStore,
  type CollectionDecisions,
} from '../../openapi/openapi-records.ts';

export type EntityCollections = CollectionStore & CollectionDecisions;

const storesOf = new WeakMap<EntityStore, EntityCollections>();

/** One for each entity store. Undefined where the store cannot read without waiting: on a team server. */
export const collectionsIn = (store: EntityStore): EntityCollections | undefined => {
  const known = storesOf.get(store) ?? createCollections(store);
  if (known !== undefined) storesOf.set(store, known);
  return known;
};

const createCollections = (store: EntityStore): EntityCollections | undefined => {
  const { present } = store;
  if (present === undefined) return undefined;
  const lists = createCollectionLists(store, present);
  const decideIn: EntityCollections['decideIn'] = (view, decide) => {
    const { staged } = view;
    if (staged === undefined) throw new Error('A store with present records has staged ones.');
    const open = openCollectionsView({ view, staged, present, lists });
    try {
      const result = decide(open.collections);
      refusePromise(result);
      return { ...open.end(), result };
    } catch (error) {
      open.end();
      throw error;
    }
  };
  return {
    get: (collection, id) => {
      const [entity] = present.lookup(collectionRecord(collection, id));
      return entity === undefined ? undefined : recordOf(entity);
    },
    list: (collection) => {
      const list = lists.list(collection);
      return 'records' in list ? list.records : list.then(({ records }) => records);
    },
    hasBegun: (collection) => present.lastId(begun(collection)) > 0 || present.lastId(allBegun) > 0,
    names: () => begunCollections(present.counters()).sort(),
    transact: (decide) => store.transact([], (view) => decideIn(view, decide)),
    decideIn,
  };
};

/** Names collections of a store for handlers. */
export const collectionNamed =
  (store: CollectionStore | undefined): CollectionNamed =>
  (name) => {
    if (store === undefined) throw new Problem(501, `${withoutCollections} keeps no collection "${name}".`);
    return collectionOf(store, name);
  };

/** The beginning of a sentence. */
const withoutCollections = 'A server whose records are in a database';

/** Its writes would come after the transaction. */
const refusePromise = (result: unknown): void => {
  if (typeof result !== 'object' || result === null || !('then' in result) || typeof result.then !== 'function') return;
  // What it throws later would end the process.
  Promise.resolve(result).catch(() => undefined);
  throw new TypeError('A transaction of a collection runs without a pause, so its function must not be async.');
};
