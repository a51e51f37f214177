/** The bytes of all worlds of a server that keeps them in memory. */
import { createBlobPool, type BlobPool, createMemoryBlobStorage } from '../../../storage/storage.ts';
import type { OpenArchiveStorage } from '../archive/archive-storage.ts';

/** The limit of all worlds together, the main world and arriving archives among them. Exported for the test that compares the docs with it. */
export const memoryLimit = 256 * 1024 * 1024;

export const createMemoryWorldBytes = (maxBytes = memoryLimit): BlobPool =>
  createBlobPool({ storage: createMemoryBlobStorage(), maxBytes });

/** Keeps the bytes of arriving archives among those of the worlds, so that the world that gets them need not copy them. */
export const archivesInPool =
  (pool: BlobPool): OpenArchiveStorage =>
  async () => {
    const blobs = pool.openStorage();
    return { blobs, close: async () => blobs.close() };
  };
