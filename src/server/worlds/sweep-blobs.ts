/** Removes stored bytes that no record names: at the start, and later when their record is deleted or replaced. */
import { join } from 'node:path';
import { schemeOf } from '../../core/content/repository.ts';
import { Problem } from '../../core/problem.ts';
import type { BlobStorage } from '../../core/model/blob-storage.ts';
import { diskBlobSize } from '../../storage/blobs/disk-blob-storage.ts';
import type { EntityStore } from '../../core/model/entity-store.ts';
import { blobKeyOf, filesWithBytes } from './file-blobs.ts';
import type { JournalEntityStore } from '../../storage/journal/journal-entity-store.ts';
import { withReleasedBlobs } from '../../storage/blobs/released-blobs.ts';
import { blobKeysInGenerations, keepsUnnamedBytes } from '../../storage/journal/stored-repository.ts';

/** The directory for the bytes of a scheme, below a data directory. */
export const blobDirectory = (directory: string, scheme: string): string => join(directory, 'blobs', scheme);

/** The same storages, whose `remove` waits until no kept generation of the records names the bytes. */
export const withDelayedRemoval = (
  records: JournalEntityStore,
  storages: ReadonlyMap<string, BlobStorage>,
  directory: string,
): ReadonlyMap<string, BlobStorage> => {
  const generations = {
    current: () => records.statistics().generation,
    isOutOfSpace: () => records.isOutOfSpace(),
    compact: () => {
      records.compact();
    },
  };
  return new Map(
    [...storages].map(([scheme, storage]) => {
      const sizeOf = (key: string): number => diskBlobSize(blobDirectory(directory, scheme), key);
      const releasing = withReleasedBlobs(storage, sizeOf, generations);
      records.onGenerationsDropped((oldestKept) => releasing.generationsDropped(oldestKept));
      return [scheme, releasing];
    }),
  );
};

type Sweep = {
  readonly store: EntityStore;
  /** The storages below `delayed`. Their `remove` does not wait. */
  readonly storages: ReadonlyMap<string, BlobStorage>;
  /** The storages from `withDelayedRemoval`. */
  readonly delayed: ReadonlyMap<string, BlobStorage>;
  readonly directory: string;
  readonly warn: (message: string) => void;
};

/**
 * Removes bytes that no record names: a crash between writing bytes and writing their record leaves such bytes. Bytes that
 * only an older generation names are removed later, with that generation. Logs each file whose bytes are missing.
 */
export const sweepBlobs = async ({ store, storages, delayed, directory, warn }: Sweep): Promise<void> => {
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
    let orphans = 0;
    for (const key of unnamed) {
      if (inGenerations.has(key)) await delayed.get(scheme)?.remove(key);
      else {
        await storage.remove(key);
        orphans += 1;
      }
    }
    if (orphans > 0) warn(`Removed ${orphans} stored files of ${scheme}:// that no record names.`);
  }
};
