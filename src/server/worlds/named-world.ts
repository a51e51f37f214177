/** Makes a named world, which lasts as long as its name: its current data and views, snapshots, clock and interceptors. */
import { createSemaphore } from '../../basics/semaphore.ts';
import type { HostedWorld } from '../../openapi/openapi-host.ts';
import { createSnapshots, type Snapshots } from './snapshots.ts';
import type { WorldData } from './world-data.ts';
import type { SavedState, StateSource } from './saved-state.ts';
import {
  createServingWorld,
  type ServedWorld,
  type ServedWorldOptions,
  type SiteSettings,
  type ServingWorld,
} from './served/served-world.ts';
import type { Expiry } from './registry/expiry.ts';
import type { FrozenRecords } from '../../storage/storage.ts';

/**
 * Makes world data from a state and calls `publish` when they are ready for requests. Resolves when nothing is left to do.
 * Rejects with a Problem, without a call of `publish`, when the data cannot be made.
 */
export type ReplaceData = (state: SavedState, publish: (data: WorldData) => void) => Promise<void>;

type NamedWorldOptions = ServedWorldOptions & {
  readonly data: WorldData;
  /** When left out: the world always stays. */
  readonly expiry?: Expiry;
  /** The real time. */
  readonly now: () => number;
  /** The state that the world was made from. Undefined when there is none. */
  readonly origin: () => Promise<SavedState | undefined>;
  /** What the state is of that the world was made from. */
  readonly source: () => StateSource;
  readonly replaceData: ReplaceData;
  /** Called when the world ends. */
  readonly ends?: readonly (() => void)[];
};

export type NamedWorld = ServedWorld & {
  /** The base URL that clients get. */
  readonly url: string;
  /** Milliseconds since 1970. Null when the world stays until it is dropped. */
  readonly expires: number | null;
  /** Sets when it is dropped by itself. Undefined when it always stays. */
  readonly expiry: Expiry | undefined;
  /** When it was made, in milliseconds since 1970, real time. */
  readonly created: number;
  /** What it was made from. */
  readonly source: StateSource;
  readonly snapshots: Snapshots;
  /** The published records, bytes and seed state as they are now. */
  saveState(): SavedState;
  /** The published records as they are now. */
  freeze(): FrozenRecords;
  /** The number of published records. */
  size(): number;
  /** The state to which a reset returns. Undefined when there is none. */
  origin(): Promise<SavedState | undefined>;
  /** Replaces the data by a state, or by the state that the world was made from. Resets run one after another. */
  reset(state: SavedState | undefined): Promise<void>;
  /** Continues with another site. Records, bytes, sessions and counters stay. */
  useSite(site: SiteSettings): void;
  end(): void;
};

/** Makes a named world. Its views are made on first use. */
export const createNamedWorld = (options: NamedWorldOptions): NamedWorld => {
  const serving = createServingWorld(options, options.data);
  const current = createCurrentData(options, serving);
  const snapshots = createSnapshots(current.saveState, options.now);
  const { served } = serving;
  return {
    name: options.name,
    url: options.addressOf('header-or-cookie').baseUrl,
    get expires(): number | null {
      return options.expiry?.at() ?? null;
    },
    expiry: options.expiry,
    created: options.now(),
    get source(): StateSource {
      return options.source();
    },
    clock: options.clock,
    snapshots,
    get world(): HostedWorld {
      return served.world;
    },
    interceptors: served.interceptors,
    at: served.at,
    saveState: current.saveState,
    freeze: current.freeze,
    size: current.size,
    origin: options.origin,
    reset: current.reset,
    useSite: (site) => serving.useSite(site),
    end: () => {
      serving.drop();
      for (const end of options.ends ?? []) end();
      options.expiry?.cancel();
      snapshots.clear();
      current.release();
    },
  };
};

/** The data that the world has now. A reset replaces them. */
const createCurrentData = (options: NamedWorldOptions, serving: ServingWorld) => {
  let { data } = options;
  let isEnded = false;
  const inTurn = createSemaphore(1);

  const publish = (next: WorldData): void => {
    // The world was dropped while this reset waited.
    if (isEnded) {
      next.release();
      return;
    }
    data.release();
    data = next;
    serving.publish(data);
  };
  const replace = async (state: SavedState): Promise<void> => {
    // A fixture's state may have no other holder.
    const release = state.hold();
    try {
      await options.replaceData(state, publish);
    } finally {
      release();
    }
  };
  return {
    saveState: (): SavedState => data.saveState(),
    freeze: (): FrozenRecords => data.freeze(),
    size: (): number => data.size(),
    release: (): void => {
      isEnded = true;
      data.release();
    },
    reset: (state: SavedState | undefined): Promise<void> => {
      // The snapshot may be deleted while this reset waits for earlier ones.
      const release = state?.hold();
      const work = async (): Promise<void> => {
        const target = state ?? (await options.origin());
        if (target !== undefined) await replace(target);
      };
      return inTurn(work).finally(() => release?.());
    },
  };
};
