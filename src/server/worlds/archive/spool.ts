/** Keeps the bytes of an arriving archive until the import ends: in memory. `disk-spool.ts` does it on disk. */
import type { BlobStorage } from '../../../core/model/blob-storage.ts';
import { createMemoryBlobStorage } from '../../../storage/blobs/memory-blob-storage.ts';

/** A storage for one import. */
type Spool = {
  readonly blobs: BlobStorage;
  /** Removes everything in it. */
  close(): Promise<void>;
};

/** Opens a spool. Rejects with the system's error. */
export type OpenSpool = () => Promise<Spool>;

/** With the limit of a world in memory. */
export const openMemorySpool: OpenSpool = () =>
  Promise.resolve({ blobs: createMemoryBlobStorage(), close: () => Promise.resolve() });
