/** The named snapshots of a world, in memory: they end with it, and with the process. Loading one is a reset. */
import { unavailable } from '../problem.ts';
import type { SavedState } from './saved-state.ts';

export type Snapshots = {
  get(name: string): SavedState | undefined;
  /** False when it took the place of another of this name. Throws a 503 when there are too many. */
  save(name: string): boolean;
  /** False when there is none. */
  forget(name: string): boolean;
  /** In the order in which the names came up; `saved` in milliseconds since 1970. */
  list(): readonly { readonly name: string; readonly saved: number }[];
  clear(): void;
};

/** A snapshot costs what has changed since, and the bytes that were deleted since. */
export const snapshotLimit = 100;

/** No snapshots yet. `keep` takes one. */
export const createSnapshots = (keep: () => SavedState, now: () => number): Snapshots => {
  const kept = new Map<string, { readonly state: SavedState; readonly saved: number; readonly release: () => void }>();
  return {
    get: (name) => kept.get(name)?.state,
    save: (name) => {
      const before = kept.get(name);
      if (before === undefined && kept.size >= snapshotLimit) {
        throw unavailable(`There are ${snapshotLimit} snapshots already. Delete some.`);
      }
      const state = keep();
      kept.set(name, { state, saved: now(), release: state.hold() });
      before?.release();
      return before === undefined;
    },
    forget: (name) => {
      kept.get(name)?.release();
      return kept.delete(name);
    },
    list: () => [...kept].map(([name, { saved }]) => ({ name, saved })),
    clear: () => {
      for (const { release } of kept.values()) release();
      kept.clear();
    },
  };
};
