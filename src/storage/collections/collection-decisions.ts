/** Decides changes of collections in a transaction of the entity store, which may change other records too. */
import { collectionBounds, type CollectionRecord, type CollectionsView, Problem } from '../../openapi/openapi-terms.ts';
import type { CollectionLists } from './collection-lists.ts';
import { storedValue } from './collection-values.ts';
import { recordOf, withRecords } from './placed-records.ts';
import {
  allBegun,
  begun,
  begunCollections,
  collectionEntity,
  collectionRecord,
  everyCollectionRecord,
  highestNumber,
  numberOf,
  recordsOf,
  type Change,
  type Counters,
  type Decision,
  type EntityStore,
  type StagedState,
  type StoreView,
  type Entity,
  keyOf,
  collectionRecordType,
} from '../../openapi/openapi-records.ts';

/** What a decision has changed of one record. */
type OwnChange = {
  readonly collection: string;
  readonly before: Entity | undefined;
  readonly after: Entity | undefined;
};

type Surroundings = {
  readonly view: StoreView;
  readonly staged: StagedState;
  readonly present: NonNullable<EntityStore['present']>;
  readonly lists: CollectionLists;
};

/** A view of the collections, and what was decided in it. `end` makes it refuse. */
export const openCollectionsView = (surroundings: Surroundings) => {
  const { view } = surroundings;
  const own = createOwnChanges(surroundings);
  const beginnings = createBeginnings(surroundings);
  const highest = new Map<string, number>();
  let isOver = false;
  const inTime =
    <Arguments extends readonly unknown[], Result>(act: (...given: Arguments) => Result) =>
    (...given: Arguments): Result => {
      if (!isOver) return act(...given);
      throw new TypeError('This transaction of a collection has ended: read and write before it returns.');
    };
  const put = (collection: string, id: string, value: unknown): void => {
    const before = own.entity(text(collection, 'The name of a collection'), id);
    const stored = storedValue(value, id);
    beginnings.note(collection);
    if (before === undefined) requireRoom(own.changes(), surroundings);
    own.change(
      collection,
      id,
      collectionEntity(collection, id, stored, before?.id ?? view.nextId(collectionRecordType)),
    );
    highest.set(collection, Math.max(highest.get(collection) ?? 0, numberOf(id) ?? 0));
  };
  const collections: CollectionsView = {
    get: inTime((collection, id) => {
      const entity = own.entity(collection, id);
      return entity === undefined ? undefined : recordOf(entity);
    }),
    list: inTime(own.list),
    put: inTime(put),
    delete: inTime((collection, id) => {
      const isThere = own.entity(collection, id) !== undefined;
      if (isThere) own.change(collection, id, undefined);
      return isThere;
    }),
    nextNumber: inTime((collection) => view.nextId(highestNumber(collection), highest.get(collection))),
    begin: inTime(beginnings.begin),
  };
  return {
    collections,
    end: (): Omit<Decision<undefined>, 'result'> => {
      isOver = true;
      return { changes: own.changes().flatMap(changesOf), counters: beginnings.counters() };
    },
  };
};

/** The records that the decision changes, over the published and the staged ones. */
const createOwnChanges = (surroundings: Surroundings) => {
  const changes = new Map<string, OwnChange>();
  const lists = new Map<string, readonly CollectionRecord[]>();
  const stored = (key: string): Entity | undefined => surroundings.view.lookup(key)[0];
  return {
    changes: (): OwnChange[] => [...changes.values()],
    entity: (collection: string, id: string): Entity | undefined => {
      const key = collectionRecord(collection, text(id, 'The id of a record'));
      const change = changes.get(key);
      return change === undefined ? stored(key) : change.after;
    },
    change: (collection: string, id: string, after: Entity | undefined): void => {
      const key = collectionRecord(collection, id);
      const before = changes.has(key) ? changes.get(key)?.before : stored(key);
      changes.set(key, { collection, before, after });
      lists.delete(collection);
    },
    list: (collection: string): readonly CollectionRecord[] => {
      const list = lists.get(collection) ?? listIn(collection, changes.values(), surroundings);
      lists.set(collection, list);
      return list;
    },
  };
};

/** The collections that begin with the decision. */
const createBeginnings = ({ staged }: Surroundings) => {
  const begins = new Set<string>();
  const hasBegun = (collection: string): boolean => begins.has(collection) || staged.lastId(begun(collection)) > 0;
  const note = (collection: string): void => {
    if (hasBegun(collection)) return;
    if (begunCollections(staged.counters()).length + begins.size >= collectionBounds.collections)
      throw full(`A world has at most ${collectionBounds.collections} collections.`);
    begins.add(collection);
  };
  return {
    note,
    begin: (collection: string): boolean => {
      if (hasBegun(collection) || staged.lastId(allBegun) > 0) return false;
      note(collection);
      return true;
    },
    counters: (): Counters => Object.fromEntries([...begins].map((collection) => [begun(collection), 1])),
  };
};

/** A record that was deleted and put again comes last. */
const changesOf = ({ before, after }: OwnChange): readonly Change[] => [
  ...(before === undefined || before.id === after?.id ? [] : [{ remove: keyOf(before) }]),
  ...(after === undefined ? [] : [{ put: after }]),
];

/** What is published, then what is staged, then what the decision has changed itself. */
const listIn = (
  collection: string,
  own: Iterable<OwnChange>,
  { view, staged, lists }: Surroundings,
): readonly CollectionRecord[] => {
  const changes = new Map<number, CollectionRecord | undefined>();
  for (const key of staged.keysUnder(recordsOf(collection))) {
    const entity = view.get(key);
    const place = Number(key.split(':')[1]);
    changes.set(place, entity?.bundle === collection ? recordOf(entity) : undefined);
  }
  for (const change of own) {
    if (change.collection !== collection) continue;
    if (change.before !== undefined) changes.set(change.before.id, undefined);
    if (change.after !== undefined) changes.set(change.after.id, recordOf(change.after));
  }
  return withRecords(lists.now(collection), changes).records;
};

const requireRoom = (own: Iterable<OwnChange>, { view, staged, present }: Surroundings): void => {
  const published = present.count(everyCollectionRecord);
  const stagedKeys = staged.keysUnder(everyCollectionRecord);
  const changes = [...own];
  if (published + stagedKeys.size + changes.length < collectionBounds.records) return;
  let total = published;
  for (const key of stagedKeys) total += countOf(view.get(key)) - countOf(present.get(key));
  for (const { before, after } of changes) total += countOf(after) - countOf(before);
  if (total >= collectionBounds.records)
    throw full(`The collections of a world have at most ${collectionBounds.records} records.`);
};

const countOf = (entity: Entity | undefined): number => (entity === undefined ? 0 : 1);

const full = (message: string): Problem => new Problem(507, message);

/** Handlers may be JavaScript. */
const text = (value: unknown, what: string): string => {
  if (typeof value === 'string') return value;
  throw new TypeError(`${what} is a text, and not ${value === null ? 'null' : `a ${typeof value}`}.`);
};
