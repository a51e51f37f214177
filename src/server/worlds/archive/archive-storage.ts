/** Keeps the bytes of an arriving archive until the import ends: in memory. `disk-archive-storage.ts` does it on disk. */
import type { BlobStorage } from '../../../core/model/blob-storage.ts';
import { createMemoryBlobStorage } from '../../../storage/blobs/memory-blob-storage.ts';

/** A storage for one import. */
type ArchiveStorage = {
  readonly blobs: BlobStorage;
  /** Removes everything in it. */
  close(): Promise<void>;
};

/** Opens one. Rejects with the system's error. */
export type OpenArchiveStorage = () => Promise<ArchiveStorage>;

/** With the limit of a world in memory. */
export const openMemoryArchiveStorage: OpenArchiveStorage = () =>
  Promise.resolve({ blobs: createMemoryBlobStorage(), close: () => Promise.resolve() });
