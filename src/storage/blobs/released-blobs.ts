/** Delays the removal of blobs that a kept generation of the records may still name. */
import { Problem } from '../../core/problem.ts';
import type { BlobStorage } from '../../core/model/blob-storage.ts';
import type { BlobReference } from '../../core/model/entity.ts';

/** The state of the records' files. */
type Generations = {
  /** The generation to which changes are written now. */
  current(): number;
  /** The disk was full at the last write, so space matters more than old generations. */
  isOutOfSpace(): boolean;
  /** Requests a compaction after the next batch. */
  compact(): void;
};

type ReleasingBlobStorage = BlobStorage & {
  /** Removes the blobs that only older generations name. */
  generationsDropped(oldestKept: number): Promise<void>;
};

/** More waiting bytes than this request a compaction, so that they do not pile up in a quiet repository. */
const releasedBytesLimit = 256 * 1024 * 1024;

type Released = { readonly generation: number; readonly size: number };

/** The blobs that wait for their removal. */
const createWaiting = (storage: BlobStorage) => {
  const waiting = new Map<string, Released>();
  let bytes = 0;
  const add = (key: string, released: Released): void => {
    bytes += released.size - (waiting.get(key)?.size ?? 0);
    waiting.set(key, released);
  };
  return {
    add,
    bytes: () => bytes,
    removeWhere: async (mayGo: (released: Released) => boolean): Promise<void> => {
      for (const [key, released] of [...waiting]) {
        if (!mayGo(released) || !waiting.delete(key)) continue;
        bytes -= released.size;
        // What cannot be removed now waits for the next compaction.
        await storage.remove(key).catch(() => add(key, released));
      }
    },
  };
};

/**
 * Delays a storage's `remove`, so that the bytes exist for an older checkpoint with its journals, and for a copy of the
 * directory that is being taken. On a full disk it removes all waiting blobs at once.
 */
export const withReleasedBlobs = (
  storage: BlobStorage,
  sizeOf: (key: string) => number,
  generations: Generations,
): ReleasingBlobStorage => {
  const waiting = createWaiting(storage);
  let isDiskFull = false;

  const compactWhenMany = (): void => {
    if (waiting.bytes() > releasedBytesLimit) generations.compact();
  };
  /** Notices a full disk, and makes room on it. */
  const freeingSpace = async <T>(write: () => Promise<T>): Promise<T> => {
    try {
      return await write();
    } catch (error) {
      isDiskFull = error instanceof Problem && error.status === 507;
      if (isDiskFull) await waiting.removeWhere(() => true);
      throw error;
    }
  };

  return {
    ...storage,
    receive: async (source, options) => {
      const received = await freeingSpace(() => storage.receive(source, options));
      const keep = async (): Promise<BlobReference> => {
        const blob = await freeingSpace(() => received.keep());
        isDiskFull = false;
        return blob;
      };
      return { ...received, keep };
    },
    remove: async (key) => {
      if (isDiskFull || generations.isOutOfSpace()) {
        await storage.remove(key);
        await waiting.removeWhere(() => true);
        return;
      }
      // The change that released the blob is in this generation or an earlier one.
      waiting.add(key, { generation: generations.current(), size: sizeOf(key) });
      compactWhenMany();
    },
    generationsDropped: async (oldestKept) => {
      await waiting.removeWhere(({ generation }) => generation < oldestKept);
      compactWhenMany();
    },
  };
};
