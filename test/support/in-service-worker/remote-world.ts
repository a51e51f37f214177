/**
 * The main world of a repository in the service worker, as tests use it in their own process: they read records, change them,
 * let the store fail, and return to a state. What else a world has cannot be reached.
 */
import type { Site, World } from '../../../src/repository/repository.ts';
import type { SavedState, LocalWorlds } from '../../../src/server/server-worlds.ts';
import type { FailingMember, ReadRecords } from './protocol.ts';
import type { Ask } from './worker-page.ts';
import type { Counter, EntityStore, StoreView } from '../../../src/openapi/openapi-records.ts';

/** What a test needs that stays in the service worker. */
export class NotInReach extends Error {
  override name = 'NotInReach';
}

export type RemoteOptions = {
  readonly ask: Ask;
  readonly site: Site;
  readonly baseUrl: string;
  readonly cookieName: string;
};

export const remoteWorld = ({ ask, site, baseUrl, cookieName }: RemoteOptions): World =>
  onlyThese<World>('world', {
    ...{ name: 'main', baseUrl, basePath: '', site, durability: 'memory', store: remoteStore(ask) },
    access: onlyThese<World['access']>('world.access', {
      cookieName,
      issueToken: (principal) => ask('issueToken', principal),
    }),
  });

export const remoteWorlds = (options: RemoteOptions): LocalWorlds => {
  let saved = 0;
  const ids = new WeakMap<SavedState, number>();
  const main = onlyThese<LocalWorlds['main']>('worlds.main', {
    get world() {
      return remoteWorld(options);
    },
    saveState: () => {
      const id = (saved += 1);
      // Messages arrive in their order, so the state is that before the next request.
      const isSaved = options.ask('saveState', id);
      const state = onlyThese<SavedState>('a saved state', {
        hold: () => () => void isSaved.then(() => options.ask('releaseState', id)),
      });
      ids.set(state, id);
      return state;
    },
    reset: (state) => options.ask('resetTo', (state && ids.get(state)) ?? 0),
  });
  return onlyThese<LocalWorlds>('worlds', { main });
};

const remoteStore = (ask: Ask): EntityStore => {
  const store = onlyThese<EntityStore>('store', {
    getMany: (keys) => ask('getMany', keys),
    lookupMany: (indexes) => ask('lookupMany', indexes),
    list: (type, options) => ask('list', type, options),
    transact: async (reads, decide) => {
      const known = await ask('read', reads);
      const drawn = new Map<Counter, number>();
      const { changes, result } = decide(viewOf(known, drawn));
      await ask('transact', changes, drawn);
      return result;
    },
  });
  return new Proxy(store, {
    /** A test lets a member reject. The worker lets its own reject with the same error. */
    set: (_store, name, replacement: (() => Promise<unknown>) | undefined) => {
      // What a test takes away is taken away there with the reads that fail.
      if (name === 'present' && replacement === undefined) return true;
      if (replacement === undefined) throw new NotInReach(`store.${String(name)} can only be made to fail.`);
      void replacement().then(
        () => {
          throw new NotInReach(`store.${String(name)} can only be made to fail.`);
        },
        (error: unknown) => ask('fail', name as FailingMember, error as Error), // those that tests replace
      );
      return true;
    },
  });
};

/** What a decision said it would read, and nothing else. Tests decide one after another, so nothing changes meanwhile. */
const viewOf = ({ records, lists, counters }: ReadRecords, drawn: Map<Counter, number>): StoreView => ({
  get: (key) => {
    if (!records.has(key)) throw new NotInReach(`The decision did not say that it would read ${key}.`);
    return records.get(key);
  },
  lookup: (index) => {
    const found = lists.get(index);
    if (found === undefined) throw new NotInReach(`The decision did not say that it would look up ${index}.`);
    return found;
  },
  nextId: (counter) => {
    const times = (drawn.get(counter) ?? 0) + 1;
    drawn.set(counter, times);
    return (counters.get(counter) ?? 0) + times;
  },
});

/** An object that throws for what it does not have. */
const onlyThese = <T extends object>(what: string, members: Partial<T>): T =>
  new Proxy(members as T, {
    get: (object, name, receiver) => {
      // A promise asks each value for `then`.
      if (name in object || typeof name === 'symbol' || name === 'then')
        return Reflect.get(object, name, receiver) as unknown;
      throw new NotInReach(`${what}.${name} stays in the service worker.`);
    },
  });
