/** The store of records in IndexedDB: what every store promises, reloads, failed writes and a second owner. */
import { recordModel } from '../../../src/repository/repository.ts';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { openDatabase } from '../../../src/browser/persistence/database.ts';
import { openIndexedDbEntityStore } from '../../../src/browser/persistence/indexed-db-entity-store.ts';
import type { Platform } from '../../../src/browser/persistence/platform.ts';
import { collectionsIn, createRecordSet } from '../../../src/storage/storage.ts';
import { describeCollectionStore } from '../../storage/collection-store.suite.ts';
import { describeEntityStore } from '../../storage/entity-store.suite.ts';
import { article, testModel } from '../../storage/records.ts';
import { quotaError, refusePuts, testPlatform } from './test-platform.ts';
import type { Entity, EntityStore } from '../../../src/openapi/openapi-records.ts';

const openHere = async (platform: Platform) =>
  openIndexedDbEntityStore(await openDatabase('repository', platform), testModel);

describeEntityStore('IndexedDB', async () => (await openHere(testPlatform())).store);
describeCollectionStore('IndexedDB', async () => {
  const { store } = await openIndexedDbEntityStore(await openDatabase('repository', testPlatform()), recordModel);
  const collections = collectionsIn(store);
  if (collections === undefined) throw new Error('The store has no present records.');
  return { store: collections, close: () => store.close() };
});

afterEach(() => {
  jest.restoreAllMocks();
});

const put = (store: EntityStore, ...entities: Entity[]): Promise<void> =>
  store.transact([], () => ({ changes: entities.map((each) => ({ put: each })), result: undefined }));
const create = (store: EntityStore, title: string): Promise<number> =>
  store.transact([], (view) => {
    const id = view.nextId('node');
    return { changes: [{ put: article(id, title) }], result: id };
  });
const titles = async (store: EntityStore): Promise<unknown[]> =>
  (await store.list('node', { offset: 0, limit: 1000 })).entities.map(({ fields }) => fields['title']?.[0]?.['value']);

describe('a repository in IndexedDB', () => {
  it('has its records and counters after a reload, and gives no id again', async () => {
    const platform = testPlatform();
    const { store, isNew } = await openHere(platform);
    await create(store, 'one');
    await create(store, 'two');
    await store.transact([], () => ({ changes: [{ remove: 'node:2' }], result: 0 }));
    await store.transact([], () => ({ changes: [{ put: article(40, 'own id') }, { remove: 'node:40' }], result: 0 }));
    const drawn = store.transact([], (view) => ({ changes: [], result: view.nextId('media') }));
    expect([isNew, await drawn]).toEqual([true, 1]);
    await store.close();

    const again = await openHere(platform);
    expect([again.isNew, await titles(again.store)]).toEqual([false, ['one']]);
    expect(await create(again.store, 'next')).toBe(41);
    expect(await again.store.transact([], (view) => ({ changes: [], result: view.nextId('media') }))).toBe(2);
    expect((await again.store.lookupMany([`uuid:${article(1, '').uuid}`]))[0]?.length).toBe(1);
    await again.store.close();
  });

  it('is filled completely or not at all', async () => {
    const platform = testPlatform();
    const first = await openHere(platform);
    refusePuts((put) => put > 2);
    const entities = [1, 2, 3, 4].map((id) => article(id, `title ${id}`));
    await expect(first.fill(entities, { node: 9 })).rejects.toMatchObject({ status: 507 });
    await first.store.close();
    jest.restoreAllMocks();

    const second = await openHere(platform);
    expect([second.isNew, await titles(second.store)]).toEqual([true, []]);
    await second.fill(entities, { node: 9 });
    expect(await create(second.store, 'tenth')).toBe(10);
    await second.store.close();
    const third = await openHere(platform);
    expect([third.isNew, third.statistics().records]).toEqual([false, 5]);
    await third.store.close();
  });

  it.each([
    ['no room', quotaError, 507],
    ['another failure', new DOMException('The disk is broken.', 'UnknownError'), 503],
  ])('with %s drops the whole batch, refuses its calls, and goes on later', async (_name, error, status) => {
    const platform = testPlatform();
    const opened = await openHere(platform);
    await create(opened.store, 'kept');
    refusePuts((put) => put > 1, error);
    const together = [put(opened.store, article(2, 'half')), create(opened.store, 'other half')];
    for (const each of together) await expect(each).rejects.toMatchObject({ status });
    expect([opened.isOutOfSpace(), opened.hasLastWriteFailed()]).toEqual([status === 507, status === 503]);
    expect(await titles(opened.store)).toEqual(['kept']);
    jest.restoreAllMocks();
    expect(await create(opened.store, 'later')).toBe(4); // 3 was drawn, and refused
    expect([opened.isOutOfSpace(), opened.hasLastWriteFailed()]).toEqual([false, false]);
    await opened.store.close();
    const again = await openHere(platform);
    expect(await titles(again.store)).toEqual(['kept', 'later']);
    expect(await create(again.store, 'next')).toBe(5);
    await again.store.close();
  });

  it('is replaced at once, also durably; the old store answers from the old records and refuses writes', async () => {
    const platform = testPlatform();
    const opened = await openHere(platform);
    await put(opened.store, article(1, 'old'), article(2, 'old too'));
    const old = opened.store;
    const next = createRecordSet(testModel);
    next.apply({ put: article(7, 'new') });
    const before = await opened.replace(next.freeze());
    expect(before.size).toBe(2);
    expect([await titles(old), await titles(opened.store)]).toEqual([['old', 'old too'], ['new']]);
    await expect(create(old, 'late')).rejects.toMatchObject({ status: 503 });
    expect(await create(opened.store, 'newer')).toBe(8);
    await opened.store.close();
    const again = await openHere(platform);
    expect(await titles(again.store)).toEqual(['new', 'newer']);
    await again.store.close();
  });

  it('keeps the old records when a replacement fails, and goes on', async () => {
    const platform = testPlatform();
    const opened = await openHere(platform);
    await put(opened.store, article(1, 'old'));
    refusePuts((put) => put > 1);
    const next = createRecordSet(testModel);
    for (const id of [1, 2]) next.apply({ put: article(id, 'new') });
    await expect(opened.replace(next.freeze())).rejects.toMatchObject({ status: 507 });
    jest.restoreAllMocks();
    await create(opened.store, 'on');
    await opened.store.close();
    const again = await openHere(platform);
    expect(await titles(again.store)).toEqual(['old', 'on']);
    await again.store.close();
  });

  it('names the record that is not what its place says', async () => {
    const platform = testPlatform();
    const database = await openDatabase('repository', platform);
    await database.write(['records'], (store) => {
      store('records').put(article(2, 'moved'), 'node:1');
    });
    await expect(openIndexedDbEntityStore(database, testModel)).rejects.toThrow(
      'The repository "repository" is damaged at node:1.',
    );
  });
});
