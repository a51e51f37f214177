/** What stored worlds promise when several processes have them open: two `StoredWorld`s over one database stand for two processes. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../../../src/team/postgres/database.ts';
import type { StoredWorld } from '../../../src/team/postgres/stored-world.ts';
import { article } from '../../storage/records.ts';
import { makeWorld, openWorld, resetWorld } from './worlds.ts';
import type { Entity, Decision, StoreView } from '../../../src/openapi/openapi-records.ts';

const put = (entity: Entity): Decision<Entity> => ({ changes: [{ put: entity }], result: entity });
const create = (view: StoreView, title: string): Decision<Entity> => put(article(view.nextId('node'), title));
const idsOf = (entities: readonly Entity[] | undefined): readonly number[] => (entities ?? []).map(({ id }) => id);

export const describeStoredWorlds = (name: string, database: () => Database): void => {
  let a: StoredWorld;
  let b: StoredWorld;
  const openBoth = async (): Promise<number> => {
    const id = await makeWorld(database());
    [a, b] = await Promise.all([openWorld(database(), id), openWorld(database(), id, { process: 'p2' })]);
    return id;
  };

  describe(`Two processes with one world in ${name}`, () => {
    beforeAll(openBoth);

    it('see what the other one has written, after a refresh', async () => {
      expect(await b.store.getMany(['node:1'])).toEqual([undefined]);
      expect(await b.store.lookupMany(['members-of:7'])).toEqual([[]]);
      const node = await a.store.transact([], (view) => put(article(view.nextId('node'), 'one', { parent: 7 })));
      expect(await b.refresh()).toBe('current');
      expect(await b.store.getMany(['node:1'])).toEqual([node]);
      expect(await b.store.lookupMany(['members-of:7'])).toEqual([[node]]);
      expect(await b.store.list('node', { offset: 0, limit: 5 })).toEqual({ total: 1, entities: [node] });
    });

    it('tell who watches what the other one has changed', async () => {
      const told: unknown[] = [];
      const stop = b.store.watch((touched, changed) => told.push([[...touched].sort(), changed]));
      await a.store.transact([], () => put(article(1, 'moved', { parent: 8 })));
      await b.refresh();
      await a.store.transact([], () => ({ changes: [{ remove: 'node:1' }], result: 0 }));
      await b.refresh();
      stop();
      const uuid = `uuid:${article(1, '').uuid}`;
      expect(told).toEqual([
        [['members-of:7', 'members-of:8', 'node:1', uuid], [{ key: 'node:1', isRemoved: false }]],
        [['members-of:8', 'node:1', uuid], [{ key: 'node:1', isRemoved: true }]],
      ]);
    });

    it('never draw an id twice, and lose no record', async () => {
      await Promise.all([a.refresh(), b.refresh()]);
      const writes = Array.from({ length: 60 }, async (_, at) => {
        // Some in one batch, some in later ones.
        for (let pause = 0; pause < at % 5; pause += 1) await a.store.getMany([`node:${1000 + at}`]);
        return (at % 2 === 0 ? a : b).store.transact([], (view) => create(view, `n${at}`));
      });
      const ids = (await Promise.all(writes)).map(({ id }) => id);
      expect(new Set(ids).size).toBe(60);
      await a.refresh();
      const { total, entities } = await a.store.list('node', { offset: 0, limit: 100 });
      expect([total, idsOf(entities)]).toEqual([60, [...ids].sort((x, y) => x - y)]);
    });

    it('never draw an id twice when only the id is asked for', async () => {
      const draws = Array.from({ length: 20 }, (_, at) =>
        (at % 2 === 0 ? a : b).store.transact([], (view) => ({ changes: [], result: view.nextId('file') })),
      );
      expect(new Set(await Promise.all(draws)).size).toBe(20);
    });

    it('let one of many racing decisions win', async () => {
      const attempts = Array.from({ length: 20 }, (_, at) =>
        (at % 2 === 0 ? a : b).store.transact([{ index: 'members-of:99' }], (view) => {
          const [present] = view.lookup('members-of:99');
          if (present !== undefined) return { changes: [], result: present.id };
          return { ...put(article(view.nextId('node'), 'the only one', { parent: 99 })), result: 0 };
        }),
      );
      const results = await Promise.all(attempts);
      expect(results.filter((result) => result === 0).length).toBe(1);
      await b.refresh();
      expect((await b.store.lookupMany(['members-of:99']))[0]?.length).toBe(1);
    });

    it('keep all parallel changes of different fields of one record', async () => {
      const { id } = await a.store.transact([], (view) => create(view, 'shared'));
      const patches = Array.from({ length: 60 }, (_, at) =>
        (at % 2 === 0 ? a : b).store.transact([`node:${id}`], (view) => {
          const before = view.get(`node:${id}`);
          if (before === undefined) throw new Error('gone');
          return put({ ...before, fields: { ...before.fields, [`field_${at}`]: [{ value: at }] } });
        }),
      );
      await Promise.all(patches);
      await b.refresh();
      const [node] = await b.store.getMany([`node:${id}`]);
      expect(Object.keys(node?.fields ?? {}).filter((field) => field.startsWith('field_')).length).toBe(60);
    });

    it('pass on what one decision of a batch throws, and what the database cannot store, and keep the others', async () => {
      const good = a.store.transact([], (view) => create(view, 'good'));
      const refused = a.store.transact([], (): Decision<never> => {
        throw new Error('refused');
      });
      const unstorable = a.store.transact([], (view) => put(article(view.nextId('node'), 'x', { bundle: 'nul\0nul' })));
      const outcomes = await Promise.allSettled([good, refused, unstorable]);
      expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
      expect((await a.store.getMany([`node:${(await good).id}`]))[0]).toEqual(await good);
    });

    it('find a record by a long index key and by one with a NUL', async () => {
      for (const uuid of ['x'.repeat(5000), 'a\0b']) {
        const node = await a.store.transact([], (view) => put({ ...article(view.nextId('node'), 'odd'), uuid }));
        await b.refresh();
        expect(await b.store.lookupMany([`uuid:${uuid}`])).toEqual([[node]]);
      }
    });
  });

  describe(`A world in ${name} that is reset or dropped`, () => {
    it('gets another store, and the old one refuses writes', async () => {
      const id = await openBoth();
      await a.store.transact([], (view) => create(view, 'old'));
      await resetWorld(database(), id);
      const old = a.store;
      expect(await a.refresh()).toBe('replaced');
      expect(a.store).not.toBe(old);
      expect((await a.store.list('node', { offset: 0, limit: 5 })).total).toBe(0);
      expect((await old.getMany(['node:1']))[0]?.id).toBe(1);
      await expect(old.transact([], (view) => create(view, 'late'))).rejects.toMatchObject({ status: 503 });
      // The other process has not asked yet. Its write must not reach the new records.
      await expect(b.store.transact([], (view) => create(view, 'late'))).rejects.toMatchObject({ status: 503 });
      expect(await b.refresh()).toBe('replaced');
      expect((await b.store.transact([], (view) => create(view, 'new'))).id).toBe(1);
    });

    it('gets another store too when this process has missed changes', async () => {
      const id = await openBoth();
      const node = await a.store.transact([], (view) => create(view, 'one'));
      await database().query('delete from atoll_changes where world = $1', [id]);
      const old = b.store;
      expect(await b.refresh()).toBe('replaced');
      expect(b.store).not.toBe(old);
      expect(await b.refresh()).toBe('current');
      expect(await b.store.getMany(['node:1'])).toEqual([node]);
    });

    it('is gone when it was dropped', async () => {
      const id = await openBoth();
      await database().query('delete from atoll_worlds where id = $1', [id]);
      expect(await a.refresh()).toBe('gone');
      await expect(a.store.transact([], (view) => create(view, 'late'))).rejects.toMatchObject({ status: 503 });
      expect(await openStoredOrUndefined(database(), id)).toBeUndefined();
    });
  });

  describe(`The shared state of a world in ${name}`, () => {
    it('reaches the other process after a flush and a refresh, and the last write of a key wins', async () => {
      await openBoth();
      const mine = a.state.map<{ readonly n: number }>('sessions', 3);
      mine.set('s1', { n: 1 });
      mine.set('s2', { n: 2 });
      const theirs = b.state.map<{ readonly n: number }>('sessions', 3);
      await b.refresh();
      expect(theirs.get('s1')).toBeUndefined();
      await a.flush();
      await b.refresh();
      expect([...theirs.entries()]).toEqual([
        ['s1', { n: 1 }],
        ['s2', { n: 2 }],
      ]);
      theirs.set('s1', { n: 5 });
      theirs.delete('s2');
      await b.flush();
      await a.refresh();
      expect([mine.get('s1'), mine.get('s2'), mine.size]).toEqual([{ n: 5 }, undefined, 1]);
    });

    it('is there for a process that starts later, and a flush without changes writes nothing', async () => {
      const id = await openBoth();
      a.state.map<number>('clock', 1).set('offset\0', 7);
      await a.flush();
      const { seq } = a.row;
      await a.flush();
      const late = await openWorld(database(), id);
      expect([late.row.seq, late.state.map<number>('clock', 1).get('offset\0')]).toEqual([seq, 7]);
    });

    it('drops the least recently used entry of a full map, in all processes', async () => {
      await openBoth();
      const mine = a.state.map<number>('flood', 2);
      for (const key of ['x', 'y', 'z']) mine.set(key, 1);
      await a.flush();
      await b.refresh();
      expect([...b.state.map<number>('flood', 2).entries()].map(([key]) => key)).toEqual(['y', 'z']);
    });

    it('is written with the records of a batch', async () => {
      await openBoth();
      a.state.map<number>('sessions', 2).set('s', 1);
      const before = a.row.seq;
      await a.store.transact([], (view) => create(view, 'one'));
      await a.flush();
      await b.refresh();
      expect([a.row.seq - before, b.state.map<number>('sessions', 2).get('s')]).toEqual([1, 1]);
    });
  });
};

const openStoredOrUndefined = async (database: Database, id: number): Promise<unknown> =>
  openWorld(database, id).catch((error: unknown) => {
    if (error instanceof Error && error.message === 'there is no such world') return undefined;
    throw error;
  });
