/** Two applications over one world, one that keeps replies and one that makes each anew, and ways to change the world. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EntityKey, FieldItems } from '../../src/model/entity.ts';
import { Repository } from '../../src/content/repository.ts';
import type { EntityStore } from '../../src/model/entity-store.ts';
import type { World } from '../../src/world.ts';
import { createTestAtoll } from '../support/atoll.ts';
import { inOneWorld } from '../../src/worlds/interceptor.ts';

export type Read = { readonly path: string; readonly as: string | undefined };

/** An answer without what differs from one moment to the next. */
export type Answer = { readonly status: number; readonly headers: readonly string[]; readonly body: string };

export type TwoApps = {
  world(): World;
  reset(): Promise<unknown>;
  /** The answer of the application that keeps replies, and that of the other. */
  kept(read: Read): Promise<Answer>;
  fresh(read: Read): Promise<Answer>;
  /** A request that changes something, as `admin`, to the application that keeps replies. */
  send(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | Uint8Array<ArrayBuffer>,
  ): Promise<number>;
  close(): void;
};

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A world whose reads arrive some turns of the loop after they were made, as over a network: writes land in between. */
const withSlowReads = (world: World, watch: (store: EntityStore) => EntityStore['watch']): World => {
  const { store } = world;
  const slow: EntityStore = {
    ...store,
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

const listening = async (app: Parameters<typeof createServer>[1]): Promise<Server> => {
  const server = createServer(app ?? (() => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

const passwords: Readonly<Record<string, string>> = { admin: 'islandora' };
const authorization = (as: string | undefined): Record<string, string> =>
  as === undefined ? {} : { authorization: `Basic ${Buffer.from(`${as}:${passwords[as] ?? as}`).toString('base64')}` };

/** `watch` may stand between the store and those who want to know what has changed. */
export const createTwoApps = async (
  watch: (store: EntityStore) => EntityStore['watch'] = (store) => (listener) => store.watch(listener),
): Promise<TwoApps> => {
  const keeping = await createTestAtoll({ around: (world) => withSlowReads(world, watch) });
  const making = await createTestAtoll({ app: { replyCacheBytes: 0, locate: inOneWorld(() => keeping.world()) } });
  const servers = await Promise.all([listening(keeping.app), listening(making.app)]);
  const [keptUrl = '', freshUrl = ''] = servers.map(
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  ); // they listen on TCP
  const read = async (base: string, { path, as }: Read): Promise<Answer> => {
    const response = await fetch(base + path, { headers: authorization(as) });
    const headers = [...response.headers]
      .filter(([name]) => name !== 'date')
      .map(([name, value]) => `${name}: ${value}`);
    return { status: response.status, headers, body: await response.text() };
  };
  return {
    world: () => keeping.world(),
    reset: () => keeping.reset(),
    kept: (wanted) => read(keptUrl, wanted),
    fresh: (wanted) => read(freshUrl, wanted),
    send: async (method, path, headers, body) => {
      const sent = {
        method,
        headers: { ...headers, ...authorization('admin') },
        ...(body === undefined ? {} : { body }),
      };
      const response = await fetch(keptUrl + path, sent);
      await response.arrayBuffer();
      return response.status;
    },
    close: () => {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
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
