/** Delays the removal of blobs that a kept generation of the records may still name. */
import { Problem } from '../../problem.ts';
import type { BlobStorage } from '../../model/blob-storage.ts';

/** The state of the records' files. */
export type Generations = {
  /** The generation to which changes are written now. */
  current(): number;
  /** The disk was full at the last write, so space matters more than old generations. */
  isOutOfSpace(): boolean;
  /** Requests a compaction after the next batch. */
  compact(): void;
};

export type ReleasingBlobStorage = BlobStorage & {
  /** Removes the blobs that only older generations name. */
  generationsDropped(oldestKept: number): Promise<void>;
};

/** More waiting bytes than this request a compaction, so that they do not pile up in a quiet repository. */
const releasedBytesLimit = 256 * 1024 * 1024;

type Released = { readonly generation: number; readonly size: number };

/**
 * Delays a storage's `remove`, so that the bytes exist for an older checkpoint with its journals, and for a copy of the
 * directory that is being taken. On a full disk it removes all waiting blobs at once.
 */
export const withReleasedBlobs = (
  storage: BlobStorage,
  sizeOf: (key: string) => Promise<number>,
  generations: Generations,
): ReleasingBlobStorage => {
  const waiting = new Map<string, Released>();
  let isDiskFull = false;

  const removeWhere = async (mayGo: (released: Released) => boolean): Promise<void> => {
    for (const [key, released] of [...waiting]) {
      if (!mayGo(released)) continue;
      waiting.delete(key);
      // What cannot be removed now waits for the next compaction.
      await storage.remove(key).catch(() => waiting.set(key, released));
    }
  };
  const compactWhenMany = (): void => {
    let bytes = 0;
    for (const { size } of waiting.values()) bytes += size;
    if (bytes > releasedBytesLimit) generations.compact();
  };

  return {
    ...storage,
    receive: async (source, options) => {
      try {
        const received = await storage.receive(source, options);
        isDiskFull = false;
        return received;
      } catch (error) {
        isDiskFull = error instanceof Problem && error.status === 507;
        if (isDiskFull) await removeWhere(() => true);
        throw error;
      }
    },
    remove: async (key) => {
      if (isDiskFull || generations.isOutOfSpace()) {
        await storage.remove(key);
        await removeWhere(() => true);
        return;
      }
      // Read before the first await: the change that released the blob is in this generation or an earlier one.
      const generation = generations.current();
      waiting.set(key, { generation, size: await sizeOf(key) });
      compactWhenMany();
    },
    generationsDropped: async (oldestKept) => {
      await removeWhere(({ generation }) => generation < oldestKept);
      compactWhenMany();
    },
  };
};
