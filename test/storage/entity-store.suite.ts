/** What every entity store promises; called by the test of each implementation. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { article, testModel } from './records.ts';
import {
  entityKey,
  type Entity,
  type Decision,
  type EntityStore,
  type StoreView,
  type RecordModel,
} from '../../src/openapi/openapi-records.ts';

const put = (entity: Entity): Decision<Entity> => ({ changes: [{ put: entity }], result: entity });
const create = (view: StoreView, title: string): Decision<Entity> => put(article(view.nextId('node'), title));

export const describeEntityStore = (
  name: string,
  openStore: (context: { model: RecordModel }) => Promise<EntityStore>,
): void => {
  describe(`${name} as an entity store`, () => {
    let store: EntityStore;
    beforeEach(async () => {
      store = await openStore({ model: testModel });
    });
    afterEach(() => store.close());

    it('shows a created record by key, index and list', async () => {
      const node = await store.transact([], (view) => create(view, 'one'));
      expect(node.id).toBe(1);
      expect(await store.getMany(['node:1', 'node:2'])).toEqual([node, undefined]);
      expect(await store.lookupMany([`uuid:${node.uuid}`, 'uuid:none'])).toEqual([[node], []]);
      expect(await store.list('node', { offset: 0, limit: 10 })).toEqual({ total: 1, entities: [node] });
    });

    it('moves a changed record between indexes and drops a removed one from all', async () => {
      await store.transact([], (view) => put(article(view.nextId('node'), 'a', { parent: 7 })));
      await store.transact([], () => put(article(1, 'a', { parent: 8 })));
      expect((await store.lookupMany(['members-of:7', 'members-of:8'])).map((found) => found.length)).toEqual([0, 1]);
      await store.transact([], () => ({ changes: [{ remove: 'node:1' }], result: undefined }));
      expect(await store.lookupMany(['members-of:8'])).toEqual([[]]);
      expect((await store.list('node', { offset: 0, limit: 10 })).total).toBe(0);
    });

    it('answers look-ups and lists in ascending id, whatever the order of the writes', async () => {
      const ids = [5, 1, 9, 3, 7, 10, 2];
      for (const id of ids) await store.transact([], () => put(article(id, 'x', { parent: 1 })));
      await store.transact([], () => put(article(3, 'changed', { parent: 1 })));
      const ascending = [1, 2, 3, 5, 7, 9, 10];
      const [found] = await store.lookupMany(['members-of:1']);
      expect(found?.map((entity) => entity.id)).toEqual(ascending);
      const page = await store.list('node', { offset: 2, limit: 3 });
      expect([page.total, page.entities.map((entity) => entity.id)]).toEqual([7, [3, 5, 7]]);
    });

    it('lists one bundle only when asked to', async () => {
      await store.transact([], () => ({
        changes: [{ put: article(1, 'a') }, { put: article(2, 'b', { bundle: 'page' }) }],
        result: 0,
      }));
      const pages = await store.list('node', { bundle: 'page', offset: 0, limit: 10 });
      expect([pages.total, pages.entities.map((entity) => entity.id)]).toEqual([1, [2]]);
    });

    it('lets a decision see what was staged before it, and readers only what is published', async () => {
      const first = store.transact([], (view) => put(article(view.nextId('node'), 'first', { parent: 4 })));
      const seen = store.transact([], (view) => ({
        changes: [],
        result: [view.get('node:1')?.id, view.lookup('members-of:4').length],
      }));
      const unpublished = store.getMany(['node:1']);
      expect(await unpublished).toEqual([undefined]);
      expect(await seen).toEqual([1, 1]);
      await first;
      expect((await store.getMany(['node:1']))[0]?.id).toBe(1);
    });

    it('lets a decision see a staged removal and a staged move', async () => {
      for (const id of [1, 2, 3]) await store.transact([], () => put(article(id, 'x', { parent: 4 })));
      const removed = store.transact([], () => ({ changes: [{ remove: 'node:1' as const }], result: 0 }));
      const moved = store.transact([], () => put(article(3, 'x', { parent: 5 })));
      const back = store.transact([], (view) => ({
        changes: [{ put: article(1, 'again', { parent: 5 }) }],
        result: [
          view.get('node:1'),
          view.lookup('members-of:4').map((e) => e.id),
          view.lookup('members-of:5').map((e) => e.id),
        ],
      }));
      expect(await back).toEqual([undefined, [2], [3]]);
      await Promise.all([removed, moved]);
      const [four, five] = await store.lookupMany(['members-of:4', 'members-of:5']);
      expect([four?.map((e) => e.id), five?.map((e) => e.id)]).toEqual([[2], [1, 3]]);
    });

    it('passes on what a decision throws, and changes nothing', async () => {
      const failure = new Error('refused');
      const decide = (): Decision<never> => {
        throw failure;
      };
      await expect(store.transact([], decide)).rejects.toBe(failure);
      expect((await store.list('node', { offset: 0, limit: 1 })).total).toBe(0);
      expect((await store.transact([], (view) => create(view, 'next'))).id).toBe(1);
    });

    it('never gives an id twice, not after a delete and not after a refused decision', async () => {
      await store.transact([], (view) => create(view, 'one'));
      await store.transact([], () => ({ changes: [{ remove: 'node:1' }], result: 0 }));
      const refused = store.transact([], (view): Decision<never> => {
        view.nextId('node');
        throw new Error('refused');
      });
      await expect(refused).rejects.toThrow('refused');
      expect((await store.transact([], (view) => create(view, 'next'))).id).toBe(3);
    });

    it('lifts the counter to the id of a record that brought its own', async () => {
      await store.transact([], () => put(article(40, 'imported')));
      expect((await store.transact([], (view) => create(view, 'next'))).id).toBe(41);
    });

    it('keeps all of 200 parallel changes of different fields of one record', async () => {
      await store.transact([], (view) => create(view, 'one'));
      const patches = Array.from({ length: 200 }, (_, at) =>
        store.transact(['node:1'], (view) => {
          const before = view.get('node:1');
          if (before === undefined) throw new Error('gone');
          return put({ ...before, fields: { ...before.fields, [`field_${at}`]: [{ value: at }] } });
        }),
      );
      await Promise.all(patches);
      const [node] = await store.getMany([entityKey('node', 1)]);
      expect(Object.keys(node?.fields ?? {}).filter((field) => field.startsWith('field_')).length).toBe(200);
    });

    it('carries changes of one set out in order', async () => {
      await store.transact([], () => ({
        changes: [{ put: article(1, 'a') }, { remove: 'node:1' }, { put: article(1, 'b') }, { remove: 'node:9' }],
        result: 0,
      }));
      expect((await store.getMany(['node:1']))[0]).toEqual(article(1, 'b'));
    });

    it('never changes an array that a reader was given', async () => {
      await store.transact([], () => put(article(1, 'a', { parent: 1 })));
      const [before] = await store.lookupMany(['members-of:1']);
      await store.transact([], () => put(article(2, 'b', { parent: 1 })));
      await store.transact([], () => ({ changes: [{ remove: 'node:1' }], result: 0 }));
      expect(before).toEqual([article(1, 'a', { parent: 1 })]);
    });

    it('finishes what is open when it closes, and refuses what comes later with 503', async () => {
      const last = store.transact([], (view) => create(view, 'last'));
      await store.close();
      expect((await last).id).toBe(1);
      await expect(store.transact([], (view) => create(view, 'late'))).rejects.toMatchObject({ status: 503 });
    });
  });
};
