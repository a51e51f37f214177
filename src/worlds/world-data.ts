/** A world between two resets: its records, bytes and chance. Under which addresses it is met is not known here. */
import type { Identifiers } from '../model/clock.ts';
import { indexKeys } from '../content/index-keys.ts';
import type { BlobStorage } from '../model/blob-storage.ts';
import type { EntityStore } from '../model/entity-store.ts';
import { createMemoryBlobStorage } from '../storage/blobs/memory-blob-storage.ts';
import { createMemoryEntityStore } from '../storage/memory-entity-store.ts';
import { withPins, type PinnedBlobStorage } from '../storage/blobs/pinned-blobs.ts';
import { seedStateFrom, seededIdentifiers, type SeedState, type SeededIdentifiers } from './seeded-ids.ts';
import { createSavedState, pinAll, type SavedState } from './saved-state.ts';

export type WorldData = {
  readonly store: EntityStore;
  /** By scheme. */
  readonly blobs: ReadonlyMap<string, PinnedBlobStorage>;
  readonly ids: Identifiers;
  /** The published records, bytes and chance as they are now. */
  keep(): SavedState;
  /** Lets go of what it was made from. Requests that are under way may go on in it. */
  end(): void;
};

/** Identifiers whose place in their row can be kept, where they have one. */
type KeptIdentifiers = Identifiers & Partial<Pick<SeededIdentifiers, 'chance'>>;

/**
 * A life in memory over a state that it shares with others: it holds only what differs. Costs the same whatever the size
 * of the state. Where no `ids` are given uuids and secrets are drawn on from where the state stands.
 */
export const createMemoryWorldData = (
  from: SavedState,
  ids: KeptIdentifiers = seededIdentifiers(from.chance()),
): WorldData => {
  const store = createMemoryEntityStore({ indexes: indexKeys, base: from.records });
  const blobs = overlays(from.blobs);
  const release = from.hold();
  return {
    store,
    blobs,
    ids,
    keep: () => {
      const records = store.freeze();
      const chance = ids.chance?.() ?? seedStateOf(records.counters);
      const unpin = pinAll(blobs);
      // What lies below these bytes is read through them.
      const letGo = from.hold();
      return createSavedState({ records, blobs, chance: () => chance }, () => {
        unpin();
        letGo();
      });
    },
    end: release,
  };
};

/** Where ids are real, the counters tell one moment from another well enough. */
export const seedStateOf = (counters: ReadonlyMap<string, number>): SeedState =>
  seedStateFrom(JSON.stringify([...counters].sort(([a], [b]) => (a < b ? -1 : 1))));

/** One storage in memory over each storage that there is; schemes that shared one share one again. */
const overlays = (bases: ReadonlyMap<string, BlobStorage>): ReadonlyMap<string, PinnedBlobStorage> => {
  const made = new Map<BlobStorage, PinnedBlobStorage>();
  const over = (base: BlobStorage): PinnedBlobStorage => {
    const overlay = made.get(base) ?? withPins(createMemoryBlobStorage({ base }));
    made.set(base, overlay);
    return overlay;
  };
  return new Map([...bases].map(([scheme, base]) => [scheme, over(base)]));
};
