/** Keeps the list of each collection that was asked for, and brings it up to date with what is published. */
import { beginSlices } from '../../basics/long-work.ts';
import { type PlacedRecords, placedRecords, recordOf, withRecords } from './placed-records.ts';
import { recordsOf, type EntityStore, entityKey, collectionRecordType } from '../../openapi/openapi-records.ts';

type Present = NonNullable<EntityStore['present']>;

export type CollectionLists = {
  /** The published records. Large collections are read in slices. */
  readonly list: (collection: string) => PlacedRecords | Promise<PlacedRecords>;
  /** The same without waiting. */
  readonly now: (collection: string) => PlacedRecords;
};

type KnownList = {
  readonly collection: string;
  list: PlacedRecords | undefined;
  reading: Promise<PlacedRecords> | undefined;
  /** The places of records that changed since. */
  readonly changed: Set<number>;
};

/** So many records are read at once. */
const fewRecords = 200;
const recordsBetweenLooks = 32;

export const createCollectionLists = (store: EntityStore, present: Present): CollectionLists => {
  const lists = new Map<string, KnownList>();
  let isWatched = false;

  const knownList = (collection: string): KnownList => {
    // Most worlds never list a collection.
    if (!isWatched) watchChanges(store, lists);
    isWatched = true;
    const known = lists.get(collection) ?? { collection, list: undefined, reading: undefined, changed: new Set() };
    lists.set(collection, known);
    return known;
  };

  const now = (collection: string): PlacedRecords => {
    const known = knownList(collection);
    if (known.list !== undefined) return upToDate(known, known.list, present);
    known.changed.clear();
    known.list = placedRecords(present.lookup(recordsOf(collection)));
    return known.list;
  };

  /** What changes meanwhile is noted from the beginning. */
  const read = async (known: KnownList): Promise<PlacedRecords> => {
    try {
      const [entities = []] = await store.lookupMany([recordsOf(known.collection)]);
      const slices = beginSlices();
      for (const [at, entity] of entities.entries()) {
        recordOf(entity);
        if (at % recordsBetweenLooks === 0 && slices.isOver()) await slices.next();
      }
      return upToDate(known, known.list ?? placedRecords(entities), present);
    } finally {
      known.reading = undefined;
    }
  };

  return {
    now,
    list: (collection) => {
      const known = knownList(collection);
      if (known.list !== undefined || present.count(recordsOf(collection)) <= fewRecords) return now(collection);
      known.reading ??= read(known);
      return known.reading;
    },
  };
};

const watchChanges = (store: EntityStore, lists: ReadonlyMap<string, KnownList>): void => {
  store.watch((touched, changed) => {
    const places = changed.flatMap(({ key }) => (key.startsWith(prefix) ? [Number(key.slice(prefix.length))] : []));
    if (places.length === 0) return;
    for (const { collection, changed: noted } of lists.values()) {
      if (touched.has(recordsOf(collection))) for (const place of places) noted.add(place);
    }
  });
};

/** Keeps the list with what has changed since. */
const upToDate = (known: KnownList, list: PlacedRecords, present: Present): PlacedRecords => {
  const changes = [...known.changed].map((place) => {
    const entity = present.get(entityKey(collectionRecordType, place));
    return [place, entity?.bundle === known.collection ? recordOf(entity) : undefined] as const;
  });
  known.changed.clear();
  known.list = withRecords(list, new Map(changes));
  return known.list;
};

const prefix = entityKey(collectionRecordType, 0).slice(0, -1);
