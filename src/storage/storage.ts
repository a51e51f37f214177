/** The door of the storage: records in memory and in a journal, collections, bytes in memory, on disk and in a bucket, control tokens. */

/** The records and counters that a new store begins with. */
export type { InitialRecords } from './memory-entity-store.ts';
/** An `EntityStore` in memory. What it is given ends with the process. */
export { createMemoryEntityStore } from './memory-entity-store.ts';
/**
 * An `EntityStore` in a data directory, which it locks: a snapshot and a journal, to which a write is synced before it is published. A
 * missing or empty directory becomes a new repository (`isNew`). Rejects with `ATOLL_STORE_DAMAGED`, `ATOLL_DIRECTORY_IN_USE`,
 * `ATOLL_FOREIGN_DIRECTORY`, or an error of the system.
 */
export { openJournalEntityStore } from './journal/journal-entity-store.ts';
/** The store, and what only one with a directory can do: fill, replace, freeze, compact, say how it is. It ends with `store.close()`. */
export type { JournalEntityStore } from './journal/journal-entity-store.ts';

/** Records of a moment. They never change, so forks, snapshots and resets share them. `createRecordSet(model, frozen)` reads them. */
export type { FrozenRecords } from './record-layer.ts';
/** The keys in which one frozen set may differ from another. Reads only the layers that they do not share. */
export { possiblyChangedKeys } from './record-layer.ts';
/** The record of a key in a frozen set. */
export { recordIn } from './record-layer.ts';
/** Records that a store publishes, over frozen ones or none. `freeze` returns those of this moment. */
export { createRecordSet } from './record-set.ts';

/**
 * The collections of a world, kept in its entity store; the same object for the same store. Undefined where a store answers only after
 * waiting, as a database does.
 */
export { collectionsIn } from './collections/entity-collections.ts';
/** What a handler gets: a collection by its name. Throws a Problem 501 where the store keeps none. */
export { collectionNamed } from './collections/entity-collections.ts';
/** A value as a collection keeps it: a frozen copy. Throws a `TypeError` for what JSON does not have, a Problem 413 beyond the bounds. */
export { storedValue } from './collections/collection-values.ts';

/** A `BlobStorage` in memory. */
export { createMemoryBlobStorage } from './blobs/memory-blob-storage.ts';
/**
 * A `BlobStorage` in a directory, which is made; each blob under its hash. It needs no closing. Bodies arrive in `temporary/`, and
 * `freeBytes` of the file system stay free (else 507; 0 when left out). Where another process may use the directory, say in `abandonedMs`
 * how old arrivals are that may be removed; below a data directory that `openJournalEntityStore` has locked none does.
 */
export { openDiskBlobStorage } from './blobs/disk-blob-storage.ts';
/** Such a directory, to read from while a server holds it. Nothing is compared with its hash. */
export { readDiskBlobs } from './blobs/disk-blob-storage.ts';
/** A `BlobStorage` in a bucket. Opening it sends no request, so a server starts while the service is down. */
export { openS3BlobStorage } from './blobs/s3-blob-storage.ts';
/** Reads `s3://bucket/prefix?region=…&endpoint=…&path-style=true`. Throws a `ConfigurationError` that never repeats the address. */
export { readBytesAddress } from './blobs/bytes-address.ts';
/** A site whose bytes are all in that bucket, each scheme below its name. The same site without a location. */
export { withBytesAt } from './blobs/bytes-address.ts';
/** A storage whose uploads wait for a permit of the queue. A waiting upload reads nothing. */
export { withUploadQueue } from './blobs/receive-body.ts';

/** One storage that many worlds share, up to `maxBytes`. A blob goes when no world names it any more. */
export { createBlobPool } from './blobs/blob-pool.ts';
/** Opens a storage for each world, and makes room. */
export type { BlobPool } from './blobs/blob-pool.ts';
/** The storage of one world of the pool. It is closed with its world. */
export type { PooledBlobStorage } from './blobs/blob-pool.ts';
/** Removes the bytes that no record names any more, some time after a write. */
export { createBlobSweeper } from './blobs/blob-sweeper.ts';
/** Takes the bytes to look at, and those that wait until a generation goes. */
export type { BlobSweeper } from './blobs/blob-sweeper.ts';
/** Reads a blob to its end and compares it with the hash in its record. */
export { blobState } from './blobs/check-blobs.ts';
/** `whole`, `absent` (missing, or of another length) or `changed`. */
export type { BlobState } from './blobs/check-blobs.ts';
/** Whether a stream of bytes ended because they are not the stored ones. */
export { isBytesChanged } from './blobs/check-blobs.ts';

/** The control tokens of a data directory that this process has locked. */
export { openFileControlTokens } from './control-tokens/file-control-tokens.ts';
/** Control tokens in memory. They end with the process. */
export { createMemoryControlTokens } from './control-tokens/token-list.ts';
/** Whether a token is refused for its age. `now` is in milliseconds since 1970. */
export { isExpired } from './control-tokens/token-list.ts';

/** A Problem for an error of the system while something was written: 507 without space, else 503. */
export { writeProblem } from './write-problem.ts';
