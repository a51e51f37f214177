/** Says how the records of collections lie in an entity store: the entity of each, its index keys and its counters. */
import type { CollectionsView } from '../collections/collection-store.ts';
import type { Counter, Counters, Decision, StoreView } from './entity-store.ts';
import type { Json } from '../../basics/json.ts';
import { type Entity, firstValue, textOf } from './entity.ts';

/** The type of these entities. Their bundle is the name of the collection; what clients call the id is a field. */
export const collectionRecordType = 'collection_record';

/** Counts the highest number that a record of the collection has had as its id. */
export const highestNumber = (collection: string): Counter => `${collectionRecordType}:${collection}`;
/** Is 1 once the collection has, or has had, records. */
export const begun = (collection: string): Counter => `${begunPrefix}${collection}`;
/** Is 1 where no collection begins with any records. */
export const allBegun: Counter = 'collections_begun';

const begunPrefix = 'collection_begun:';

/** The collections that have, or have had, records. */
export const begunCollections = (counters: object): string[] =>
  Object.keys(counters)
    .filter((name) => name.startsWith(begunPrefix))
    .map((name) => name.slice(begunPrefix.length));

/** Whether a counter is one of collections. Their names are not known beforehand. */
export const isCollectionCounter = (name: Counter): boolean =>
  name === allBegun || name.startsWith(begunPrefix) || name.startsWith(`${collectionRecordType}:`);

/** The entity of a record. `place` is its number in the order in which records were added. */
export const collectionEntity = (collection: string, id: string, value: Json, place: number): Entity => ({
  ...{ type: collectionRecordType, id: place, uuid: '', bundle: collection },
  fields: { id: [{ value: id }], value: [{ value }] },
});

/** The id of a record in its collection. */
export const idInCollection = (entity: Entity): string => textOf(firstValue(entity, 'id'));

/** Finds all records of collections. */
export const everyCollectionRecord = 'collection-records';
/** Finds the records of a collection, in the order in which they were added. */
export const recordsOf = (collection: string): string => `collection:${collection}`;
/** Finds one record. No other has this key. */
export const collectionRecord = (collection: string, id: string): string =>
  `collection-record:${collection.replaceAll('%', '%25').replaceAll('/', '%2F')}/${id}`;

export const collectionKeys = (entity: Entity): readonly string[] => [
  everyCollectionRecord,
  recordsOf(entity.bundle),
  collectionRecord(entity.bundle, idInCollection(entity)),
];

/** Longer numbers are texts: the next higher one of the longest would not be exact. */
const wholeNumber = /(?:^|\/)(?<number>0|[1-9]\d{0,14})$/;

/** The number that an id counts as among those of its collection. Below a parent it is the part behind the last slash. */
export const numberOf = (id: string): number | undefined => {
  const number = wholeNumber.exec(id)?.groups?.['number'];
  return number === undefined ? undefined : Number(number);
};

/** What `RecordModel.countersOf` says of a record of a collection. */
export const countersOfCollection = (entity: Entity): Counters => {
  const number = numberOf(idInCollection(entity));
  return {
    [collectionRecordType]: entity.id,
    ...(number === undefined ? {} : { [highestNumber(entity.bundle)]: number }),
  };
};

/** Opens the collections of a world in a decision of its store. */
export type CollectionDecisions = {
  /** Its changes belong to those of the decision. */
  readonly decideIn: <T>(view: StoreView, decide: (collections: CollectionsView) => T) => Decision<T>;
};
