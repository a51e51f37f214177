/** Makes saved states of worlds. Forks start from them and resets return to them. A saved state never changes. */
import type { FrozenRecords } from '../../storage/storage.ts';
import type { SeedState } from './seeded-ids.ts';
import type { BlobStorage, RecordModel } from '../../openapi/openapi-records.ts';

export type SavedState = {
  readonly model: RecordModel;
  readonly records: FrozenRecords;
  /** By scheme, for reading only. */
  readonly blobs: ReadonlyMap<string, BlobStorage>;
  /** Where the uuids and secrets of a fork continue. */
  readonly seedState: () => SeedState;
  /** Keeps the bytes until the returned function is called. When no holder is left, the bytes may be removed. */
  hold(): () => void;
};

/** Where a state came from. `taken` is in milliseconds since 1970, and null for a fixture, which does not change. */
export type StateSource = {
  readonly kind: 'world' | 'snapshot' | 'fixture';
  readonly name: string;
  readonly taken: number | null;
};

/** A saved state without holders. `onFree` is called once, when the last holder releases it. */
export const createSavedState = (content: Omit<SavedState, 'hold'>, onFree = (): void => undefined): SavedState => ({
  ...content,
  hold: createHolders(onFree),
});

/** Returns a function that adds a holder, and that returns the one that releases it. `onFree` is called when none is left. */
export const createHolders = (onFree: () => void): SavedState['hold'] => {
  let holders = 0;
  return () => {
    holders += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      holders -= 1;
      if (holders === 0) onFree();
    };
  };
};
