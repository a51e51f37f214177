/** A moment of a world that is kept: what forks begin with and resets go back to. Nothing in it ever changes. */
import type { BlobStorage } from '../model/blob-storage.ts';
import type { PinnedBlobStorage } from '../storage/blobs/pinned-blobs.ts';
import type { FrozenRecords } from '../storage/record-layer.ts';
import type { SeedState } from './seeded-ids.ts';

export type SavedContent = {
  readonly records: FrozenRecords;
  /** By scheme; only read. */
  readonly blobs: ReadonlyMap<string, BlobStorage>;
  /** Where uuids and secrets are drawn from. */
  readonly chance: () => SeedState;
};

export type SavedState = SavedContent & {
  /** Keeps the bytes until the result is called. When the last holder has let go, they may be removed. */
  hold(): () => void;
};

/** A state that nobody holds yet. `onFree` is called once, when the last one lets go. */
export const createSavedState = (content: SavedContent, onFree: () => void = () => undefined): SavedState => {
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

/** Keeps all bytes of a world that are there now. The result lets go of them. */
export const pinAll = (blobs: ReadonlyMap<string, PinnedBlobStorage>): (() => void) => {
  const releases = [...new Set(blobs.values())].map((storage) => storage.pin());
  return () => {
    // A removal that fails leaves bytes that the next start sweeps.
    for (const release of releases) void release();
  };
};
