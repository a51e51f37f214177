/** A saved state of a world: forks start from it and resets return to it. It never changes. */
import type { BlobStorage } from '../model/blob-storage.ts';
import type { PinnedBlobStorage } from '../storage/blobs/pinned-blobs.ts';
import type { FrozenRecords } from '../storage/record-layer.ts';
import type { SeedState } from './seeded-ids.ts';

export type SavedState = {
  readonly records: FrozenRecords;
  /** By scheme; only read. */
  readonly blobs: ReadonlyMap<string, BlobStorage>;
  /** Where the uuids and secrets of a fork continue. */
  readonly seedState: () => SeedState;
  /** Keeps the bytes until the result is called. After the last holder has released them they may be removed. */
  hold(): () => void;
};

/** A saved state without holders. `onFree` is called once, when the last holder releases it. */
export const createSavedState = (content: Omit<SavedState, 'hold'>, onFree = (): void => undefined): SavedState => {
  let holders = 0;
  return {
    ...content,
    hold: () => {
      holders += 1;
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        holders -= 1;
        if (holders === 0) onFree();
      };
    },
  };
};

/** Pins all bytes that a world has now. Call the result to release them. */
export const pinAll = (blobs: ReadonlyMap<string, PinnedBlobStorage>): (() => void) => {
  const releases = [...new Set(blobs.values())].map((storage) => storage.pin());
  return () => {
    // The next start sweeps bytes whose removal fails.
    for (const release of releases) void release();
  };
};
