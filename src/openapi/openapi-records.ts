/** The door to the records of a world, and to the ports of stores, bytes and time. Importing it loads no validator. */

/** A record that is stored. */
export type { Entity } from './ports/entity.ts';
/** Names a record among all of its world. */
export type { EntityKey } from './ports/entity.ts';
/** The name of a field. */
export type { FieldName } from './ports/entity.ts';
/** One of the values of a field. */
export type { FieldItem } from './ports/entity.ts';
/** The values of a field. */
export type { FieldItems } from './ports/entity.ts';
/** All fields of a record. */
export type { Fields } from './ports/entity.ts';
/** Where the bytes of a record are. */
export type { BlobReference } from './ports/entity.ts';
/** The key of a type and an id. */
export { entityKey } from './ports/entity.ts';
/** The key of a record. */
export { keyOf } from './ports/entity.ts';
/** The values of a field of a record. */
export { items } from './ports/entity.ts';
/** The first value of a field of a record. */
export { firstValue } from './ports/entity.ts';
/** The scheme of the storage that has the bytes of a record. */
export { schemeOf } from './ports/entity.ts';
/** A JSON value as text. */
export { textOf } from './ports/entity.ts';

/** Keeps records. */
export type { EntityStore } from './ports/entity-store.ts';
/** What a store has to know of the records of an application. */
export type { RecordModel } from './ports/entity-store.ts';
/** The name of a set of records. */
export type { IndexKey } from './ports/entity-store.ts';
/** Computes the sets that a record is in. */
export type { IndexKeys } from './ports/entity-store.ts';
/** What a decision sees. */
export type { StoreView } from './ports/entity-store.ts';
/** What is staged, besides the records themselves. */
export type { StagedState } from './ports/entity-store.ts';
/** The changes of a transaction, and its result. */
export type { Decision } from './ports/entity-store.ts';
/** One change of a transaction. */
export type { Change } from './ports/entity-store.ts';
/** A record that was put or removed. */
export type { ChangedRecord } from './ports/entity-store.ts';
/** What a decision will read. */
export type { StoreRead } from './ports/entity-store.ts';
/** What is at hand of records behind a network. */
export type { KnownRecords } from './ports/entity-store.ts';
/** What ids are drawn from. */
export type { Counter } from './ports/entity-store.ts';
/** The highest id that each counter has drawn. */
export type { Counters } from './ports/entity-store.ts';
/** Which records of a type a page of `EntityStore.list` shows. */
export type { ListOptions } from './ports/entity-store.ts';

/** Finds records by a filter, in an order, a part at a time. */
export type { FindRecords } from './ports/record-query.ts';
/** The part of a list that a `RecordQuery` asks for. */
export type { FoundRecords } from './ports/record-query.ts';
/** A position in an order. */
export type { Place } from './ports/record-query.ts';
/** What a record is found and sorted by. */
export type { Listing } from './ports/record-query.ts';
/** Which records are asked for. */
export type { RecordFilter } from './ports/record-query.ts';
/** The orders that there are. */
export { recordOrders } from './ports/record-query.ts';
/** How records are sorted. */
export type { RecordOrder } from './ports/record-query.ts';
/** A part of a list of records. */
export type { RecordQuery } from './ports/record-query.ts';

/** Keeps bytes. */
export type { BlobStorage } from './ports/blob-storage.ts';
/** How a body is received. */
export type { ReceiveOptions } from './ports/blob-storage.ts';
/** A body that is stored under no name yet. */
export type { ReceivedBlob } from './ports/blob-storage.ts';
/** How many of its first bytes a received blob keeps in memory. */
export { headBytes } from './ports/blob-storage.ts';
/** A bucket of an S3 service. */
export type { S3Location } from './ports/blob-storage.ts';
/** A part of the bytes. */
export type { ByteRange } from './ports/blob-storage.ts';

/** The time of a world. */
export type { Clock } from './ports/clock.ts';
/** What makes uuids and secrets. */
export type { Identifiers } from './ports/clock.ts';
/** The time in whole seconds since 1970. */
export { secondsOf } from './ports/clock.ts';
/** Draws the uuids of a decision, the same ones where it runs again. */
export { createDrawnUuids } from './ports/clock.ts';
/** What `createDrawnUuids` returns. */
export type { DrawnUuids } from './ports/clock.ts';

/** The type of the entities that are records of collections. */
export { collectionRecordType } from './ports/collection-records.ts';
/** The entity of a record of a collection. */
export { collectionEntity } from './ports/collection-records.ts';
/** The id of such a record in its collection. */
export { idInCollection } from './ports/collection-records.ts';
/** The index keys of such a record. */
export { collectionKeys } from './ports/collection-records.ts';
/** The ids that such a record uses up. */
export { countersOfCollection } from './ports/collection-records.ts';
/** What is wrong with a stored record of a collection. */
export { formFaultsOfCollection } from './ports/record-faults.ts';
/** Stored records with the id or uuid of another one. */
export { identityFaults } from './ports/record-faults.ts';
/** A stored record with an id above its counter. */
export { counterFaults } from './ports/record-faults.ts';
/** The counters of a store that these records fill. */
export { highestCounters } from './ports/entity-store.ts';
/** Finds all records of collections. */
export { everyCollectionRecord } from './ports/collection-records.ts';
/** Finds the records of a collection. */
export { recordsOf } from './ports/collection-records.ts';
/** Finds one record of a collection. */
export { collectionRecord } from './ports/collection-records.ts';
/** Counts the highest number among the ids of a collection. */
export { highestNumber } from './ports/collection-records.ts';
/** The number that an id counts as. */
export { numberOf } from './ports/collection-records.ts';
/** Says whether a collection has begun. */
export { begun } from './ports/collection-records.ts';
/** Says that all collections have begun. */
export { allBegun } from './ports/collection-records.ts';
/** The collections that have begun. */
export { begunCollections } from './ports/collection-records.ts';
/** Opens the collections of a world in a decision of its store. */
export type { CollectionDecisions } from './ports/collection-records.ts';
/** Whether a counter is one of collections. */
export { isCollectionCounter } from './ports/collection-records.ts';
