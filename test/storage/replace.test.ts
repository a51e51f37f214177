/** Replaces all records by others: completely or not at all, wherever it is interrupted or fails. */
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { diskFiles, type Files, type OpenFile } from '../../src/basics/disk/files.ts';
import { openJournalEntityStore, createRecordSet } from '../../src/storage/storage.ts';
import { describeEntityStore } from './entity-store.suite.ts';
import { article, temporaryDirectory, testModel } from './records.ts';
import type { EntityStore } from '../../src/openapi/openapi-records.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(() => directory.remove());

const systemError = (code: string): Error => Object.assign(new Error(code), { code });

/** The real disk, until `failing` says that the n-th change from now on fails, and whether all later ones do. */
const breakableDisk = () => {
  const disk = diskFiles('os');
  const state = { calls: 0, failAt: Infinity, staysBroken: false };
  const may = (): void => {
    state.calls += 1;
    const fails = state.staysBroken ? state.calls >= state.failAt : state.calls === state.failAt;
    if (fails) throw systemError('EIO');
  };
  const guarded =
    <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      may();
      return work(...args);
    };
  const watch = (file: OpenFile): OpenFile => ({
    ...file,
    write: guarded((bytes, position) => file.write(bytes, position)),
    truncate: guarded((length) => file.truncate(length)),
    sync: guarded(() => file.sync()),
  });
  const files: Files = {
    ...disk,
    create: guarded(async (path) => watch(await disk.create(path))),
    reopen: guarded(async (path) => watch(await disk.reopen(path))),
    rename: guarded((from, to) => disk.rename(from, to)),
    remove: guarded((path) => disk.remove(path)),
    syncDirectory: guarded((path) => disk.syncDirectory(path)),
  };
  return { files, state };
};

const open = (path: string, files?: Files) =>
  openJournalEntityStore({ directory: path, model: testModel, durability: 'os', warn: () => undefined, files });
const write = (store: EntityStore, id: number, title: string): Promise<number> =>
  store.transact([], () => ({ changes: [{ put: article(id, title) }], result: id }));
const titles = async (store: EntityStore): Promise<unknown[]> => {
  const { entities } = await store.list('node', { offset: 0, limit: 99 });
  return entities.map(({ fields }) => fields['title']?.[0]?.['value']);
};

/** What a start would find now, as if the machine had stopped. */
const afterRestart = async (): Promise<unknown[]> => {
  const copy = `${directory.path}-copy`;
  await cp(directory.path, copy, { recursive: true });
  await rm(join(copy, 'lock'), { force: true, recursive: true });
  const { store } = await open(copy);
  const found = await titles(store);
  await store.close();
  await rm(copy, { recursive: true });
  return found;
};

const others = () => {
  const set = createRecordSet(testModel);
  for (const id of [1, 2]) set.apply({ put: article(id, `new ${id}`) });
  set.raise({ node: 7 });
  return set.freeze();
};
const oldTitles = ['old 1', 'old 2', 'old 3'];
const newTitles = ['new 1', 'new 2'];

describeEntityStore('a journal whose records were replaced', async ({ model }) => {
  const journal = await openJournalEntityStore({
    ...{ directory: directory.path, model, durability: 'os', warn: () => undefined },
  });
  await write(journal.store, 9, 'gone');
  await journal.replace(createRecordSet(model).freeze());
  return journal.store;
});

describe('replacing the records of a journal store', () => {
  const filled = async (files?: Files) => {
    const journal = await open(directory.path, files);
    for (const id of [1, 2, 3]) await write(journal.store, id, `old ${id}`);
    return journal;
  };

  it('shows the new ones, counts ids from where they stand, and is there after a restart with what came later', async () => {
    const journal = await filled();
    const before = journal.store;
    const replaced = await journal.replace(others());
    expect([replaced.size, await titles(journal.store)]).toEqual([3, newTitles]);
    const id = await journal.store.transact([], (view) => {
      const next = view.nextId('node');
      return { changes: [{ put: article(next, 'later') }], result: next };
    });
    expect(id).toBe(8);
    expect(await afterRestart()).toEqual([...newTitles, 'later']);
    // Who began before goes on in the old records, and changes nothing.
    expect(await titles(before)).toEqual(oldTitles);
    await expect(write(before, 1, 'late')).rejects.toMatchObject({ status: 503 });
    await journal.store.close();
  });

  it('makes writes durable that were decided before it, and refuses those after with 503', async () => {
    const journal = await filled();
    const earlier = write(journal.store, 4, 'earlier');
    const replacing = journal.replace(others());
    const later = write(journal.store, 5, 'later');
    await expect(later).rejects.toMatchObject({ status: 503 });
    expect(await earlier).toBe(4);
    expect((await replacing).size).toBe(4);
    await journal.store.close();
  });

  it('leaves the old or the new records, whole, wherever the machine stops; the new ones once it has resolved', async () => {
    const found = new Set<string>();
    for (let failAt = 1; ; failAt += 1) {
      const disk = breakableDisk();
      const journal = await filled(disk.files);
      Object.assign(disk.state, { calls: 0, failAt, staysBroken: true });
      const outcome = await journal.replace(others()).then(
        () => 'resolved',
        () => 'rejected',
      );
      const restarted = await afterRestart();
      expect([oldTitles, newTitles]).toContainEqual(restarted);
      if (outcome === 'resolved') expect(restarted).toEqual(newTitles);
      found.add(`${outcome} ${String(restarted[0])}`);
      const isUnharmed = disk.state.calls < failAt;
      disk.state.failAt = Infinity;
      await journal.store.close();
      await rm(directory.path, { recursive: true });
      if (isUnharmed) break;
    }
    expect([...found].sort()).toEqual(['rejected new 1', 'rejected old 1', 'resolved new 1']);
  });

  it('goes on with the old records where it failed once, or takes no writes until the next start', async () => {
    const found = new Set<string>();
    for (let failAt = 1; ; failAt += 1) {
      const disk = breakableDisk();
      const journal = await filled(disk.files);
      Object.assign(disk.state, { calls: 0, failAt, staysBroken: false });
      const outcome = await journal.replace(others()).then(
        () => 'resolved',
        () => 'rejected',
      );
      const isUnharmed = disk.state.calls < failAt;
      disk.state.failAt = Infinity;
      const written = await write(journal.store, 9, 'after').then(
        () => ['after'],
        () => [],
      );
      const restarted = await afterRestart();
      const whole = outcome === 'resolved' ? [newTitles] : [oldTitles, newTitles];
      expect(whole.map((expected) => [...expected, ...written])).toContainEqual(restarted);
      if (written.length > 0) expect(await titles(journal.store)).toEqual(restarted);
      found.add(`${outcome}, ${written.length === 0 ? 'off' : 'on'}`);
      await journal.store.close();
      await rm(directory.path, { recursive: true });
      if (isUnharmed) break;
    }
    expect([...found].sort()).toEqual(['rejected, off', 'rejected, on', 'resolved, on']);
  });
});
