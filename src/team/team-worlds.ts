/** The worlds of a team: all of them are in a database, and each of several processes answers for every one. */
import {
  type PlainRequest,
  type AddressedWorld,
  type LocatedRequest,
  type CreateWorldInterceptors,
  mainName,
  type CacheMode,
} from '../openapi/openapi-host.ts';
import { createFollowingState } from './state/following-state.ts';
import type { StoredWorld } from './postgres/stored-world.ts';
import {
  createServingWorld,
  createWorldAddresses,
  type AddressOfRequest,
  type WorldAddresses,
  type Worlds,
  type WorldSummary,
} from '../server/server-worlds.ts';
import { createWorldClock } from '../server/server.ts';
import type { ServedData, WorldSettings } from '../server/server-application.ts';
import { createCompare } from './compare-chains.ts';
import { createContentCommands } from './content-commands.ts';
import { createRegistry, type RegistryParts } from './registry.ts';
import { createServedWorlds, createTeamWorld, type ServeStored, type TeamWorld } from './served-worlds.ts';
import { copyUnlisted, createTeamStage } from './unlisted-worlds.ts';
import { listWorlds, recordsIn, sourceOf, type ListedRow } from './world-rows.ts';
import { notFound } from '../openapi/openapi-terms.ts';

type TeamWorldsOptions = RegistryParts & {
  /** Opens the stored world of a name, listed or not. Undefined when there is none. */
  readonly openStored: (name: string) => Promise<StoredWorld | undefined>;
  /** How the reads of a world are answered, when it says so itself. Undefined when no client can address such a world. */
  readonly ownSettings: (name: string) => Promise<{ readonly caches: CacheMode | null } | undefined>;
  /** By scheme. All worlds share them: the names of bytes are unique. */
  readonly blobs: ServedData['blobs'];
  readonly ids: ServedData['ids'];
  readonly settings: Pick<
    WorldSettings,
    'application' | 'site' | 'signingKey' | 'readIcon' | 'caches' | 'uploads' | 'ownWork'
  >;
  readonly baseUrl: string;
  /** Makes the interceptors of each world, outermost first. */
  readonly intercept?: readonly CreateWorldInterceptors[] | undefined;
  /** How many worlds this process keeps in memory besides the main world. */
  readonly kept?: number | undefined;
};

/** Each costs some hundred kilobytes, and up to some megabytes of traffic. */
const defaultKept = 250;

/** Opens the main world, which must exist. Rejects with a Problem when the database cannot be reached. */
export const createTeamWorlds = async (options: TeamWorldsOptions): Promise<Worlds> => {
  const { database, clock } = options;
  const addresses = createWorldAddresses(options.baseUrl);
  const registry = createRegistry(options);
  const content = createContentCommands(options);
  const { served, serveAs, useSite } = createServing(options, addresses);
  const main = await served.current(mainName);
  if (main === undefined) throw new Error('The database has no main world.');
  const current = async (name: string): Promise<TeamWorld> => {
    const world = await served.current(name);
    if (world === undefined) throw notFound(`There is no world "${name}".`);
    return world;
  };
  const summary = (row: ListedRow): WorldSummary => ({
    ...{ name: row.name, url: addresses.of(row.name, 'header-or-cookie').baseUrl, durability: 'full' },
    ...{ created: row.created, expires: row.expires, from: sourceOf(row) },
    ...{ records: recordsIn(row), snapshots: row.snapshots },
  });
  return {
    locate: createLocate(addresses, main, async (name) => (await served.current(name))?.served),
    main: main.served,
    find: async (name) => (await served.current(name))?.served,
    list: async () => (await listWorlds(database, clock.now())).map(summary),
    fork: async (wanted) => summary(await registry.fork(wanted)),
    drop: async (name) => {
      const isDropped = await registry.drop(name);
      served.forget(name);
      return isDropped;
    },
    setTtl: async (name, ttl) => summary(await registry.setTtl(name, ttl)),
    compare: createCompare(options),
    revision: async (name) => (await current(name)).revision(),
    stage: createStaging(options, serveAs),
    reset: async (name, to) => {
      await registry.reset(name, to);
      await served.update(name);
    },
    saveSnapshot: async (name, snapshot) => registry.saveSnapshot(name, snapshot),
    deleteSnapshot: async (name, snapshot) => registry.deleteSnapshot(name, snapshot),
    listSnapshots: async (name) => registry.listSnapshots(name),
    hold: async (name) => content.hold(name),
    replaceContent: async (name, replacement) => {
      await content.replaceContent(name, replacement);
      await served.update(name);
    },
    useSite,
    close: () => served.close(),
  };
};

