/** One named world for as long as it has its name: its life of the moment, its faces, its snapshots, what lies around it. */
import { createAccessMemory, type AccessMemory } from '../access/create-access.ts';
import type { World } from '../world.ts';
import { createSnapshots, type Snapshots } from './snapshots.ts';
import type { WorldAddress, WorldWay } from './world-address.ts';
import type { WorldClock } from './world-clock.ts';
import { once } from './once.ts';
import { createFaces, type WorldSetting } from './world-faces.ts';
import type { WorldLife } from './world-life.ts';
import type { Around, WorldPlace } from './world-place.ts';
import type { WorldState } from './world-state.ts';

/** Something that belongs to a world's name rather than to its content: its faults, its traffic, its coverage. */
export type Surrounding = {
  /** Asked with every request; empty where nothing is to be watched or spoiled. */
  readonly around: readonly Around[];
  /** The world was reset. */
  reset(): void;
  /** The world is gone. */
  drop(): void;
};

/** Called once for each world that is made. */
export type SurroundWorld = (name: string) => Surrounding;

/**
 * Makes a life out of a state and gives it to `begin` as soon as it is to be met; resolves when nothing is left to do. Rejects
 * with a Problem before `begin`.
 */
export type Renewal = (state: WorldState, begin: (life: WorldLife) => void) => Promise<void>;

export type PlaceOptions = Omit<WorldSetting, 'clock'> & {
  readonly clock: WorldClock;
  readonly life: WorldLife;
  readonly expires?: number | null;
  readonly surround: readonly SurroundWorld[];
  /** The real time. */
  readonly now: () => number;
  readonly addressOf: (way: WorldWay) => WorldAddress;
  /** What the world was made from. */
  readonly origin: () => Promise<WorldState | undefined>;
  readonly renew: Renewal;
  /** Called when the world ends. */
  readonly ends?: readonly (() => void)[];
};

/** A world's place, and what the control interface does with it. */
export type NamedPlace = WorldPlace & {
  /** The base URL by which it is told to clients. */
  readonly url: string;
  /** Milliseconds since 1970; null when it stays. */
  readonly expires: number | null;
  readonly clock: WorldClock;
  readonly snapshots: Snapshots;
  /** The same place as it is met on another way. */
  by(way: WorldWay): WorldPlace;
  /** Its records, bytes and chance as they are now. */
  keep(): WorldState;
  /** Puts a state in the place of its own, or what it was made from. One reset after another. */
  reset(state: WorldState | undefined): Promise<void>;
  /** Goes on with another site: records, bytes, sessions and counters stay. */
  adopt(site: SiteSetting): void;
  end(): void;
};

/** A site, and how its icons are read. */
export type SiteSetting = Pick<WorldSetting, 'site' | 'readIcon'>;

/** Opens the place. The faces of a life are made when somebody asks for them. */
export const createPlace = (options: PlaceOptions): NamedPlace => {
  const { name, clock } = options;
  const surroundings = options.surround.map((each) => each(name));
  const lives = createLives(options, surroundings);
  const snapshots = createSnapshots(lives.keep, options.now);
  const ways = waysTo(options, lives, surroundings);
  return {
    name,
    url: options.addressOf('named').baseUrl,
    expires: options.expires ?? null,
    clock,
    snapshots,
    get world(): World {
      return ways.named.world;
    },
    get around() {
      return allOf(surroundings);
    },
    by: (way) => ways[way],
    keep: lives.keep,
    reset: lives.reset,
    adopt: lives.adopt,
    end: () => {
      for (const surrounding of surroundings) surrounding.drop();
      for (const end of options.ends ?? []) end();
      snapshots.clear();
      lives.end();
    },
  };
};

/** One life after another. */
const createLives = (options: PlaceOptions, surroundings: readonly Surrounding[]) => {
  let setting: WorldSetting = options;
  let life = options.life;
  let memory = memoryOf(options, life);
  let faceFor = createFaces(setting, life, memory);
  let resetting: Promise<void> = Promise.resolve();

  const begin = (next: WorldLife): void => {
    life.end();
    life = next;
    memory = memoryOf(setting, life);
    faceFor = createFaces(setting, life, memory);
    for (const surrounding of surroundings) surrounding.reset();
  };
  const renew = async (state: WorldState): Promise<void> => {
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
    keep: (): WorldState => life.keep(),
    end: (): void => life.end(),
    adopt: (site: SiteSetting): void => {
      setting = { ...setting, ...site };
      faceFor = createFaces(setting, life, memory);
    },
    reset: (state: WorldState | undefined): Promise<void> => {
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
const memoryOf = ({ site, clock }: WorldSetting, { ids, store }: WorldLife): (() => AccessMemory) =>
  once(() => createAccessMemory({ site, store, clock, ids }));

/** The same place on every way, each with a face of its own. */
const waysTo = (
  { name, addressOf, clock }: PlaceOptions,
  { face }: Pick<ReturnType<typeof createLives>, 'face'>,
  surroundings: readonly Surrounding[],
): { readonly [way in WorldWay]: WorldPlace } => {
  const ownTime = (): number | undefined => (clock.isReal() ? undefined : clock.now());
  const by = (way: WorldWay): WorldPlace => {
    const address = addressOf(way);
    return {
      name,
      ownTime,
      get world(): World {
        return face(address);
      },
      get around() {
        return allOf(surroundings);
      },
    };
  };
  return { plain: by('plain'), prefix: by('prefix'), host: by('host'), named: by('named') };
};

const nothing: readonly Around[] = [];

/** Asked with every request: where at most one of them has something to say, nothing new is made of it. */
const allOf = (surroundings: readonly Surrounding[]): readonly Around[] => {
  let all = nothing;
  for (const { around } of surroundings) {
    if (around.length > 0) all = all.length === 0 ? around : [...all, ...around];
  }
  return all;
};
