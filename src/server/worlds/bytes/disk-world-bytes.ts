/** The bytes of forked worlds in a data directory. They end with the process: the next start empties their folder. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onceFor } from '../../../basics/once.ts';
import type { Semaphore } from '../../../basics/semaphore.ts';
import {
  createBlobPool,
  type BlobPool,
  openDiskBlobStorage,
  withUploadQueue,
  writeProblem,
} from '../../../storage/storage.ts';
import type { BlobStorage } from '../../../openapi/openapi-records.ts';

/**
 * The limit of all forked worlds together: four of the largest uploads of the default site. Without one, forks that a test run forgets
 * would fill the disk until the main world has no more of it. Exported for the test that compares the docs with it.
 */
export const diskLimit = 4 * 1024 * 1024 * 1024;

type DiskWorldBytesOptions = {
  /** The data directory. */
  readonly directory: string;
  /** What stays free on the disk. An upload that needs it is refused with 507. */
  readonly freeBytes: number;
  /** The uploads of the main world wait in the same queue. */
  readonly uploads: Semaphore;
  /** See `DiskBlobStorageOptions`. */
  readonly requireHeld: () => Promise<void>;
  readonly maxBytes?: number | undefined;
};

type DiskWorldBytes = BlobPool & {
  /** Removes the folder. Call it when no world is left. */
  close(): Promise<void>;
};

/** The folder in a data directory. */
const folderName = 'forks';

/** Rejects with the system's error when what an earlier process left cannot be removed. */
export const openDiskWorldBytes = async (options: DiskWorldBytesOptions): Promise<DiskWorldBytes> => {
  const folder = join(options.directory, folderName);
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  await remove();
  const open = onceFor(async (directory: string): Promise<BlobStorage> => {
    const { uploads, requireHeld, freeBytes } = options;
    const place = { directory, requireHeld, makeRoom: () => pool.makeRoom() };
    // Nothing is synced: what is here is of no use to the next process.
    return withUploadQueue(await openDiskBlobStorage({ ...place, freeBytes, durability: 'os' }), uploads);
  });
  const storage = openedLate(() => open(folder));
  const pool = createBlobPool({ storage, maxBytes: options.maxBytes ?? diskLimit });
  return {
    ...pool,
    close: async () => {
      await pool.swept();
      await remove();
    },
  };
};

/** Most forks store no bytes, so a folder is made for the first that does. */
const openedLate = (open: () => Promise<BlobStorage>): BlobStorage => ({
  receive: async (source, options) => {
    const storage = await open().catch((error: unknown) => {
      throw writeProblem(error);
    });
    return storage.receive(source, options);
  },
  find: async (bytes) => (await open()).find?.(bytes),
  open: async (blob, range) => (await open()).open(blob, range),
  sweep: async (unnamed) => (await open()).sweep(unnamed),
  keys: async () => (await open()).keys(),
});
