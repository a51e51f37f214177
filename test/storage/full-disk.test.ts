/** A store on a small disk: what is given up before a removal is refused, and how all of it becomes free again. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFiles, type Files, type OpenFile } from '../../src/basics/disk/files.ts';
import { openJournalEntityStore } from '../../src/storage/storage.ts';
import { isSpaceError } from '../../src/storage/write-problem.ts';
import { until } from '../support/until.ts';
import { article, temporaryDirectory, testModel } from './records.ts';
import type { EntityStore } from '../../src/openapi/openapi-records.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(() => directory.remove());

/** The real disk, whose files in the test's directory share `space` bytes. */
const smallDisk = (space: number): Files => {
  const disk = diskFiles('os');
  const used = async (): Promise<number> => {
    const names = await readdir(directory.path);
    const sizes = await Promise.all(names.map((name) => stat(join(directory.path, name)).catch(() => ({ size: 0 }))));
    return sizes.reduce((sum, { size }) => sum + size, 0);
  };
  // No more than this is used: what was found, and what has grown since. It is looked at again when that is too much.
  let most = space;
  const limited = (path: string, file: OpenFile): OpenFile => ({
    ...file,
    write: async (bytes, position) => {
      const { size } = await stat(path);
      const grown = Math.max(0, position + bytes.byteLength - size);
      if (most + grown > space) most = await used();
      if (most + grown > space) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      most += grown;
      await file.write(bytes, position);
    },
  });
  return {
    ...disk,
    create: async (path) => limited(path, await disk.create(path)),
    reopen: async (path) => limited(path, await disk.reopen(path)),
  };
};

const warnings: string[] = [];
const openOn = (space: number, smallJournalBytes: number) =>
  openJournalEntityStore({
    ...{ directory: directory.path, model: testModel, durability: 'os', smallJournalBytes },
    warn: (message) => warnings.push(message),
    files: smallDisk(space),
  });

const title = 'what fills the disk '.repeat(60);
const put = (store: EntityStore, id: number) =>
  store.transact([], () => ({ changes: [{ put: article(id, title) }], result: id }));
const remove = (store: EntityStore, id: number) =>
  store.transact([], () => ({ changes: [{ remove: `node:${id}` }], result: id }));

/** Writes nodes until one is refused, and returns how many there are. */
const fill = async (store: EntityStore): Promise<number> => {
  for (let id = 1; id < 10_000; id++) {
    const refusal = await put(store, id).catch((error: unknown) => error as { status: number });
    if (typeof refusal === 'object') {
      expect(refusal.status).toBe(507);
      return id - 1;
    }
  }
  throw new Error('The disk is not full.');
};

describe('a store on a small disk', () => {
  it.each([
    ['the journal holds everything', 2200, 100_000, 900],
    ['there are older generations', 1000, 128, 250],
  ])('where %s removes every node with success, and takes new ones again', async (_, space, smallJournal, nodes) => {
    const smallJournalBytes = smallJournal * 1024;
    const { store, ...journal } = await openOn(space * 1024, smallJournalBytes);
    const filled = await fill(store);
    expect([filled > nodes, await journal.stillOutOfSpace()]).toEqual([true, true]);
    for (let id = 1; id <= filled; id++) await remove(store, id);
    await until(async () => !(await journal.stillOutOfSpace()), 'the space is free');
    expect(await put(store, 20_000)).toBe(20_000);
    const { generation, oldestKept } = journal.statistics();
    expect(oldestKept).toBe(generation);
    await store.close();
    const again = await openOn(Infinity, smallJournalBytes);
    expect(again.statistics().records).toBe(1);
    await again.store.close();
  });

  it('gives up its older generations before it refuses a write', async () => {
    const { store, ...journal } = await openOn(1000 * 1024, 128 * 1024);
    const filled = await fill(store);
    const names = await readdir(directory.path);
    const { generation } = journal.statistics();
    expect(warnings.some((line) => line.includes('were given up'))).toBe(true);
    // What is left is one checkpoint and the journals since.
    expect(names.filter((name) => name.startsWith('snapshot-'))).toHaveLength(1);
    expect([generation > 1, filled > 250]).toEqual([true, true]);
    await store.close();
  });

  it('frees its space at the next start, when all was removed before', async () => {
    const roomy = await openOn(Infinity, 100 * 1024 * 1024);
    for (let id = 1; id <= 500; id++) await put(roomy.store, id);
    for (let id = 1; id <= 500; id++) await remove(roomy.store, id);
    await roomy.store.close();
    await rm(join(directory.path, 'reserve'));
    await writeFile(join(directory.path, 'reserve'), Buffer.alloc(256 * 1024));
    const journalBytes = (await stat(join(directory.path, 'journal-1.jsonl'))).size;
    const { store, ...journal } = await openOn(journalBytes + 300 * 1024, 100 * 1024 * 1024);
    for (let id = 1; id <= 20; id++) await put(store, id).catch(() => undefined);
    await until(async () => !(await journal.stillOutOfSpace()), 'the space is free');
    await Promise.all([21, 22, 23, 24].map((id) => put(store, id)));
    await store.close();
  });
});

describe('an error without space', () => {
  it('is also a quota, for which Node has no name', () => {
    const quota = Object.assign(new Error('Unknown system error -122'), {
      code: 'Unknown system error -122',
      errno: -122,
    });
    expect([isSpaceError(quota), isSpaceError(Object.assign(new Error(), { errno: -2 }))]).toEqual([true, false]);
  });
});
