/** The worlds of a server by their names: made, found, reset, dropped. What each consists of stands in the files beside. */
import type { PlainRequest } from '../engine/exchange.ts';
import type { Clock } from '../model/clock.ts';
import { conflict, notFound, Problem, unavailable } from '../problem.ts';
import { createWorldAddresses, mainName, worldNamePattern, type WorldAddresses } from './world-address.ts';
import { createWorldClock, type WorldClock } from './world-clock.ts';
import type { WorldSettings } from './world-view.ts';
import { createMemoryWorldData, type WorldData } from './world-data.ts';
import type { LocateWorld } from './interceptor.ts';
import {
  createNamedWorld,
  type NamedWorld,
  type ReplaceData,
  type SiteSettings,
  type InterceptWorld,
} from './named-world.ts';
import type { SavedState } from './saved-state.ts';

/** The world that every server has. */
export type MainWorld = {
  readonly life: WorldData;
  readonly durability: WorldSettings['durability'];
  readonly clock: WorldClock;
  /** Puts a state in the place of everything. In memory at once; on disk durably, and with a Problem when it cannot. */
  readonly renew: ReplaceData;
};

export type WorldsOptions = {
  readonly main: MainWorld;
  readonly setting: Pick<WorldSettings, 'site' | 'signingKey' | 'readIcon'>;
  readonly baseUrl: string;
  /** A fixture of the package by its name, or the one that the server was started with; undefined when there is none. */
  readonly fixture: (name: string | undefined) => Promise<SavedState | undefined>;
  /** The real time: worlds expire by it, and their own clocks run on it. */
  readonly clock: Clock;
  /** Runs something after so many milliseconds, unless the result is called before. */
  readonly after: (ms: number, run: () => void) => () => void;
  /** What lies around each world's repository, outermost first. */
  readonly intercept?: readonly InterceptWorld[] | undefined;
};

/** A world as it is listed. `expires` in milliseconds since 1970, null when it stays until it is dropped. */
export type WorldSummary = { readonly name: string; readonly url: string; readonly expires: number | null };

export type ForkOptions = {
  /** Invented when left out: w1, w2, … */
  readonly name?: string | undefined;
  /** A world, a snapshot or a fixture, looked for in this order; when left out the fixture that the server was started with. */
  readonly from?: string | undefined;
  /** Seconds until it is dropped by itself. */
  readonly ttl?: number | undefined;
  /** The world whose snapshots `from` may name, beside those of the main world. */
  readonly asker?: string | undefined;
};

export type Worlds = {
  /** The world of a request, by prefix, host, header or cookie; undefined when it names none that exists. */
  readonly locate: LocateWorld;
  readonly main: NamedWorld;
  find(name: string): NamedWorld | undefined;
  list(): readonly WorldSummary[];
  /** Throws a Problem: 409 for a name that is taken, 422 for one that cannot be and an unknown `from`, 503 for one too many. */
  fork(options: ForkOptions): Promise<WorldSummary>;
  /** False when there is no such world. Throws a 409 for the main world. */
  drop(name: string): boolean;
  /**
   * Back to what the world was made from, or to a snapshot of its own or of the main world; 404 when there is none.
   * Requests under way end in the old state; on disk their writes are refused with 503.
   */
  reset(name: string, to?: string): Promise<void>;
  /** Keeps a moment under a name. False when it took the place of another. */
  save(name: string, snapshot: string): boolean;
  forget(name: string, snapshot: string): boolean;
  snapshots(name: string): readonly { readonly name: string; readonly saved: number }[];
  /** Every world goes on with another site: records, bytes, sessions and counters stay. */
  adopt(site: SiteSettings): void;
  /** Drops every world but the main one, and lets go of all snapshots. */
  close(): void;
};

/** Worlds beside the main one; each may hold 256 MiB of uploads. */
export const worldLimit = 1000;

