/** Removal that waits until no kept generation of the records names a blob. Which generations are kept is told, not decided. */
import { Problem } from '../../problem.ts';
import type { BlobStorage } from '../../model/blob-storage.ts';

/** What a removal has to know about the records' files. */
export type Generations = {
  /** The generation that changes are written to now. */
  current(): number;
  /** The disk was full at the last write: space is needed more than history. */
  isCramped(): boolean;
  /** Asks for a compaction after the next batch. */
  compact(): void;
};

/** A storage whose `remove` waits, and the call that ends the waiting. */
export type ReleasingBlobStorage = BlobStorage & {
  /** Removes what no generation from this one on can name. */
  generationsDropped(oldestKept: number): Promise<void>;
};

/** Released bytes above this make a compaction worth while, so that they do not pile up in a quiet repository. */
export const releasedBytesLimit = 256 * 1024 * 1024;

type Released = { readonly generation: number; readonly size: number };

/**
 * Puts patience before a storage's `remove`: an older snapshot with its journals, and a copy of the directory that was
 * taken meanwhile, still find their bytes (house 1.11). On a full disk everything that waits goes at once.
 */
export const withReleasedBlobs = (
  storage: BlobStorage,
  sizeOf: (key: string) => Promise<number>,
  generations: Generations,
): ReleasingBlobStorage => {
  const waiting = new Map<string, Released>();
  let isTight = false;

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
    receive: async (source, options) => {
      try {
        const received = await storage.receive(source, options);
        isTight = false;
        return received;
      } catch (error) {
        isTight = error instanceof Problem && error.status === 507;
        if (isTight) await removeWhere(() => true);
        throw error;
      }
    },
    open: (blob, range) => storage.open(blob, range),
    remove: async (key) => {
      if (isTight || generations.isCramped()) {
        await storage.remove(key);
        await removeWhere(() => true);
        return;
      }
      // Asked before anything is awaited: the change that let go of the blob lies in this generation or in an earlier one.
      const generation = generations.current();
      waiting.set(key, { generation, size: await sizeOf(key) });
      compactWhenMany();
    },
    keys: () => storage.keys(),
    generationsDropped: async (oldestKept) => {
      await removeWhere(({ generation }) => generation < oldestKept);
      compactWhenMany();
    },
  };
};
