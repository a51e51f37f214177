/** One named world for as long as it has its name: its life of the moment, its faces, its snapshots, what lies around it. */
import { createAccessMemory, type AccessMemory } from '../access/create-access.ts';
import type { World } from '../world.ts';
import { createSnapshots, type Snapshots } from './snapshots.ts';
import type { WorldAddress, AddressKind } from './world-address.ts';
import type { WorldClock } from './world-clock.ts';
import { once } from './once.ts';
import { createWorldViews, type WorldSettings } from './world-view.ts';
import type { WorldData } from './world-data.ts';
import type { Interceptor, AddressedWorld } from './interceptor.ts';
import type { SavedState } from './saved-state.ts';

/** Something that belongs to a world's name rather than to its content: its faults, its traffic, its coverage. */
export type WorldInterceptor = {
  /** Asked with every request; empty where nothing is to be watched or spoiled. */
  readonly interceptors: readonly Interceptor[];
  /** The world was reset. */
  reset(): void;
  /** The world is gone. */
  drop(): void;
};

/** Called once for each world that is made. */
export type InterceptWorld = (name: string) => WorldInterceptor;

/**
 * Makes a life out of a state and gives it to `begin` as soon as it is to be met; resolves when nothing is left to do. Rejects
 * with a Problem before `begin`.
 */
export type ReplaceData = (state: SavedState, begin: (life: WorldData) => void) => Promise<void>;

export type NamedWorldOptions = Omit<WorldSettings, 'clock'> & {
  readonly clock: WorldClock;
  readonly life: WorldData;
  readonly expires?: number | null;
  readonly intercept: readonly InterceptWorld[];
  /** The real time. */
  readonly now: () => number;
  readonly addressOf: (way: AddressKind) => WorldAddress;
  /** What the world was made from. */
  readonly origin: () => Promise<SavedState | undefined>;
  readonly renew: ReplaceData;
  /** Called when the world ends. */
  readonly ends?: readonly (() => void)[];
};

/** A world's place, and what the control interface does with it. */
export type NamedWorld = AddressedWorld & {
  /** The base URL by which it is told to clients. */
  readonly url: string;
  /** Milliseconds since 1970; null when it stays. */
  readonly expires: number | null;
  readonly clock: WorldClock;
  readonly snapshots: Snapshots;
  /** The same place as it is met on another way. */
  by(way: AddressKind): AddressedWorld;
  /** Its records, bytes and chance as they are now. */
  keep(): SavedState;
  /** Puts a state in the place of its own, or what it was made from. One reset after another. */
  reset(state: SavedState | undefined): Promise<void>;
  /** Goes on with another site: records, bytes, sessions and counters stay. */
  adopt(site: SiteSettings): void;
  end(): void;
};

/** A site, and how its icons are read. */
export type SiteSettings = Pick<WorldSettings, 'site' | 'readIcon'>;

/** Opens the place. The faces of a life are made when somebody asks for them. */
export const createNamedWorld = (options: NamedWorldOptions): NamedWorld => {
  const { name, clock } = options;
  const worldInterceptors = options.intercept.map((each) => each(name));
  const interceptors = worldInterceptors.flatMap((each) => each.interceptors);
  const lives = createLives(options, worldInterceptors);
  const snapshots = createSnapshots(lives.keep, options.now);
  const ways = waysTo(options, lives, interceptors);
  return {
    name,
    url: options.addressOf('named').baseUrl,
    expires: options.expires ?? null,
    clock,
    snapshots,
    get world(): World {
      return ways.named.world;
    },
    interceptors,
    by: (way) => ways[way],
    keep: lives.keep,
    reset: lives.reset,
    adopt: lives.adopt,
    end: () => {
      for (const each of worldInterceptors) each.drop();
      for (const end of options.ends ?? []) end();
      snapshots.clear();
      lives.end();
    },
  };
};

/** One life after another. */
const createLives = (options: NamedWorldOptions, worldInterceptors: readonly WorldInterceptor[]) => {
  let setting: WorldSettings = options;
  let life = options.life;
  let memory = memoryOf(options, life);
  let faceFor = createWorldViews(setting, life, memory);
  let resetting: Promise<void> = Promise.resolve();

  const begin = (next: WorldData): void => {
    life.end();
    life = next;
    memory = memoryOf(setting, life);
    faceFor = createWorldViews(setting, life, memory);
    for (const each of worldInterceptors) each.reset();
  };
  const renew = async (state: SavedState): Promise<void> => {
    // Held meanwhile: nothing else may hold the state of a fixture.
    const release = state.hold();
    try {
      await options.renew(state, begin);
    } finally {
      release();
    }
  };
  return {
    face: (address: WorldAddress): World => faceFor(address),
    keep: (): SavedState => life.keep(),
    end: (): void => life.end(),
    adopt: (site: SiteSettings): void => {
      setting = { ...setting, ...site };
      faceFor = createWorldViews(setting, life, memory);
    },
    reset: (state: SavedState | undefined): Promise<void> => {
      // Its snapshot may be deleted while others are before it.
      const release = state?.hold();
      const turn = resetting
        .then(async () => {
          const target = state ?? (await options.origin());
          if (target !== undefined) await renew(target);
        })
        .finally(() => release?.());
      resetting = turn.catch(() => undefined);
      return turn;
    },
  };
};

/** Sessions and counters of a life, none yet. */
const memoryOf = ({ site, clock }: WorldSettings, { ids, store }: WorldData): (() => AccessMemory) =>
  once(() => createAccessMemory({ site, store, clock, ids }));

/** The same place on every way, each with a face of its own. */
const waysTo = (
  { name, addressOf, clock }: NamedWorldOptions,
  { face }: Pick<ReturnType<typeof createLives>, 'face'>,
  interceptors: readonly Interceptor[],
): { readonly [way in AddressKind]: AddressedWorld } => {
  const ownTime = (): number | undefined => (clock.isReal() ? undefined : clock.now());
  const by = (way: AddressKind): AddressedWorld => {
    const address = addressOf(way);
    return {
      name,
      ownTime,
      get world(): World {
        return face(address);
      },
      interceptors,
    };
  };
  return { plain: by('plain'), prefix: by('prefix'), host: by('host'), named: by('named') };
};
