/** A data directory that goes away, or is replaced, under an open store. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openJournalEntityStore } from '../../src/storage/storage.ts';
import { article, temporaryDirectory, testModel } from './records.ts';
import type { EntityStore } from '../../src/openapi/openapi-records.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let data: string;
let warnings: string[];
beforeEach(async () => {
  directory = await temporaryDirectory();
  data = join(directory.path, 'data');
  warnings = [];
});
afterEach(() => directory.remove());

const openHere = () =>
  openJournalEntityStore({
    ...{ directory: data, model: testModel, durability: 'os', smallJournalBytes: 1_000 },
    warn: (message) => warnings.push(message),
  });

const create = (store: EntityStore, title: string): Promise<number> =>
  store.transact([], (view) => {
    const id = view.nextId('node');
    return { changes: [{ put: article(id, title) }], result: id };
  });

const contentOf = async (path: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all((await readdir(path)).map(async (name) => [name, await readFile(join(path, name), 'base64')])),
  ) as Record<string, string>;

const losses: Record<string, () => Promise<void>> = {
  'the directory is removed': () => rm(data, { recursive: true }),
  'the directory is moved': () => rename(data, join(directory.path, 'moved')),
  'another directory is in its place': async () => {
    await rename(data, join(directory.path, 'moved'));
    await mkdir(data);
  },
  'the journal is removed': () => rm(join(data, 'journal-1.jsonl')),
  'the journal is emptied': () => truncate(join(data, 'journal-1.jsonl'), 0),
  'the journal is replaced': async () => {
    const journal = join(data, 'journal-1.jsonl');
    const text = await readFile(journal);
    await rm(journal);
    await writeFile(join(data, 'other'), 'takes the inode');
    await writeFile(journal, text);
  },
  'the snapshot is removed': () => rm(join(data, 'snapshot-1.json')),
  'the marker is removed': () => rm(join(data, 'atoll.json')),
  'the lock is removed': () => rm(join(data, 'lock')),
  'the note of the end is removed': () => rm(join(data, 'journal.end')),
};

describe('a store under which something went away', () => {
  it.each(Object.entries(losses))(
    'refuses every write with 503 when %s, and closes as damaged',
    async (_what, lose) => {
      const opened = await openHere();
      await create(opened.store, 'before');
      expect(await opened.holdsDirectory()).toBe(true);
      await lose();
      const refusals = await Promise.allSettled([create(opened.store, 'lost'), create(opened.store, 'lost')]);
      expect(refusals.map((each) => each.status === 'rejected' && (each.reason as { status: number }).status)).toEqual([
        503, 503,
      ]);
      expect(await opened.holdsDirectory()).toBe(false);
      await expect(create(opened.store, 'lost')).rejects.toThrow('no longer the one that this server opened');
      expect((await opened.store.list('node', { offset: 0, limit: 10 })).total).toBe(1);
      await expect(opened.store.close()).rejects.toMatchObject({ code: 'ATOLL_STORE_DAMAGED' });
      expect(warnings.length).toBe(1);
    },
  );

  it('never touches the store of another server in a new directory of that name', async () => {
    const first = await openHere();
    await create(first.store, 'first');
    await rm(data, { recursive: true });
    const second = await openHere();
    for (let at = 0; at < 3; at++) await create(second.store, 'second');
    await second.store.transact([], () => ({ changes: [], result: 0 }));
    const before = await contentOf(data);
    first.compact();
    await expect(create(first.store, 'x'.repeat(2_000))).rejects.toMatchObject({ status: 503 });
    await expect(first.replace(first.freeze())).rejects.toMatchObject({ status: 503 });
    await expect(first.store.close()).rejects.toMatchObject({ code: 'ATOLL_STORE_DAMAGED' });
    expect(await contentOf(data)).toEqual(before);
    await second.store.close();
    const again = await openHere();
    expect((await again.store.list('node', { offset: 0, limit: 10 })).total).toBe(3);
    await again.store.close();
  });
});
