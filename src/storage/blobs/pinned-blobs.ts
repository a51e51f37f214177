/** Delays the removal of blobs that a fork or a named snapshot still needs. */
import type { BlobStorage } from '../../core/model/blob-storage.ts';

/** A storage whose `remove` waits until no pin keeps the blob. */
export type PinnedBlobStorage = BlobStorage & {
  /** Keeps every blob that exists now. The returned function ends that, and removes what no other pin keeps. */
  pin(): () => Promise<void>;
  /** Removes a blob with `remove` in place of the storage's own function, when no pin keeps it. */
  readonly removeWith: (key: string, remove: BlobStorage['remove']) => Promise<void>;
  /** Cancels the waiting removals of blobs that records name again. */
  cancelRemovals(keys: Iterable<string>): void;
};

/** A removal, with the times at which the blob was added and removed. */
type Removal = { readonly added: number; readonly removed: number; readonly remove: () => Promise<void> };

/**
 * Adds pins to a storage. A fork or a named snapshot pins the blobs of its world, so that it can read them after the
 * world has removed them. A pin does not keep a blob that was added after it or removed before it.
 */
export const withPins = (storage: BlobStorage): PinnedBlobStorage => {
  /** A logical clock: it advances with every pin, arrival and removal. */
  let time = 0;
  const pins = new Set<{ readonly at: number }>();
  const added = new Map<string, number>();
  const waiting = new Map<string, Removal>();

  const isPinned = (removal: Removal): boolean =>
    [...pins].some(({ at }) => removal.added < at && at < removal.removed);

  const removeFree = async (): Promise<void> => {
    if (pins.size === 0) added.clear();
    for (const [key, removal] of [...waiting]) {
      if (isPinned(removal)) continue;
      waiting.delete(key);
      // The sweep of the next start removes what cannot be removed now.
      await removal.remove().catch(() => undefined);
    }
  };

  const removeBy: PinnedBlobStorage['removeWith'] = async (key, remove) => {
    const removal = { added: added.get(key) ?? 0, removed: (time += 1), remove: () => remove(key) };
    added.delete(key);
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
          if (pins.size > 0) added.set(blob.key, (time += 1));
          return blob;
        },
      };
    },
    remove: (key) => removeBy(key, (each) => storage.remove(each)),
    removeWith: removeBy,
    pin: () => {
      const pin = { at: (time += 1) };
      pins.add(pin);
      return async () => {
        if (pins.delete(pin)) await removeFree();
      };
    },
    cancelRemovals: (keys) => {
      for (const key of keys) waiting.delete(key);
    },
  };
};
