/** A world between two resets: its records, bytes and chance. Under which addresses it is met is not known here. */
import type { Identifiers } from '../content/given.ts';
import { indexKeys } from '../content/index-keys.ts';
import type { BlobStorage } from '../storage/blob-storage.ts';
import type { EntityStore } from '../storage/entity-store.ts';
import { createMemoryBlobStorage } from '../storage/memory-blob-storage.ts';
import { createMemoryEntityStore } from '../storage/memory-entity-store.ts';
import { withPins, type PinnedBlobStorage } from '../storage/pinned-blobs.ts';
import { chanceFrom, seededIdentifiers, type Chance, type SeededIdentifiers } from './world-identifiers.ts';
import { createWorldState, pinAll, type WorldState } from './world-state.ts';

export type WorldLife = {
  readonly store: EntityStore;
  /** By scheme. */
  readonly blobs: ReadonlyMap<string, PinnedBlobStorage>;
  readonly ids: Identifiers;
  /** The published records, bytes and chance as they are now. */
  keep(): WorldState;
  /** Lets go of what it was made from. Requests that are under way may go on in it. */
  end(): void;
};

/** Identifiers whose place in their row can be kept, where they have one. */
type KeptIdentifiers = Identifiers & Partial<Pick<SeededIdentifiers, 'chance'>>;

/**
 * A life in memory over a state that it shares with others: it holds only what differs. Costs the same whatever the size
 * of the state. Where no `ids` are given uuids and secrets are drawn on from where the state stands.
 */
export const createMemoryLife = (
  from: WorldState,
  ids: KeptIdentifiers = seededIdentifiers(from.chance()),
): WorldLife => {
  const store = createMemoryEntityStore({ indexes: indexKeys, base: from.records });
  const blobs = overlays(from.blobs);
  const release = from.hold();
  return {
    store,
    blobs,
    ids,
    keep: () => {
      const records = store.freeze();
      const chance = ids.chance?.() ?? chanceOf(records.counters);
      const unpin = pinAll(blobs);
      // What lies below these bytes is read through them.
      const letGo = from.hold();
      return createWorldState({ records, blobs, chance: () => chance }, () => {
        unpin();
        letGo();
      });
    },
    end: release,
  };
};

/** Where ids are real, the counters tell one moment from another well enough. */
export const chanceOf = (counters: ReadonlyMap<string, number>): Chance =>
  chanceFrom(JSON.stringify([...counters].sort(([a], [b]) => (a < b ? -1 : 1))));

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
