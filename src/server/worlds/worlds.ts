/** Keeps the worlds of a server by their names: forks, finds, resets and drops them. `named-world.ts` makes each of them. */
import {
  type PlainRequest,
  mainName,
  worldNamePattern,
  type LocatedRequest,
  type LocateWorld,
  type CreateWorldInterceptors,
  type CacheMode,
} from '../../openapi/openapi-host.ts';
import type { Awaitable } from '../../basics/awaitable.ts';
import { createWorldAddresses, type WorldAddresses } from './world-address.ts';
import type { WorldClock } from './world-clock.ts';
import type { WorldSettings } from '../application.ts';
import { createMemoryWorldData, type WorldData } from './world-data.ts';
import { createExpiry } from './registry/expiry.ts';
import { createFindOrigin, type Fixtures, type Origin } from './registry/find-origin.ts';
import { createStage, type Stage } from './registry/stage.ts';
import { createNamedWorld, type NamedWorld, type ReplaceData } from './named-world.ts';
import type { ServedWorld, SiteSettings } from './served/served-world.ts';
import type { SavedState, StateSource } from './saved-state.ts';
import type { BlobPool, FrozenRecords } from '../../storage/storage.ts';
import { contentCommands, type HeldContent } from './archive/world-content.ts';
import type { FixtureContent } from './fixture-content.ts';
import { conflict, notFound, Problem, unavailable } from '../../openapi/openapi-terms.ts';

/** The world that every server has. */
export type MainWorld = {
  readonly data: WorldData;
  readonly durability: WorldSettings['durability'];
  readonly clock: WorldClock;
  /** In memory this cannot fail. On disk the new data are durable; rejects with a Problem when the disk fails. */
  readonly replaceData: ReplaceData;
};

export type WorldsOptions = Fixtures & {
  readonly main: MainWorld;
  /** Where the bytes of forked worlds are. */
  readonly pool: BlobPool;
  readonly settings: Pick<
    WorldSettings,
    'application' | 'site' | 'signingKey' | 'readIcon' | 'caches' | 'uploads' | 'ownWork'
  >;
  readonly baseUrl: string;
  /** Runs a function after so many milliseconds. Call the returned function to cancel that. */
  readonly schedule: (ms: number, run: () => void) => () => void;
  /** Makes the interceptors of each world, outermost first. */
  readonly intercept?: readonly CreateWorldInterceptors[] | undefined;
};

/** Times are in milliseconds since 1970. `expires` is null when the world stays until it is dropped. */
export type WorldSummary = Pick<NamedWorld, 'name' | 'url' | 'expires' | 'created'> & {
  /** What it was made from. */
  readonly from: StateSource;
  readonly durability: WorldSettings['durability'];
  /** The number of its records, and of its snapshots. */
  readonly records: number;
  readonly snapshots: number;
};

/** The records of a world now, and those that they are compared with. */
export type ComparedRecords = {
  readonly from: StateSource;
  readonly before: FrozenRecords;
  readonly after: FrozenRecords;
  /** By scheme: the bytes of the records before. */
  readonly bytesBefore: SavedState['blobs'];
};

export type ForkOptions = {
  /** When left out: w1, w2, … */
  readonly name?: string | undefined;
  /** A world, a snapshot or a fixture, looked up in this order. When left out: the server's own fixture. */
  readonly from?: string | undefined;
  /** Seconds until the world is dropped automatically. */
  readonly ttl?: number | undefined;
  /** How its reads are answered. When left out: as in the server's other worlds. */
  readonly caches?: CacheMode | undefined;
  /** The world whose snapshots `from` may name, in addition to those of the main world. */
  readonly snapshotsOf?: string | undefined;
};

