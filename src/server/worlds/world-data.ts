/** Makes the data of a world between two resets: records, bytes and ids. `world-view.ts` makes them a `World` at an address. */
import type { Identifiers } from '../../core/model/clock.ts';
import { indexKeys } from '../../core/content/index-keys.ts';
import type { Entity } from '../../core/model/entity.ts';
import type { BlobStorage } from '../../core/model/blob-storage.ts';
import type { EntityStore } from '../../core/model/entity-store.ts';
import { createMemoryBlobStorage } from '../../storage/blobs/memory-blob-storage.ts';
import { createMemoryEntityStore } from '../../storage/memory-entity-store.ts';
import type { FrozenRecords } from '../../storage/record-layer.ts';
import { createBlobSweeper } from '../../storage/blobs/blob-sweeper.ts';
import { seedStateFrom, createSeededIds, type SeedState, type SeededIds } from './seeded-ids.ts';
import { createSavedState, type SavedState } from './saved-state.ts';

export type WorldData = {
  readonly store: EntityStore;
  /** By scheme. */
  readonly blobs: ReadonlyMap<string, BlobStorage>;
  /** See `RepositoryParts`. */
  readonly released: (former: Entity) => Promise<void>;
  readonly ids: Identifiers;
  /** The published records, bytes and seed state as they are now. */
  saveState(): SavedState;
  /** The published records as they are now, without their bytes. */
  readonly freeze: () => FrozenRecords;
  /** The number of published records. */
  readonly size: () => number;
  /** Releases the saved state that the data were made from. Requests in progress may still finish with these data. */
  release(): void;
};

/**
 * World data in memory over a saved state. They hold only what differs from the state, so their cost does not depend on its
 * size. Without `ids`, uuids and secrets continue from the seed state of `base`.
 */
export const createMemoryWorldData = (
  base: SavedState,
  ids: Identifiers & Partial<Pick<SeededIds, 'state'>> = createSeededIds(base.seedState()),
): WorldData => {
  const store = createMemoryEntityStore({ indexes: indexKeys, base: base.records });
  const blobs = overlays(base.blobs, () => sweeper.makeRoom());
  const sweeper = createBlobSweeper({ storages: blobs, freeze: store.freeze });
  const release = base.hold();
  return {
    store,
    blobs,
    released: sweeper.released,
    ids,
    saveState: () => {
      const records = store.freeze();
      const seedState = ids.state?.() ?? seedStateOf(records.counters);
      const letGo = sweeper.hold(records);
      // The new state reads the bytes of `base` through its own storages.
      const releaseBase = base.hold();
      return createSavedState({ records, blobs, seedState: () => seedState }, () => {
        letGo();
        releaseBase();
      });
    },
    freeze: store.freeze,
    size: store.size,
    release,
  };
};

/** A seed state for data without seeded ids, made from the record counters, which differ from one moment to the next. */
export const seedStateOf = (counters: ReadonlyMap<string, number>): SeedState =>
  seedStateFrom(JSON.stringify([...counters].sort(([a], [b]) => (a < b ? -1 : 1))));

/** Puts a storage in memory over each storage. Schemes that share a storage also share the storage in memory. */
const overlays = (
  bases: ReadonlyMap<string, BlobStorage>,
  makeRoom: () => Promise<void>,
): ReadonlyMap<string, BlobStorage> => {
  const made = new Map<BlobStorage, BlobStorage>();
  const over = (base: BlobStorage): BlobStorage => {
    const overlay = made.get(base) ?? createMemoryBlobStorage({ base, makeRoom });
    made.set(base, overlay);
    return overlay;
  };
  return new Map([...bases].map(([scheme, base]) => [scheme, over(base)]));
};
