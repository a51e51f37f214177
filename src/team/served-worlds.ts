/** Keeps the worlds that this process serves, and brings each one up to date before a request sees it. */
import type { StoredWorld } from './postgres/stored-world.ts';
import type { ServedWorld, ServingWorld, SiteSettings } from '../server/server-worlds.ts';
import { mainName } from '../openapi/openapi-host.ts';
import type { EntityStore } from '../openapi/openapi-records.ts';

/** A world of the database as this process serves it. */
export type TeamWorld = {
  readonly stored: StoredWorld;
  readonly served: ServedWorld;
  /** An object that stays the same until a record changes. */
  revision(): object;
  /** Continues with the data that are stored now, when a reset has replaced those that are served. */
  follow(): void;
  useSite(site: SiteSettings): void;
  /** This process no longer serves the world. */
  drop(): void;
};

/** A `ServingWorld` over the records of a stored world. */
type ServingStored = Pick<ServingWorld, 'served' | 'useSite' | 'drop'> & { publish(store: EntityStore): void };

export type ServeStored = (stored: StoredWorld) => ServingStored;

type ServedWorlds = {
  /** As it is in the database now. Undefined when there is no such world. Rejects with a Problem when nobody knows. */
  current(name: string): Promise<TeamWorld | undefined>;
  /** Brings a world up to date, when this process serves it, after a command that has changed it. */
  update(name: string): Promise<void>;
  /** The world is gone: this process knows without asking. */
  forget(name: string): void;
  useSite(site: SiteSettings): void;
  close(): void;
};

type ServedWorldsOptions = {
  /** Undefined when there is no such world. */
  readonly open: (name: string) => Promise<TeamWorld | undefined>;
  /** How many worlds are kept in memory besides the main world. */
  readonly most: number;
};

export const createTeamWorld = (stored: StoredWorld, serve: ServeStored): TeamWorld => {
  let revision = {};
  const renew = (): void => {
    revision = {};
  };
  let { store } = stored;
  let stop = store.watch(renew);
  const serving = serve(stored);
  return {
    stored,
    served: serving.served,
    revision: () => revision,
    follow: () => {
      if (stored.store === store) return;
      stop();
      store = stored.store;
      stop = store.watch(renew);
      renew();
      serving.publish(store);
    },
    useSite: (site) => serving.useSite(site),
    drop: () => {
      stop();
      serving.drop();
    },
  };
};

export const createServedWorlds = ({ open, most }: ServedWorldsOptions): ServedWorlds => {
  const worlds = createKept(most);
  const opening = new Map<string, Promise<TeamWorld | undefined>>();
  const openNow = async (name: string): Promise<TeamWorld | undefined> => {
    const world = await open(name);
    if (world !== undefined) worlds.keep(name, world);
    return world;
  };
  /** A world that is being opened may be older than the caller's request. */
  const openOnce = async (name: string): Promise<TeamWorld | undefined> => {
    const begun = opening.get(name);
    if (begun !== undefined) {
      await begun;
      return current(name);
    }
    const own = openNow(name).finally(() => opening.delete(name));
    opening.set(name, own);
    return own;
  };
  const current = async (name: string): Promise<TeamWorld | undefined> => {
    const world = worlds.get(name);
    if (world === undefined) return openOnce(name);
    if ((await world.stored.refresh()) === 'gone') {
      if (worlds.get(name) === world) worlds.forget(name);
      // Another world may have the name by now.
      return openOnce(name);
    }
    world.follow();
    if (worlds.get(name) === world) worlds.keep(name, world);
    return world;
  };
  return {
    current,
    update: async (name) => {
      if (worlds.get(name) !== undefined) await current(name);
    },
    forget: (name) => worlds.forget(name),
    useSite: (site) => {
      for (const world of worlds.all()) world.useSite(site);
    },
    close: () => {
      for (const { served } of [...worlds.all()]) worlds.forget(served.name);
    },
  };
};

/** The worlds in memory: the main world, and so many others. The least recently used one goes first. */
const createKept = (most: number) => {
  // A Map keeps the order of insertion, and a world is inserted again at each use.
  const worlds = new Map<string, TeamWorld>();
  const forget = (name: string): void => {
    worlds.get(name)?.drop();
    worlds.delete(name);
  };
  return {
    get: (name: string): TeamWorld | undefined => worlds.get(name),
    all: (): Iterable<TeamWorld> => worlds.values(),
    forget,
    keep: (name: string, world: TeamWorld): void => {
      worlds.delete(name);
      worlds.set(name, world);
      if (worlds.size <= most + 1) return;
      for (const oldest of worlds.keys()) {
        if (oldest === mainName) continue;
        // Requests in progress finish with the objects that they have.
        forget(oldest);
        return;
      }
    },
  };
};
