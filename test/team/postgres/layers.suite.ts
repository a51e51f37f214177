/** What worlds over shared layers promise: forks, removals, look-ups and lists over several layers, exports. */
import { describe, expect, it } from '@jest/globals';
import { entityTypes } from '../../../src/repository/repository.ts';
import { createMemoryEntityStore } from '../../../src/storage/storage.ts';
import type { Database, Queries } from '../../../src/team/postgres/database.ts';
import { fillLayer, newLayer } from './fill-layer.ts';
import { createRecordCache } from '../../../src/team/postgres/record-cache.ts';
import { readPage } from '../../../src/team/postgres/world-reads.ts';
import type { Chain } from '../../../src/team/postgres/world-row.ts';
import { article, testModel } from '../../storage/records.ts';
import { freezeWorld, makeWorld, openWorld } from './worlds.ts';
import { keyOf, type Entity, type EntityStore } from '../../../src/openapi/openapi-records.ts';

const all = { offset: 0, limit: 100 };
const remove = (store: EntityStore, id: number): Promise<number> =>
  store.transact([], () => ({ changes: [{ remove: `node:${id}` as const }], result: 0 }));
const put = (store: EntityStore, entity: Entity): Promise<number> =>
  store.transact([], () => ({ changes: [{ put: entity }], result: 0 }));
const pageRecords = 500;

/** All records that a world over this chain shows, by type and ascending id. */
async function* readChain(queries: Queries, chain: Chain): AsyncGenerator<Entity> {
  for (const type of entityTypes) {
    let after = -1;
    for (;;) {
      const { entities } = await readPage(queries, { world: noWorld, chain }, type, { after, limit: pageRecords });
      yield* entities;
      const last = entities.at(-1);
      if (last === undefined || entities.length < pageRecords) break;
      after = last.id;
    }
  }
}

/** Ids of worlds are positive. */
const noWorld = -1;

const keysIn = async (entities: AsyncIterable<Entity>): Promise<string[]> => {
  const keys: string[] = [];
  for await (const entity of entities) keys.push(keyOf(entity));
  return keys;
};

export const describeLayers = (name: string, database: () => Database): void => {
  const filled = async (count: number): Promise<Parameters<typeof makeWorld>[1]> => {
    const layer = await newLayer(database(), 0);
    const entities = Array.from({ length: count }, (_, at) =>
      article(at + 1, `n${at + 1}`, { parent: 1 + (at % 2), bundle: at % 3 === 0 ? 'page' : 'article' }),
    );
    const { counters, totals } = await fillLayer(database(), layer, entities, { model: testModel });
    return { chain: [layer], counters, totals };
  };

  describe(`Worlds over layers in ${name}`, () => {
    it('see the records of a filled layer, with totals and counters', async () => {
      const { store } = await openWorld(database(), await makeWorld(database(), await filled(2500)));
      const page = await store.list('node', { bundle: 'page', offset: 1, limit: 2 });
      expect([page.total, page.entities.map(({ id }) => id)]).toEqual([834, [4, 7]]);
      expect((await store.lookupMany(['members-of:2']))[0]?.length).toBe(1250);
      expect(await store.transact([], (view) => ({ changes: [], result: view.nextId('node') }))).toBe(2501);
    });

    it('share what is below, and nothing else', async () => {
      const base = await filled(4);
      const [one, two] = await Promise.all(
        [1, 2].map(async () => openWorld(database(), await makeWorld(database(), base))),
      );
      if (one === undefined || two === undefined) throw new Error('two were opened');
      await remove(one.store, 1);
      await put(one.store, article(2, 'changed', { parent: 9 }));
      await put(one.store, article(9, 'new', { parent: 1 }));
      await two.refresh();
      const shown = async ({ store }: typeof one): Promise<unknown> => [
        (await store.getMany(['node:1', 'node:2', 'node:9'])).map((entity) => entity?.fields['title']?.[0]?.['value']),
        (await store.lookupMany(['members-of:1', 'members-of:2', 'members-of:9'])).map((found) =>
          found.map(({ id }) => id),
        ),
        (await store.list('node', all)).entities.map(({ id }) => id),
        (await store.list('node', all)).total,
      ];
      expect(await shown(one)).toEqual([[undefined, 'changed', 'new'], [[3, 9], [4], [2]], [2, 3, 4, 9], 4]);
      expect(await shown(two)).toEqual([['n1', 'n2', undefined], [[1, 3], [2, 4], []], [1, 2, 3, 4], 4]);
    });

    it('fork from a world that goes on writing', async () => {
      const id = await makeWorld(database(), await filled(2));
      const source = await openWorld(database(), id);
      await put(source.store, article(3, 'before the fork'));
      const frozen = await freezeWorld(database(), id);
      await put(source.store, article(4, 'after the fork'));
      await remove(source.store, 3);
      const fork = await openWorld(database(), await makeWorld(database(), frozen));
      expect((await fork.store.list('node', all)).entities.map((entity) => entity.id)).toEqual([1, 2, 3]);
      await source.refresh();
      expect((await source.store.list('node', all)).entities.map((entity) => entity.id)).toEqual([1, 2, 4]);
      expect(await keysIn(readChain(database(), source.row.chain))).toEqual(['node:1', 'node:2', 'node:4']);
      expect(await keysIn(readChain(database(), frozen?.chain ?? []))).toEqual(['node:1', 'node:2', 'node:3']);
    });

    it('read all records in pages', async () => {
      const base = await filled(1203);
      const keys = await keysIn(readChain(database(), base?.chain ?? []));
      expect([keys.length, keys[0], keys.at(-1)]).toEqual([1203, 'node:1', 'node:1203']);
    });

    it.each([2_000, 1_000_000])('do what a store in memory does, with a cache of %i bytes', async (bytes) => {
      const random = createRandom(7);
      const id = await makeWorld(database());
      const processes = await Promise.all(
        ['p1', 'p2'].map((process) => openWorld(database(), id, { process, cache: createRecordCache(bytes) })),
      );
      const model = createMemoryEntityStore({ model: testModel });
      for (let step = 0; step < 60; step += 1) {
        const store = processes[random(2)]?.store;
        if (store === undefined) throw new Error('two were opened');
        const entity = article(1 + random(12), `step ${step}`, {
          parent: random(4),
          bundle: ['article', 'page'][random(2)] ?? '',
        });
        for (const each of [store, model]) {
          if (step % 4 === 3) await remove(each, entity.id);
          else await put(each, entity);
        }
        if (step % 10 === 9) await freezeWorld(database(), id);
        const reader = processes[random(2)];
        await reader?.refresh();
        const indexes = [0, 1, 2, 3].map((parent) => `members-of:${parent}`);
        const keys = [1, 2, 3, 4, 5, 6].map((at) => `node:${at}` as const);
        const options = { offset: random(4), limit: 5, bundle: [undefined, 'page'][random(2)] };
        for (const read of [
          (each: EntityStore) => each.getMany(keys),
          (each: EntityStore) => each.lookupMany(indexes),
          (each: EntityStore) => each.list('node', options),
        ]) {
          expect(await read(reader?.store ?? model)).toEqual(await read(model));
        }
      }
      await processes[0]?.refresh();
      expect(processes[0]?.row.chain.length).toBe(7);
    });
  });
};

/** The same numbers in each run. */
const createRandom = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
};
