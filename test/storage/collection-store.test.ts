/** Collections over each entity store: what they keep over a fork, a reset, a restart and a failing disk. */
import { recordModel } from '../../src/repository/repository.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cp } from 'node:fs/promises';
import { collectionBounds, type CollectionStore } from '../../src/openapi/openapi-terms.ts';
import { diskFiles, type Files } from '../../src/basics/disk/files.ts';
import {
  collectionNamed,
  collectionsIn,
  openJournalEntityStore,
  createMemoryEntityStore,
} from '../../src/storage/storage.ts';
import { describeCollectionStore } from './collection-store.suite.ts';
import { hangMs } from '../support/hang.ts';
import { article, temporaryDirectory } from './records.ts';
import { collectionEntity, type EntityStore } from '../../src/openapi/openapi-records.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(() => directory.remove());

const openHere = (
  options: {
    readonly files?: Files;
    readonly directory?: string;
    smallJournalBytes?: number;
    warn?: (message: string) => void;
  } = {},
) =>
  openJournalEntityStore({
    ...{ directory: directory.path, model: recordModel, durability: 'full', warn: () => undefined },
    ...options,
  });

const over = (store: EntityStore): CollectionStore => {
  const collections = collectionsIn(store);
  if (collections === undefined) throw new Error('The store has no present records.');
  return collections;
};

const idsOf = async (store: EntityStore, name: string): Promise<string[]> =>
  (await over(store).list(name)).map(({ id }) => id);
const put = (store: EntityStore, name: string, ...ids: string[]): Promise<void> =>
  over(store).transact((view) => ids.forEach((id) => view.put(name, id, { id })));

describeCollectionStore('memory', async () => {
  const store = createMemoryEntityStore({ model: recordModel });
  return { store: over(store), close: () => store.close() };
});
describeCollectionStore('journal', async () => {
  const { store } = await openHere();
  return { store: over(store), close: () => store.close() };
});
describeCollectionStore('a fork', async () => {
  const parent = createMemoryEntityStore({ model: recordModel });
  await parent.transact([], () => ({ changes: [{ put: article(1, 'one') }], result: undefined }));
  const store = createMemoryEntityStore({ model: recordModel, base: parent.freeze() });
  return { store: over(store), close: () => store.close() };
});

describe('a fork of a store with collections', () => {
  it('begins with the records, numbers and beginnings of its base, and changes nothing of it', async () => {
    const parent = createMemoryEntityStore({ model: recordModel });
    await put(parent, 'books', '7', 'a');
    const forks = [0, 1].map(() => createMemoryEntityStore({ model: recordModel, base: parent.freeze() }));
    const [one, two] = [forks[0] ?? parent, forks[1] ?? parent];
    expect(await over(one).transact((view) => view.nextNumber('books'))).toBe(8);
    await over(one).transact((view) => view.delete('books', 'a'));
    await put(one, 'films', 'x');
    expect([await idsOf(one, 'books'), await idsOf(two, 'books'), await idsOf(parent, 'books')]).toEqual([
      ['7'],
      ['7', 'a'],
      ['7', 'a'],
    ]);
    expect([over(one).hasBegun('films'), over(two).hasBegun('films'), over(two).hasBegun('books')]).toEqual([
      true,
      false,
      true,
    ]);
  });
});

describe('a list that changes while it is read for the first time', () => {
  it('has the changes', async () => {
    const count = 5_000;
    const entities = Array.from({ length: count }, (_, at) => collectionEntity('books', `b${at}`, { at }, at + 1));
    const store = createMemoryEntityStore({ model: recordModel, initialRecords: { entities, counters: {} } });
    const reading = over(store).list('books');
    expect(reading).toBeInstanceOf(Promise);
    await over(store).transact((view) => {
      view.delete('books', 'b0');
      view.put('books', 'b1', 'changed');
      view.put('books', 'new', 'new');
    });
    const records = await reading;
    const expected = ['b1', ...Array.from({ length: count - 2 }, (_, at) => `b${at + 2}`), 'new'];
    // What was read may be from before or from after the change. The next list is from after it.
    expect([count, expected.length]).toContain(records.length);
    const after = await over(store).list('books');
    expect(after.map(({ id }) => id)).toEqual(expected);
    expect(after[0]?.value).toBe('changed');
    expect(await over(store).list('books')).toBe(after);
  });
});

