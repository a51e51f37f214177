/** Finds what a world can be made from, reset to or compared with: a world, a snapshot or a fixture. */
import type { NamedWorld } from '../named-world.ts';
import type { SavedState, StateSource } from '../saved-state.ts';
import { createWorldClock, type WorldClock } from '../world-clock.ts';
import type { Clock } from '../../../openapi/openapi-records.ts';
import { notFound, unprocessable } from '../../../openapi/openapi-terms.ts';

/** The content and the clock that a fork starts with. */
export type Origin = { readonly state: SavedState; readonly clock: WorldClock; readonly source: StateSource };

/** The fixtures that a world can be made from, and the time. */
export type Fixtures = {
  /** A fixture of the package by its name, or without a name the server's own fixture. Undefined when there is none. */
  readonly fixture: (name: string | undefined) => Promise<SavedState | undefined>;
  readonly ownFixtureName: () => string;
  /** The real time. Worlds expire by it, and their own clocks are derived from it. */
  readonly clock: Clock;
};

type Found<Content> = Content & { readonly source: StateSource };

type FindOrigin = {
  /** A snapshot of this world, or else of the main world. */
  readonly findSnapshot: (world: string, snapshot: string) => Found<{ readonly state: SavedState }> | undefined;
  /** What a fork begins with; the server's own fixture without `from`. Throws 422 when there is no such thing. */
  readonly findOrigin: (from: string | undefined, snapshotsOf: string) => Promise<Origin>;
  /** The records to compare a world with: those it was made from without `from`. Throws 404 when there is no such thing. */
  readonly findRecords: (
    world: NamedWorld,
    from: string | undefined,
  ) => Promise<Found<Pick<SavedState, 'records' | 'blobs'>>>;
};

/** Names are looked up among the worlds first, then among the snapshots, then among the fixtures. */
export const createFindOrigin = (
  { fixture, ownFixtureName, clock }: Fixtures,
  worlds: ReadonlyMap<string, NamedWorld>,
  main: NamedWorld,
): FindOrigin => {
  const findSnapshot: FindOrigin['findSnapshot'] = (world, name) => {
    for (const { snapshots } of [worlds.get(world) ?? main, main]) {
      const state = snapshots.get(name);
      const taken = snapshots.savedAt(name) ?? null;
      if (state !== undefined) return { state, source: { kind: 'snapshot', name, taken } };
    }
    return undefined;
  };
  const worldSource = (name: string): StateSource => ({ kind: 'world', name, taken: clock.now() });
  const fixtureSource = (name: string): StateSource => ({ kind: 'fixture', name, taken: null });
  return {
    findSnapshot,
    findOrigin: async (from, snapshotsOf) => {
      const world = from === undefined ? undefined : worlds.get(from);
      if (world !== undefined)
        return { state: world.saveState(), clock: world.clock.copy(), source: worldSource(world.name) };
      const realClock = createWorldClock(clock);
      const snapshot = from === undefined ? undefined : findSnapshot(snapshotsOf, from);
      if (snapshot !== undefined) return { ...snapshot, clock: realClock };
      const state = await fixture(from);
      if (state === undefined) throw unprocessable(unknown(from));
      return { state, clock: realClock, source: fixtureSource(from ?? ownFixtureName()) };
    },
    findRecords: async (world, from) => {
      if (from === undefined) {
        const origin = await world.origin();
        if (origin === undefined) throw notFound(unknown(world.source.name));
        return { ...origin, source: world.source };
      }
      // Nothing is put back from a world, so it is not saved.
      const other = worlds.get(from);
      if (other !== undefined) return { source: worldSource(from), records: other.freeze(), blobs: other.world.blobs };
      const snapshot = findSnapshot(world.name, from);
      if (snapshot !== undefined) return { ...snapshot.state, source: snapshot.source };
      const state = await fixture(from);
      if (state === undefined) throw notFound(unknown(from));
      return { ...state, source: fixtureSource(from) };
    },
  };
};

const unknown = (name = ''): string => `There is no world, snapshot or fixture "${name}".`;
