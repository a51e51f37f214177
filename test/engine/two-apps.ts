/** Two applications over one world, one that keeps replies and one that makes each anew, and ways to change the world. */
import { Repository } from '../../src/repository/repository-content.ts';
import type { World } from '../../src/repository/repository.ts';
import { createTestAtoll } from '../support/atoll.ts';
import { inOneWorld } from '../support/one-world.ts';
import { basic } from '../support/requests.ts';
import { serveOnPort } from '../support/server.ts';
import type { EntityKey, FieldItems, EntityStore } from '../../src/openapi/openapi-records.ts';

export type Read = { readonly path: string; readonly as: string | undefined };

/** An answer without what differs from one moment to the next. */
export type Answer = { readonly status: number; readonly headers: readonly string[]; readonly body: string };

export type TwoApps = {
  world(): World;
  reset(): Promise<unknown>;
  /** The answer of the application with a reply cache, and that of the other. */
  cached(read: Read): Promise<Answer>;
  fresh(read: Read): Promise<Answer>;
  /** A request that changes something, as `admin`, to the application with a reply cache. */
  send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | Uint8Array<ArrayBuffer>,
  ): Promise<number>;
  close(): Promise<void>;
};

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A world whose reads arrive some turns of the loop after they were made, as over a network: writes land in between. */
const withSlowReads = (world: World, watch: (store: EntityStore) => EntityStore['watch']): World => {
  const { store } = world;
  const slow: EntityStore = {
    ...store,
    // Over a network nothing is at hand.
    present: undefined,
    getMany: async (keys) => {
      const found = await store.getMany(keys);
      await turns(2);
      return found;
    },
    lookupMany: async (indexes) => {
      const found = await store.lookupMany(indexes);
      await turns(2);
      return found;
    },
    watch: watch(store),
  };
  return { ...world, store: slow, repository: new Repository({ ...world.repository.parts, store: slow }) };
};

const authorization = (as: string | undefined): Record<string, string> => (as === undefined ? {} : basic(as).headers);

/** `watch` may stand between the store and those who want to know what has changed. */
export const createTwoApps = async (
  watch: (store: EntityStore) => EntityStore['watch'] = (store) => (listener) => store.watch(listener),
): Promise<TwoApps> => {
  const withCache = await createTestAtoll({ around: (world) => withSlowReads(world, watch) });
  const withoutCache = await createTestAtoll({
    app: { replyCacheBytes: 0, locate: inOneWorld(() => withCache.world()) },
  });
  const [cachedServer, freshServer] = [await serveOnPort(withCache), await serveOnPort(withoutCache)];
  const read = async (base: string, { path, as }: Read): Promise<Answer> => {
    const response = await fetch(base + path, { headers: authorization(as) });
    const headers = [...response.headers]
      .filter(([name]) => name !== 'date')
      .map(([name, value]) => `${name}: ${value}`);
    return { status: response.status, headers, body: await response.text() };
  };
  return {
    world: () => withCache.world(),
    reset: () => withCache.reset(),
    cached: (wanted) => read(cachedServer.url, wanted),
    fresh: (wanted) => read(freshServer.url, wanted),
    send: async (method, path, headers, body) => {
      const sent = {
        method,
        headers: { ...headers, ...authorization('admin') },
        ...(body === undefined ? {} : { body }),
      };
      const response = await fetch(cachedServer.url + path, sent);
      await response.arrayBuffer();
      return response.status;
    },
    close: async () => {
      await Promise.all([cachedServer.stop(), freshServer.stop()]);
    },
  };
};

/** Puts a field of a stored record in place of what it was, past the interface; nothing when there is no such record. */
export const setField = (world: World, key: EntityKey, field: string, items: FieldItems): Promise<void> =>
  world.store.transact([key], (view) => {
    const before = view.get(key);
    const changes = before === undefined ? [] : [{ put: { ...before, fields: { ...before.fields, [field]: items } } }];
    return { changes, result: undefined };
  });
