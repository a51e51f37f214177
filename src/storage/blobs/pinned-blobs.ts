/** Removal that waits until no kept moment of the records can name a blob. Which moments are kept is told, not decided. */
import type { BlobStorage } from '../../model/blob-storage.ts';

/** A storage whose `remove` waits for the pins. */
export type PinnedBlobStorage = BlobStorage & {
  /** From now on every blob that is there stays. The result ends that, and removes what nothing else keeps. */
  pin(): () => Promise<void>;
  /** Removes a blob by another way than the storage's own `remove`, when no pin keeps it. */
  readonly removeBy: (key: string, remove: BlobStorage['remove']) => Promise<void>;
  /** Records name these blobs again: their removals are forgotten. */
  revive(keys: Iterable<string>): void;
};

type Removal = { readonly born: number; readonly gone: number; readonly remove: () => Promise<void> };

/**
 * Puts pins before a storage's `remove`: what a fork or a snapshot was made from is still read through it when its own
 * world has let go of it (house 1.11). A blob that came after a pin, or was gone before it, is none of its business.
 */
export const withPins = (storage: BlobStorage): PinnedBlobStorage => {
  /** One more with every pin, arrival and removal. */
  let moment = 0;
  const pins = new Set<{ readonly at: number }>();
  const born = new Map<string, number>();
  const waiting = new Map<string, Removal>();

  const isPinned = (removal: Removal): boolean => [...pins].some(({ at }) => removal.born < at && at < removal.gone);

  const removeFree = async (): Promise<void> => {
    if (pins.size === 0) born.clear();
    for (const [key, removal] of [...waiting]) {
      if (isPinned(removal)) continue;
      waiting.delete(key);
      // Nothing names it any more: bytes that cannot be removed now are swept at the next start.
      await removal.remove().catch(() => undefined);
    }
  };

  const removeBy: PinnedBlobStorage['removeBy'] = async (key, remove) => {
    const removal = { born: born.get(key) ?? 0, gone: (moment += 1), remove: () => remove(key) };
    born.delete(key);
    if (isPinned(removal)) waiting.set(key, removal);
    else await removal.remove();
  };

  return {
    ...storage,
    receive: async (source, options) => {
      const received = await storage.receive(source, options);
      return {
        ...received,
        keep: async () => {
          const blob = await received.keep();
          if (pins.size > 0) born.set(blob.key, (moment += 1));
          return blob;
        },
      };
    },
    remove: (key) => removeBy(key, (each) => storage.remove(each)),
    removeBy,
    pin: () => {
      const pin = { at: (moment += 1) };
      pins.add(pin);
      return async () => {
        if (pins.delete(pin)) await removeFree();
      };
    },
    revive: (keys) => {
      for (const key of keys) waiting.delete(key);
    },
  };
};
