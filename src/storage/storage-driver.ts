/** What a further driver of the ports of records and bytes is made of, as those in PostgreSQL and in IndexedDB are. */

/** An `EntityStore` of published records and a writer: decides one transaction after another, and publishes a batch when it is durable. */
export { createBatchedEntityStore } from './batched-entity-store.ts';
/** Makes batches durable, one at a time. When it rejects, the batch was not published. */
export type { BatchWriter } from './batched-entity-store.ts';
/** The changes of one decision, and the counters that it drew from. */
export type { ChangeSet } from './batched-entity-store.ts';
/** The published records, with their indexes. */
export type { RecordSet } from './record-set.ts';
/** The key of the record that a change puts or removes. */
export { changedKey } from './record-set.ts';
/** The records as a decision sees them: the published ones with its own changes over them. */
export { createStagedRecords } from './staged-records.ts';

/** Keeps apart what arrives and what is swept, so that no bytes are removed that a record is about to name. */
export { createArrivals } from './blobs/arrivals.ts';
/** What a storage calls when a body arrives and when unnamed bytes are swept. */
export type { Arrivals } from './blobs/arrivals.ts';
/**
 * Reads a body chunk by chunk into `store`; resolves with its size and SHA-256. Rejects with 413 above `maxBytes`, and when `signal`
 * aborts.
 */
export { receiveBody } from './blobs/receive-body.ts';
/** A `BlobStorage` that only reads. `name` is how its errors call it. */
export { readOnlyBlobs } from './blobs/read-only-blobs.ts';

/**
 * A list of control tokens with one more, without those that have expired. `tokens` is undefined where its name is taken or there are too
 * many.
 */
export { withToken } from './control-tokens/token-list.ts';
