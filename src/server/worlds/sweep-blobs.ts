/** Removes stored bytes that no record names, at the start. */
import { join } from 'node:path';
import type { BlobSweeper } from '../../storage/storage.ts';
import { blobKeyOf, filesWithBytes } from './file-blobs.ts';
import { blobKeysInGenerations, keepsUnnamedBytes } from '../../storage/storage-export.ts';
import { Problem } from '../../openapi/openapi-terms.ts';
import { type BlobStorage, type EntityStore, schemeOf } from '../../openapi/openapi-records.ts';

/** The directory for the bytes of a scheme, below a data directory. */
export const blobDirectory = (directory: string, scheme: string): string => join(directory, 'blobs', scheme);

type Sweep = {
  readonly store: EntityStore;
  readonly storages: ReadonlyMap<string, BlobStorage>;
  /** Gets the bytes that only a kept generation names. */
  readonly sweeper: Pick<BlobSweeper, 'wait'>;
  readonly directory: string;
  readonly warn: (message: string) => void;
};

/**
 * Removes bytes that no record names: a crash between writing bytes and writing their record leaves such bytes. Bytes that
 * only an older generation names are removed later, with that generation. Logs each file whose bytes are missing.
 */
export const sweepBlobs = async ({ store, storages, sweeper, directory, warn }: Sweep): Promise<void> => {
  const files = await filesWithBytes(store);
  // By key alone, which is unique: several schemes may lie in one bucket, and each of them lists the keys of all.
  const named = new Set(files.map(blobKeyOf));
  let inGenerations: ReadonlySet<string> | undefined;
  for (const [scheme, storage] of storages) {
    const keys = await storage.keys().catch((error: unknown) => {
      if (!(error instanceof Problem)) throw error;
      return undefined;
    });
    if (keys === undefined) {
      // The server starts without a service that is down: the records and the other bytes are intact.
      warn(`The storage of ${scheme}:// cannot be reached. Its content answers 503 until it can.`);
      continue;
    }
    const present = new Set(keys);
    const missing = files.filter((file) => schemeOf(file) === scheme && !present.has(blobKeyOf(file)));
    for (const { id } of missing) warn(`The bytes of file ${id} are missing from ${scheme}://.`);
    const unnamed = [...present].filter((key) => !named.has(key));
    if (unnamed.length === 0) continue;
    if (await keepsUnnamedBytes(directory)) {
      warn(`${unnamed.length} stored files of ${scheme}:// that no record names are kept, as the last repair wanted.`);
      continue;
    }
    inGenerations ??= await blobKeysInGenerations(directory);
    const orphans = new Set(unnamed);
    for (const key of inGenerations) if (orphans.delete(key)) sweeper.wait(scheme, { key, size: 0 });
    const removed = await storage.sweep(() => Promise.resolve(orphans));
    if (removed.length > 0) warn(`Removed ${removed.length} stored files of ${scheme}:// that no record names.`);
  }
};