/** Worlds of a server. Most answers may come from a database. */
export type Worlds = {
  /** Finds the world of a request by prefix, host, header or cookie. Undefined when it names no existing world. */
  readonly locate: LocateWorld;
  readonly main: ServedWorld;
  find(name: string): Awaitable<ServedWorld | undefined>;
  list(): Awaitable<readonly WorldSummary[]>;
  /** Throws a Problem: 409 for a name in use, 422 for an invalid name or unknown `from`, 503 when there are too many worlds. */
  fork(options: ForkOptions): Promise<WorldSummary>;
  /** False when there is no such world. Throws a 409 for the main world. */
  drop(name: string): Awaitable<boolean>;
  /**
   * The world is dropped in `ttl` seconds from now, or never with null. Throws 404 when there is no such world, 409 for the
   * main world.
   */
  setTtl(name: string, ttl: number | null): Awaitable<WorldSummary>;
  /**
   * The records of a world, and those of what it was made from or of `from`: a world, a snapshot of this world or of the
   * main world, or a fixture. Throws 404 when there is no such world or `from`, 422 for a fixture that cannot be used.
   */
  compare(name: string, from?: string): Promise<ComparedRecords>;
  /** An object that stays the same until a record of the world changes. Throws 404 when there is no such world. */
  revision(name: string): Awaitable<object>;
  /** Copies a world to try requests in. Nobody else can reach the copy. Throws 404 when there is no such world. */
  stage(name: string): Awaitable<Stage>;
  /**
   * Returns to what the world was made from, or to a snapshot of this world or of the main world. Requests in progress
   * finish in the old state. On disk their writes are refused with 503. Throws 404 when there is no such world or snapshot.
   */
  reset(name: string, to?: string): Promise<void>;
  /** False when it replaced a snapshot of this name. Throws 404 when there is no such world, 503 for too many snapshots. */
  saveSnapshot(name: string, snapshot: string): Awaitable<boolean>;
  /** False when there is no such snapshot. Throws 404 when there is no such world. */
  deleteSnapshot(name: string, snapshot: string): Awaitable<boolean>;
  /** Throws 404 when there is no such world. */
  listSnapshots(name: string): Awaitable<readonly { readonly name: string; readonly saved: number }[]>;
  /** The content of a world as it is now, until it is released. Throws 404 when there is no such world. */
  hold(name: string): Awaitable<HeldContent>;
  /**
   * Replaces everything in a world by content that was checked, as a reset does. A reset still returns to what the world was
   * made from. The bytes of `content` are not read afterwards. Throws 404 when there is no such world, 503 and 507 when it
   * cannot be written; then nothing changes.
   */
  replaceContent(name: string, content: FixtureContent): Promise<void>;
  /** All worlds continue with another site: records, bytes, sessions and counters stay. */
  useSite(site: SiteSettings): void;
  /** Ends all worlds and releases all snapshots. */
  close(): void;
};

type WithoutWaiting =
  'list' | 'drop' | 'setTtl' | 'revision' | 'stage' | 'saveSnapshot' | 'deleteSnapshot' | 'listSnapshots' | 'hold';

/** Worlds in memory, the main world also on disk. They answer without waiting where no fixture is read. */
export type LocalWorlds = Omit<Worlds, WithoutWaiting | 'main' | 'find' | 'locate'> & {
  readonly [name in WithoutWaiting]: (...parts: Parameters<Worlds[name]>) => Awaited<ReturnType<Worlds[name]>>;
} & {
  readonly main: NamedWorld;
  find(name: string): NamedWorld | undefined;
  readonly locate: (request: PlainRequest) => LocatedRequest | undefined;
};

/** The most worlds besides the main world. Exported for the test that compares the docs with it. */
export const worldLimit = 1000;

/** Makes the main world. Other worlds are forked later. */
export const createWorlds = (options: WorldsOptions): LocalWorlds => {
  const addresses = createWorldAddresses(options.baseUrl);
  const { worlds, main, get, add, drop, stage, useSite } = createRegistry(options, addresses);
  const nextName = createNames();
  const { findSnapshot, findOrigin, findRecords } = createFindOrigin(options, worlds, main);

  return {
    locate: createLocate(addresses, worlds),
    main,
    find: (name) => worlds.get(name),
    list: () => [...worlds.values()].map(summary),
    fork: async ({ name, from, ttl, caches, snapshotsOf = mainName }) => {
      refuseName(name, worlds);
      if (worlds.size > worldLimit) throw unavailable(tooManyWorlds);
      const origin = await findOrigin(from, snapshotsOf);
      const release = origin.state.hold();
      try {
        // Reading a fixture takes time: the name may be in use by now.
        refuseName(name, worlds);
        return summary(add(name ?? nextName(worlds), origin, { ttl, caches }));
      } finally {
        release();
      }
    },
    drop,
    setTtl: (name, ttl) => {
      const world = get(name);
      if (world.expiry === undefined) throw conflict('The main world always stays, so it can have no ttl.');
      world.expiry.set(ttl);
      return summary(world);
    },
    compare: async (name, from) => {
      const { source, records, blobs } = await findRecords(get(name), from);
      // The world may have been changed while a fixture was read.
      return { from: source, before: records, bytesBefore: blobs, after: get(name).freeze() };
    },
    revision: (name) => get(name).freeze(),
    stage: (name) => stage(get(name)),
    reset: async (name, to) => {
      const state = to === undefined ? undefined : findSnapshot(name, to)?.state;
      if (to !== undefined && state === undefined) throw notFound(`There is no snapshot "${to}".`);
      await get(name).reset(state);
    },
    saveSnapshot: (name, snapshot) => get(name).snapshots.save(snapshot),
    deleteSnapshot: (name, snapshot) => get(name).snapshots.remove(snapshot),
    listSnapshots: (name) => get(name).snapshots.list(),
    ...{ useSite, ...contentCommands(get, { pool: options.pool, model: options.settings.application.content.model }) },
    close: () => {
      for (const world of worlds.values()) world.end();
      worlds.clear();
    },
  };
};

