/** Makes the data of a world between two resets: records, bytes and ids. `world-view.ts` makes them a `World` at an address. */
import {
  type BlobPool,
  type PooledBlobStorage,
  createMemoryEntityStore,
  createRecordSet,
  type FrozenRecords,
  createBlobSweeper,
} from '../../storage/storage.ts';
import { seedStateFrom, createSeededIds, type SeedState, type SeededIds } from './seeded-ids.ts';
import { createHolders, createSavedState, type SavedState } from './saved-state.ts';
import type { Identifiers, Entity, BlobStorage, EntityStore } from '../../openapi/openapi-records.ts';

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
  /**
   * The world has other data now, or is gone. Requests in progress may still finish with these, but what they store ends with them. Own
   * bytes go when no saved state of these data is held either.
   */
  release(): void;
};

/**
 * World data over a saved state, with records in memory and bytes in a pool. They hold only what differs from the state, so their cost
 * does not depend on its size. Without `ids`, uuids and secrets continue from the seed state of `base`.
 */
export const createMemoryWorldData = (
  base: SavedState,
  pool: BlobPool,
  ids: Identifiers & Partial<Pick<SeededIds, 'state'>> = createSeededIds(base.seedState()),
): WorldData => {
  const store = createMemoryEntityStore({ model: base.model, base: base.records });
  const blobs = overlays(base.blobs, pool, () => sweeper.makeRoom());
  let isReleased = false;
  const sweeper = createBlobSweeper({
    model: base.model,
    storages: blobs,
    freeze: () => (isReleased ? createRecordSet(base.model).freeze() : store.freeze()),
  });
  const releaseBase = base.hold();
  const hold = createHolders(() => {
    for (const storage of new Set(blobs.values())) storage.close();
    releaseBase();
  });
  const releaseOwn = hold();
  return {
    store,
    blobs,
    released: sweeper.released,
    ids,
    saveState: () => {
      const records = store.freeze();
      const seedState = ids.state?.() ?? seedStateOf(records.counters);
      const letGo = sweeper.hold(records);
      // The new state reads the bytes of these data, and through them those of `base`.
      const release = hold();
      return createSavedState({ model: base.model, records, blobs, seedState: () => seedState }, () => {
        release();
        letGo();
      });
    },
    freeze: store.freeze,
    size: store.size,
    release: () => {
      isReleased = true;
      releaseOwn();
      // Saved states that are still held name some of them.
      for (const [scheme, storage] of blobs) {
        for (const blob of storage.ownBlobs()) sweeper.wait(scheme, blob);
      }
      void sweeper.sweep();
    },
  };
};

/** A seed state for data without seeded ids, made from the record counters, which differ from one moment to the next. */
export const seedStateOf = (counters: ReadonlyMap<string, number>): SeedState =>
  seedStateFrom(JSON.stringify([...counters].sort(([a], [b]) => (a < b ? -1 : 1))));

/** Puts a storage of the pool over each storage. Schemes that share a storage also share the one over it. */
const overlays = (
  bases: ReadonlyMap<string, BlobStorage>,
  pool: BlobPool,
  makeRoom: () => Promise<void>,
): ReadonlyMap<string, PooledBlobStorage> => {
  const made = new Map<BlobStorage, PooledBlobStorage>();
  const over = (base: BlobStorage): PooledBlobStorage => {
    const overlay = made.get(base) ?? pool.openStorage({ base, makeRoom });
    made.set(base, overlay);
    return overlay;
  };
  return new Map([...bases].map(([scheme, base]) => [scheme, over(base)]));
};
