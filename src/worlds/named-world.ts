/** Makes a named world, which lasts as long as its name: its current data and views, snapshots, clock and interceptors. */
import { createAccessState, type AccessState } from '../access/create-access.ts';
import type { World } from '../world.ts';
import { createSnapshots, type Snapshots } from './snapshots.ts';
import type { WorldAddress, AddressKind } from './world-address.ts';
import type { WorldClock } from './world-clock.ts';
import { once } from './once.ts';
import { createWorldViews, type WorldSettings } from './world-view.ts';
import type { WorldData } from './world-data.ts';
import type { Interceptor, AddressedWorld } from './interceptor.ts';
import type { SavedState, StateSource } from './saved-state.ts';
import type { Expiry } from './registry/expiry.ts';
import type { FrozenRecords } from '../storage/record-layer.ts';

/** Interceptors of one named world, with what they keep for it: faults, or traffic and coverage. */
export type WorldInterceptors = {
  /** Empty when there is nothing to observe or to break. */
  readonly interceptors: readonly Interceptor[];
  /** Called when the world was reset. */
  reset(): void;
  /** Called when the world ends. */
  drop(): void;
};

/** Called once for each world that is made. */
export type CreateWorldInterceptors = (name: string) => WorldInterceptors;

/**
 * Makes world data from a state and calls `publish` when they are ready for requests. Resolves when nothing is left to do.
 * Rejects with a Problem, without a call of `publish`, when the data cannot be made.
 */
export type ReplaceData = (state: SavedState, publish: (data: WorldData) => void) => Promise<void>;

export type NamedWorldOptions = Omit<WorldSettings, 'clock'> & {
  readonly clock: WorldClock;
  readonly data: WorldData;
  /** When left out: the world always stays. */
  readonly expiry?: Expiry;
  readonly intercept: readonly CreateWorldInterceptors[];
  /** The real time. */
  readonly now: () => number;
  readonly addressOf: (kind: AddressKind) => WorldAddress;
  /** The state that the world was made from. Undefined when there is none. */
  readonly origin: () => Promise<SavedState | undefined>;
  /** What the state is of that the world was made from. */
  readonly source: () => StateSource;
  readonly replaceData: ReplaceData;
  /** Called when the world ends. */
  readonly ends?: readonly (() => void)[];
};

/** A world as this process serves it. */
export type ServedWorld = AddressedWorld & {
  readonly clock: WorldClock;
  /** The same world for requests that reach it by this kind of address. */
  at(kind: AddressKind): AddressedWorld;
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

/** A site, and how its icons are read. */
export type SiteSettings = Pick<WorldSettings, 'site' | 'readIcon'>;

/** Makes a named world. Its views are made on first use. */
export const createNamedWorld = (options: NamedWorldOptions): NamedWorld => {
  const { name, clock } = options;
  const worldInterceptors = options.intercept.map((each) => each(name));
  const interceptors = worldInterceptors.flatMap((each) => each.interceptors);
  const current = createCurrentData(options, worldInterceptors);
  const snapshots = createSnapshots(current.saveState, options.now);
  const byKind = addressedWorlds(options, current.viewAt, interceptors);
  return {
    name,
    url: options.addressOf('header-or-cookie').baseUrl,
    get expires(): number | null {
      return options.expiry?.at() ?? null;
    },
    expiry: options.expiry,
    created: options.now(),
    get source(): StateSource {
      return options.source();
    },
    clock,
    snapshots,
    get world(): World {
      return byKind['header-or-cookie'].world;
    },
    interceptors,
    at: (kind) => byKind[kind],
    saveState: current.saveState,
    freeze: current.freeze,
    size: current.size,
    origin: options.origin,
    reset: current.reset,
    useSite: current.useSite,
    end: () => {
      for (const each of worldInterceptors) each.drop();
      for (const end of options.ends ?? []) end();
      options.expiry?.cancel();
      snapshots.clear();
      current.release();
    },
  };
};

/** The data that the world has now, and their views. A reset replaces both. */
const createCurrentData = (options: NamedWorldOptions, worldInterceptors: readonly WorldInterceptors[]) => {
  let settings: WorldSettings = options;
  let data = options.data;
  let accessState = accessStateOf(options, data);
  let viewAt = createWorldViews(settings, data, accessState);
  let lastReset: Promise<void> = Promise.resolve();

  const publish = (next: WorldData): void => {
    data.release();
    data = next;
    accessState = accessStateOf(settings, data);
    viewAt = createWorldViews(settings, data, accessState);
    for (const each of worldInterceptors) each.reset();
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
    viewAt: (address: WorldAddress): World => viewAt(address),
    saveState: (): SavedState => data.saveState(),
    freeze: (): FrozenRecords => data.freeze(),
    size: (): number => data.size(),
    release: (): void => data.release(),
    useSite: (site: SiteSettings): void => {
      settings = { ...settings, ...site };
      viewAt = createWorldViews(settings, data, accessState);
    },
    reset: (state: SavedState | undefined): Promise<void> => {
      // The snapshot may be deleted while this reset waits for earlier ones.
      const release = state?.hold();
      const reset = lastReset
        .then(async () => {
          const target = state ?? (await options.origin());
          if (target !== undefined) await replace(target);
        })
        .finally(() => release?.());
      lastReset = reset.catch(() => undefined);
      return reset;
    },
  };
};

/** New sessions and counters for world data. */
const accessStateOf = ({ site, clock }: WorldSettings, { ids, store }: WorldData): (() => AccessState) =>
  once(() => createAccessState({ site, store, clock, ids }));

/** The same world for each kind of address, each with its own view. */
const addressedWorlds = (
  { name, addressOf, clock }: NamedWorldOptions,
  viewAt: (address: WorldAddress) => World,
  interceptors: readonly Interceptor[],
): { readonly [kind in AddressKind]: AddressedWorld } => {
  const ownTime = (): number | undefined => (clock.isReal() ? undefined : clock.now());
  const by = (kind: AddressKind): AddressedWorld => {
    const address = addressOf(kind);
    return {
      name,
      ownTime,
      get world(): World {
        return viewAt(address);
      },
      interceptors,
    };
  };
  return {
    plain: by('plain'),
    prefix: by('prefix'),
    host: by('host'),
    'header-or-cookie': by('header-or-cookie'),
  };
};