describe('the bound of records', () => {
  it('is 100,000 in a world, refuses more with 507, and has room again after a deletion', async () => {
    const entities = Array.from({ length: collectionBounds.records - 2 }, (_, at) =>
      collectionEntity(`c${at % 3}`, String(at), at, at + 1),
    );
    const store = createMemoryEntityStore({ model: recordModel, initialRecords: { entities, counters: {} } });
    await expect(put(store, 'c0', 'a', 'b', 'c')).rejects.toMatchObject({ status: 507 });
    // Two fit, whichever they are, also when they are decided at once.
    const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((id) => put(store, 'c0', id)));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    await over(store).transact((view) => view.put('c0', '0', 'changed'));
    await expect(put(store, 'c1', 'd')).rejects.toMatchObject({ status: 507 });
    await over(store).transact((view) => {
      view.delete('c0', 'a');
      view.put('c1', 'd', 1);
    });
    await expect(put(store, 'c1', 'e')).rejects.toMatchObject({ status: 507 });
  });
});

describe('a transaction that deletes many records', () => {
  it.each([['of a world'], ['of a fork']])('takes about as long as one deletion: %s', async (kind) => {
    const count = 60_000;
    const entities = Array.from({ length: count }, (_, at) => collectionEntity(`c${at % 2}`, String(at), at, at + 1));
    const whole = createMemoryEntityStore({ model: recordModel, initialRecords: { entities, counters: {} } });
    const store = kind === 'of a world' ? whole : createMemoryEntityStore({ model: recordModel, base: whole.freeze() });
    const before = await over(store).list('c0');
    const started = performance.now();
    await over(store).transact((view) => {
      for (const { id } of before) if (Number(id) % 3 !== 0) view.delete('c0', id);
      for (let id = 1; id < 20; id += 2) view.delete('c1', String(id));
    });
    expect(performance.now() - started).toBeLessThan(hangMs);
    const isLeft = (at: number): boolean => (at % 2 === 0 ? at % 3 === 0 : at >= 20);
    const left = entities.flatMap((_, at) => (isLeft(at) ? [at] : []));
    for (const parity of [0, 1]) {
      const expected = left.filter((at) => at % 2 === parity).map(String);
      expect(await idsOf(store, `c${parity}`)).toEqual(expected);
    }
    expect((await store.list('collection_record', { offset: 0, limit: 0 })).total).toBe(left.length);
    expect(store.size()).toBe(left.length);
    expect(await over(store).get('c0', '2')).toBeUndefined();
    await over(store).transact((view) => {
      for (const { id } of view.list('c0')) view.delete('c0', id);
    });
    expect([(await over(store).list('c0')).length, (await over(store).list('c1')).length]).toEqual([0, count / 2 - 10]);
    await put(store, 'c0', 'new');
    expect(await idsOf(store, 'c0')).toEqual(['new']);
    if (kind === 'of a fork') expect(await idsOf(whole, 'c0')).toHaveLength(count / 2);
  });
});