const tooManyWorlds = `There are ${worldLimit} worlds already. Drop some, or give them a ttl.`;

const createRegistry = (options: WorldsOptions, addresses: WorldAddresses) => {
  const { clock, intercept = [] } = options;
  let common = { ...options.settings, intercept, now: () => clock.now() };
  const worlds = new Map<string, NamedWorld>();
  const put = (world: NamedWorld): NamedWorld => {
    worlds.set(world.name, world);
    return world;
  };
  const main = put(
    createNamedWorld({
      ...{ ...common, ...options.main, name: mainName, addressOf: (kind) => addresses.of(mainName, kind) },
      origin: () => options.fixture(undefined),
      source: () => ({ kind: 'fixture', name: options.ownFixtureName(), taken: null }),
    }),
  );
  const drop = (name: string): boolean => {
    if (name === mainName) throw conflict('The main world cannot be dropped.');
    worlds.get(name)?.end();
    return worlds.delete(name);
  };
  const make = (name: string, origin: Origin, own: OwnSettings): NamedWorld =>
    createNamedWorld({
      ...{ ...common, name, durability: 'memory', clock: origin.clock },
      ...{ caches: own.caches ?? common.caches, intercept: own.intercept ?? common.intercept },
      data: createMemoryWorldData(origin.state, options.pool),
      expiry: createExpiry(options, own.ttl ?? null, () => drop(name)),
      addressOf: (kind) => addresses.of(name, kind),
      origin: () => Promise.resolve(origin.state),
      source: () => origin.source,
      replaceData: async (state, publish) => publish(createMemoryWorldData(state, options.pool)),
      ends: [origin.state.hold()],
    });
  return {
    worlds,
    main,
    drop,
    useSite: (site: SiteSettings): void => {
      common = { ...common, ...site };
      for (const world of worlds.values()) world.useSite(site);
    },
    /** Throws 404 when there is no such world. */
    get: (name: string): NamedWorld => {
      const world = worlds.get(name);
      if (world === undefined) throw notFound(`There is no world "${name}".`);
      return world;
    },
    add: (name: string, origin: Origin, settings: OwnSettings): NamedWorld => put(make(name, origin, settings)),
    /** A copy that nobody can address. */
    stage: (world: NamedWorld): Stage =>
      createStage(world, (origin) => make(world.name, origin, { caches: 'fresh', intercept: [] })),
  };
};

type OwnSettings = Pick<ForkOptions, 'ttl' | 'caches'> & Pick<WorldsOptions, 'intercept'>;

const summary = (world: NamedWorld): WorldSummary => ({
  ...{ name: world.name, url: world.url, expires: world.expires, created: world.created, from: world.source },
  ...{ durability: world.world.durability, records: world.size(), snapshots: world.snapshots.size() },
});

const refuseName = (name: string | undefined, worlds: ReadonlyMap<string, unknown>): void => {
  if (name === undefined) return;
  if (!worldNamePattern.test(name)) throw new Problem(422, `"${name.slice(0, 80)}" cannot be the name of a world.`);
  if (worlds.has(name)) throw conflict(`There is a world "${name}" already.`);
};

/** Returns w1, w2, … and never a name twice, so that a client of a dropped world cannot reach a new one. */
const createNames = () => {
  let last = 0;
  return (taken: ReadonlyMap<string, unknown>): string => {
    do last += 1;
    while (taken.has(`w${last}`));
    return `w${last}`;
  };
};

const createLocate =
  (addresses: WorldAddresses, worlds: ReadonlyMap<string, NamedWorld>): LocalWorlds['locate'] =>
  (request: PlainRequest) => {
    const { name, kind, path } = addresses.read(request);
    const addressedWorld = worlds.get(name)?.at(kind);
    if (addressedWorld === undefined) return undefined;
    return { addressedWorld, request: path === request.path ? request : { ...request, path } };
  };
