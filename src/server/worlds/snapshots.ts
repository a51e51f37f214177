/** Keeps the named snapshots of a world. They stay in memory and end with the world. */
import type { SavedState } from './saved-state.ts';
import { unavailable } from '../../openapi/openapi-terms.ts';

export type Snapshots = {
  get(name: string): SavedState | undefined;
  /** When the snapshot was saved, in milliseconds since 1970. Undefined when there is none of this name. */
  savedAt(name: string): number | undefined;
  /** The number of snapshots. */
  size(): number;
  /** False when it replaced a snapshot of this name. Throws a 503 when there are too many. */
  save(name: string): boolean;
  /** False when there is no snapshot of this name. */
  remove(name: string): boolean;
  /** In the order in which the names were first used; `saved` in milliseconds since 1970. */
  list(): readonly { readonly name: string; readonly saved: number }[];
  clear(): void;
};

/**
 * A snapshot costs memory for the records changed since, and keeps the bytes deleted since. Exported for the test that
 * compares the docs with it.
 */
export const snapshotLimit = 100;

/** Starts without snapshots. `saveState` supplies the state that a snapshot holds. */
export const createSnapshots = (saveState: () => SavedState, now: () => number): Snapshots => {
  const snapshots = new Map<
    string,
    { readonly state: SavedState; readonly saved: number; readonly release: () => void }
  >();
  return {
    get: (name) => snapshots.get(name)?.state,
    savedAt: (name) => snapshots.get(name)?.saved,
    size: () => snapshots.size,
    save: (name) => {
      const before = snapshots.get(name);
      if (before === undefined && snapshots.size >= snapshotLimit) {
        throw unavailable(`There are ${snapshotLimit} snapshots already. Delete some.`);
      }
      const state = saveState();
      snapshots.set(name, { state, saved: now(), release: state.hold() });
      before?.release();
      return before === undefined;
    },
    remove: (name) => {
      snapshots.get(name)?.release();
      return snapshots.delete(name);
    },
    list: () => [...snapshots].map(([name, { saved }]) => ({ name, saved })),
    clear: () => {
      for (const { release } of snapshots.values()) release();
      snapshots.clear();
    },
  };
};