describe('collections in a journal', () => {
  it('are there after a restart, and after the end of a process that nobody closed', async () => {
    const first = await openHere();
    await put(first.store, 'books', 'b', 'a', '9');
    await over(first.store).transact((view) => {
      view.begin('empty');
      view.put('books', 'b', { __proto__: null, changed: true });
      view.delete('books', '9');
    });
    // As a kill leaves it: nothing is closed, and the files are what they are.
    const copy = await temporaryDirectory();
    await cp(directory.path, copy.path, { recursive: true, filter: (path) => !path.endsWith('.lock') });
    const second = await openHere({ directory: copy.path });
    const { store } = second;
    expect(await idsOf(store, 'books')).toEqual(['b', 'a']);
    expect((await over(store).get('books', 'b'))?.value).toEqual({ changed: true });
    expect([over(store).hasBegun('empty'), over(store).names()]).toEqual([true, ['books', 'empty']]);
    expect(await over(store).transact((view) => [view.begin('empty'), view.nextNumber('books')])).toEqual([false, 10]);
    await second.store.close();
    await copy.remove();
    await first.store.close();
    const third = await openHere();
    expect(await idsOf(third.store, 'books')).toEqual(['b', 'a']);
    await third.store.close();
  });

  it('are there after compactions, whose records are packed, and the list stays the same array', async () => {
    const opened = await openHere({ smallJournalBytes: 1 });
    for (let at = 0; at < 300; at += 1) await put(opened.store, 'books', `b${at}`);
    const before = await over(opened.store).list('books');
    opened.compact();
    await put(opened.store, 'films', 'x');
    await put(opened.store, 'films', 'y');
    expect(await over(opened.store).list('books')).toBe(before);
    await opened.store.close();
    const again = await openHere();
    expect((await over(again.store).list('books')).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    const stored = (await over(again.store).get('books', 'b7'))?.value as { id: string };
    expect(() => Object.assign(stored, { id: 'other' })).toThrow(TypeError);
    await again.store.close();
  });

  it('may be 200, whose counters have room', async () => {
    const warnings: string[] = [];
    const open = () => openHere({ warn: (message) => void warnings.push(message) });
    const first = await open();
    await over(first.store).transact((view) => {
      for (let at = 0; at < collectionBounds.collections; at += 1)
        view.put(`a collection with a long name ${at}`, '7', at);
    });
    await first.store.close();
    const second = await open();
    expect(over(second.store).names()).toHaveLength(collectionBounds.collections);
    expect(await over(second.store).transact((view) => view.nextNumber('a collection with a long name 9'))).toBe(8);
    await second.store.close();
    expect(warnings).toEqual([]);
  });

  it('are replaced by those of a snapshot', async () => {
    const opened = await openHere();
    await put(opened.store, 'books', 'a');
    const snapshot = opened.freeze();
    const before = opened.store;
    await put(opened.store, 'books', 'b');
    await put(opened.store, 'films', 'x');
    await opened.replace(snapshot);
    expect(await idsOf(opened.store, 'books')).toEqual(['a']);
    expect(over(opened.store).hasBegun('films')).toBe(false);
    expect(await idsOf(before, 'books')).toEqual(['a', 'b']);
    await expect(put(before, 'books', 'c')).rejects.toMatchObject({ status: 503 });
    await opened.store.close();
  });
});

describe('a batch that the disk does not take', () => {
  /** The real disk, whose writes fail as long as `failure.is` is set. */
  const failingDisk = (failure: { is: string | undefined }): Files => {
    const disk = diskFiles('os');
    const limited = (file: Awaited<ReturnType<Files['create']>>): Awaited<ReturnType<Files['create']>> => ({
      ...file,
      write: (bytes, position) =>
        failure.is === undefined
          ? file.write(bytes, position)
          : Promise.reject(Object.assign(new Error(failure.is), { code: failure.is })),
    });
    return {
      ...disk,
      create: async (path) => limited(await disk.create(path)),
      reopen: async (path) => limited(await disk.reopen(path)),
    };
  };

  it('leaves nothing, and the collection begins again, also after a restart', async () => {
    const failure: { is: string | undefined } = { is: undefined };
    const opened = await openHere({ files: failingDisk(failure) });
    const { store } = opened;
    await put(store, 'films', 'x');
    const films = await over(store).list('films');
    failure.is = 'ENOSPC';
    const begun = over(store).transact((view) => {
      view.put('films', 'y', 1);
      view.put('books', 'a', 1);
      return view.begin('others');
    });
    const later = over(store).transact((view) => view.begin('others'));
    await expect(begun).rejects.toMatchObject({ status: 507 });
    // It was decided on what was lost.
    await expect(later).rejects.toMatchObject({ status: 507 });
    expect([over(store).hasBegun('books'), over(store).hasBegun('others')]).toEqual([false, false]);
    expect(await over(store).list('films')).toBe(films);
    failure.is = undefined;
    expect(await over(store).transact((view) => view.begin('others') && view.delete('films', 'x'))).toBe(true);
    await store.close();
    const again = await openHere();
    expect([over(again.store).hasBegun('books'), over(again.store).hasBegun('others')]).toEqual([false, true]);
    expect(await over(again.store).transact((view) => view.begin('books'))).toBe(true);
    await again.store.close();
  });
});

describe('an entity store that may be behind a network', () => {
  it('has no collections', () => {
    const store = createMemoryEntityStore({ model: recordModel });
    expect(collectionsIn({ ...store, present: undefined })).toBeUndefined();
    expect(() => collectionNamed(undefined)('books')).toThrow(
      expect.objectContaining({
        status: 501,
        message: 'A server whose records are in a database keeps no collection "books".',
      }),
    );
  });
});
