/** Repositories in files: exports, archives, and data directories that are read, checked and repaired. */

/**
 * Writes a repository as a directory: a JSON file for each record of a type in `recordTypes` (there are no others), and the bytes that
 * the `blob` of a record names. The target is made, is empty, or is an earlier export that is replaced; anything else rejects with
 * `ATOLL_EXPORT_TARGET`. The same repository gives the same bytes. `onProgress` is called with the number of records. Resolves with
 * counts and the files whose bytes are lost.
 */
export { writeExport } from './export/export-writer.ts';
/**
 * What is exported: records, counters, and `blobsOf`, the storage of the bytes of a file. A journal gives them by `createRecordSet(model,
 * journal.freeze())`, then `all()` and `counters()`.
 */
export type { ExportSource } from './export/exported-files.ts';
/** Whether a directory is an export, whole or not. */
export { isExport } from './export/export-writer.ts';
/** The records and counters of an exported directory. Rejects with `ATOLL_EXPORT_UNREADABLE`, whose message names file and remedy. */
export { readExport } from './export/export-directory.ts';
/**
 * The bytes of an exported directory, to read by the `blob` of the records that `readExport` gives: their names differ from those in the
 * source.
 */
export { exportBlobs } from './export/export-directory.ts';
/** Where a directory has what a fault names: file, line and record. Undefined where it has no such file. */
export { placeInExport } from './export/export-directory.ts';
/**
 * The types that an export can hold, in the order in which they are written, read and compared: `node`, `media`, `file`, `taxonomy_term`,
 * `user`, `path_alias`, `redirect`, `collection_record`.
 */
export { recordTypes } from './export/export-format.ts';
/** Counters as `export.json` has them: those above 0, in an order that never changes. */
export { exportedCounters } from './export/export-format.ts';

/** The same as one tar archive, in chunks. */
export { writeArchive } from './export/archive-writer.ts';
/**
 * Reads such an archive file by file while it arrives. Throws a `ConfigurationError` with file and line, and a Problem 413 when a file is
 * too large.
 */
export { readArchiveFiles } from './export/archive-reader.ts';

/**
 * Locks a data directory while `read` runs on its records, and verifies each generation in it. Rejects with `ATOLL_NO_STORE`,
 * `ATOLL_DIRECTORY_IN_USE` or `ATOLL_STORE_DAMAGED`.
 */
export { readStoredRepository } from './journal/stored-repository.ts';
/** The records of a data directory as its running server has written them. Takes no lock. */
export { readServedRepository } from './journal/stored-repository.ts';
/** The keys of all blobs that a kept generation names. A sweep leaves them. */
export { blobKeysInGenerations } from './journal/stored-repository.ts';
/** Whether a repair kept the files as they were: then bytes that no record names stay. */
export { keepsUnnamedBytes } from './journal/stored-repository.ts';
/** Makes a damaged data directory start again. Resolves with what is lost and where the files are as they were. */
export { repairStore } from './journal/repair.ts';
/** The file by which a directory is known to hold a repository. */
export { markerName } from './journal/store-files.ts';

/** `ATOLL_NO_STORE`, `ATOLL_FOREIGN_DIRECTORY`, `ATOLL_STORE_DAMAGED`, `ATOLL_EXPORT_UNREADABLE`, `ATOLL_EXPORT_TARGET`. */
export type { StorageErrorCode } from './store-errors.ts';
/** An error with such a code. */
export { storageError } from './store-errors.ts';
/** The error of a damaged store: `file`, and `offset` in bytes. */
export { storeDamaged } from './store-errors.ts';
/** Whether an error is that one. */
export { isStoreDamaged } from './store-errors.ts';