/** The main world, and room for others. Worlds that expire need no call. */
export const createWorlds = (options: WorldsOptions): Worlds => {
  const addresses = createWorldAddresses(options.baseUrl);
  const { places, main, open, add, drop, adopt } = createRegister(options, addresses);
  const invent = createNames();
  const snapshotFor = (asker: string, snapshot: string): SavedState | undefined =>
    places.get(asker)?.snapshots.get(snapshot) ?? main.snapshots.get(snapshot);
  const originOf = async (asker: string, from: string | undefined): Promise<Origin> => {
    const world = from === undefined ? undefined : places.get(from);
    if (world !== undefined) return { state: world.keep(), clock: world.clock.copy() };
    const snapshot = from === undefined ? undefined : snapshotFor(asker, from);
    const state = snapshot ?? (await options.fixture(from));
    if (state === undefined) throw new Problem(422, `There is no world, snapshot or fixture "${from ?? ''}".`);
    return { state, clock: createWorldClock(options.clock) };
  };

  return {
    locate: createLocate(addresses, places),
    main,
    find: (name) => places.get(name),
    list: () => [...places.values()].map(summary),
    fork: async ({ name, from, ttl, asker = mainName }) => {
      refuseName(name, places);
      if (places.size > worldLimit) throw unavailable(tooManyWorlds);
      const origin = await originOf(asker, from);
      const release = origin.state.hold();
      try {
        // Asked again: a fixture may have been read meanwhile.
        refuseName(name, places);
        return summary(add(name ?? invent(places), origin, ttl));
      } finally {
        release();
      }
    },
    drop,
    reset: async (name, to) => {
      const state = to === undefined ? undefined : snapshotFor(name, to);
      if (to !== undefined && state === undefined) throw notFound(`There is no snapshot "${to}".`);
      await open(name).reset(state);
    },
    save: (name, snapshot) => open(name).snapshots.save(snapshot),
    forget: (name, snapshot) => open(name).snapshots.forget(snapshot),
    snapshots: (name) => open(name).snapshots.list(),
    adopt,
    close: () => {
      for (const place of places.values()) place.end();
      places.clear();
    },
  };
};

const tooManyWorlds = `There are ${worldLimit} worlds already. Drop some, or give them a ttl.`;

/** The places by their names. */
const createRegister = (options: WorldsOptions, addresses: WorldAddresses) => {
  const { setting, clock, intercept = [] } = options;
  let always = { ...setting, intercept, now: () => clock.now() };
  const places = new Map<string, NamedWorld>();
  const put = (place: NamedWorld): NamedWorld => {
    places.set(place.name, place);
    return place;
  };
  const main = put(
    createNamedWorld({
      ...{ ...always, ...options.main, name: mainName },
      addressOf: (way) => addresses.of(mainName, way),
      origin: () => options.fixture(undefined),
    }),
  );
  const drop = (name: string): boolean => {
    if (name === mainName) throw conflict('The main world cannot be dropped.');
    places.get(name)?.end();
    return places.delete(name);
  };
  return {
    places,
    main,
    drop,
    adopt: (site: SiteSettings): void => {
      always = { ...always, ...site };
      for (const place of places.values()) place.adopt(site);
    },
    open: (name: string): NamedWorld => {
      const place = places.get(name);
      if (place === undefined) throw notFound(`There is no world "${name}".`);
      return place;
    },
    add: (name: string, origin: Origin, ttl: number | undefined): NamedWorld => {
      const expiry = ttl === undefined ? [] : [options.after(ttl * 1000, () => drop(name))];
      return put(
        createNamedWorld({
          ...{ ...always, name, durability: 'memory', clock: origin.clock, life: createMemoryWorldData(origin.state) },
          expires: ttl === undefined ? null : clock.now() + ttl * 1000,
          addressOf: (way) => addresses.of(name, way),
          origin: () => Promise.resolve(origin.state),
          renew: async (state, begin) => begin(createMemoryWorldData(state)),
          ends: [origin.state.hold(), ...expiry],
        }),
      );
    },
  };
};

/** Where a world begins, in content and in time. */
type Origin = { readonly state: SavedState; readonly clock: WorldClock };

const summary = ({ name, url, expires }: NamedWorld): WorldSummary => ({ name, url, expires });

const refuseName = (name: string | undefined, places: ReadonlyMap<string, unknown>): void => {
  if (name === undefined) return;
  if (!worldNamePattern.test(name)) throw new Problem(422, `"${name.slice(0, 80)}" cannot be the name of a world.`);
  if (places.has(name)) throw conflict(`There is a world "${name}" already.`);
};

/** w1, w2, …: no name comes twice, that no client of a dropped world ends up in another's. */
const createNames = () => {
  let last = 0;
  return (taken: ReadonlyMap<string, unknown>): string => {
    do last += 1;
    while (taken.has(`w${last}`));
    return `w${last}`;
  };
};

const createLocate =
  (addresses: WorldAddresses, places: ReadonlyMap<string, NamedWorld>): LocateWorld =>
  (request: PlainRequest) => {
    const { name, way, path } = addresses.read(request);
    const place = places.get(name)?.by(way);
    if (place === undefined) return undefined;
    return { place, request: path === request.path ? request : { ...request, path } };
  };