const createStaging =
  (options: TeamWorldsOptions, serveAs: ReturnType<typeof createServing>['serveAs']): Worlds['stage'] =>
  async (name) => {
    const { database, clock } = options;
    const copy = await copyUnlisted(options, name);
    const stored = await options.openStored(copy.name);
    if (stored === undefined) throw notFound(`There is no world "${name}".`);
    // It bears the name of its origin, so that its replies are those of the origin.
    const world = createTeamWorld(stored, serveAs(name, { caches: 'fresh', intercept: [] }));
    return createTeamStage(database, copy, world, () => clock.now());
  };

/** What makes the served worlds of this process, and those that it serves now. */
const createServing = (options: TeamWorldsOptions, addresses: WorldAddresses) => {
  const { blobs, ids, clock, openStored, ownSettings, intercept = [] } = options;
  let settings = options.settings;
  const serveAs =
    (name: string, own: Pick<TeamWorldsOptions, 'intercept'> & Pick<WorldSettings, 'caches'>): ServeStored =>
    (stored) => {
      const ofData = (): StoredWorld['state'] => stored.state;
      const ofWorld = createFollowingState(ofData);
      const serving = createServingWorld(
        {
          ...{ ...settings, name, id: stored.id, durability: 'full', settle: () => stored.flush() },
          ...{ caches: own.caches ?? settings.caches, intercept: own.intercept ?? intercept },
          states: { ofWorld, ofData },
          clock: createWorldClock(clock, ofWorld),
          addressOf: (kind) => addresses.of(name, kind),
        },
        { store: stored.store, blobs, ids },
      );
      return { ...serving, publish: (store) => serving.publish({ store, blobs, ids }) };
    };
  const served = createServedWorlds({
    open: async (name) => {
      const own = await ownSettings(name);
      const stored = own === undefined ? undefined : await openStored(name);
      return stored === undefined
        ? undefined
        : createTeamWorld(stored, serveAs(name, { caches: own?.caches ?? undefined }));
    },
    most: options.kept ?? defaultKept,
  });
  const useSite: Worlds['useSite'] = (site) => {
    settings = { ...settings, ...site };
    served.useSite(site);
  };
  return { served, serveAs, useSite };
};

/** What a process answers while the database cannot be reached. It needs the main world as it was last. */
const isUnchecked = ({ name, path }: AddressOfRequest): boolean =>
  name === mainName && ['/_atoll/health', '/_atoll/ready', '/_atoll/metrics'].includes(path);

const createLocate = (
  addresses: WorldAddresses,
  main: TeamWorld,
  find: (name: string) => Promise<TeamWorld['served'] | undefined>,
): Worlds['locate'] => {
  // Without `settle`: there is nothing to share, and others may wait with what they have.
  const unchecked: AddressedWorld = {
    ...{ name: mainName, interceptors: [] },
    get world() {
      return main.served.at('plain').world;
    },
  };
  return async (request: PlainRequest): Promise<LocatedRequest | undefined> => {
    const address = addresses.read(request);
    const { name, kind, path } = address;
    const addressedWorld = isUnchecked(address) ? unchecked : (await find(name))?.at(kind);
    if (addressedWorld === undefined) return undefined;
    return { addressedWorld, request: path === request.path ? request : { ...request, path } };
  };
};
