/** The journal when the disk fails. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFiles, type Files, type OpenFile } from '../../src/basics/disk/files.ts';
import { openJournalEntityStore } from '../../src/storage/storage.ts';
import { until } from '../support/until.ts';
import { article, temporaryDirectory, testModel } from './records.ts';
import type { EntityStore } from '../../src/openapi/openapi-records.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(() => directory.remove());

const systemError = (code: string): Error => Object.assign(new Error(code), { code });

/** The real disk, on which syncs of a journal fail while `syncFails` is set and all files share `space` bytes. */
const failingDisk = () => {
  const disk = diskFiles('os');
  const faults: { syncFails: string | undefined; space: number } = { syncFails: undefined, space: Infinity };
  const sizes = new Map<string, number>();
  const used = (): number => [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const watch = (path: string, file: OpenFile): OpenFile => ({
    ...file,
    write: async (bytes, position) => {
      const grown = Math.max(0, position + bytes.byteLength - (sizes.get(path) ?? 0));
      if (used() + grown > faults.space) {
        const half = bytes.subarray(0, Math.max(0, Math.floor(bytes.byteLength / 2)));
        await file.write(half, position);
        throw systemError('ENOSPC');
      }
      sizes.set(path, (sizes.get(path) ?? 0) + grown);
      await file.write(bytes, position);
    },
    truncate: async (length) => {
      sizes.set(path, Math.min(length, sizes.get(path) ?? 0));
      await file.truncate(length);
    },
    sync: async () => {
      if (faults.syncFails !== undefined && path.includes('journal')) throw systemError(faults.syncFails);
      await file.sync();
    },
  });
  const files: Files = {
    ...disk,
    create: async (path) => {
      sizes.set(path, 0);
      return watch(path, await disk.create(path));
    },
    reopen: async (path) => watch(path, await disk.reopen(path)),
    rename: async (from, to) => {
      await disk.rename(from, to);
      sizes.set(to, sizes.get(from) ?? 0);
      sizes.delete(from);
    },
    remove: async (path) => {
      await disk.remove(path);
      sizes.delete(path);
    },
  };
  return { files, faults, used };
};

const openOn = (files?: Files) =>
  openJournalEntityStore({
    directory: directory.path,
    model: testModel,
    durability: 'full',
    warn: () => undefined,
    files,
  });

const write = (store: EntityStore, id: number, title: string): Promise<number> =>
  store.transact([], () => ({ changes: [{ put: article(id, title) }], result: id }));
const remove = (store: EntityStore, id: number): Promise<number> =>
  store.transact([], () => ({ changes: [{ remove: `node:${id}` }], result: id }));

describe('a journal store whose sync fails with EIO', () => {
  it('rejects the batch and what was staged on it with 503, shows none of it, and stays off for writes', async () => {
    const disk = failingDisk();
    const { store } = await openOn(disk.files);
    await write(store, 1, 'before');
    disk.faults.syncFails = 'EIO';
    const first = write(store, 1, 'failed');
    await Promise.resolve();
    await Promise.resolve();
    const onTop = store.transact([], (view) => ({
      changes: [{ put: article(2, `on ${JSON.stringify(view.get('node:1'))}`) }],
      result: 0,
    }));
    const outcomes = await Promise.allSettled([first, onTop]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: { status: 503 } });
    disk.faults.syncFails = undefined;
    await expect(write(store, 3, 'later')).rejects.toMatchObject({ status: 503 });
    expect(await store.getMany(['node:1', 'node:2', 'node:3'])).toEqual([article(1, 'before'), undefined, undefined]);
    await store.close();
    const again = await openOn();
    expect(await again.store.getMany(['node:1', 'node:2'])).toEqual([article(1, 'before'), undefined]);
    await write(again.store, 4, 'works again');
    await again.store.close();
  });
});

describe('a journal store on a full disk', () => {
  it('refuses what grows with 507, still removes and shortens, and goes on when space returns', async () => {
    const disk = failingDisk();
    const { store } = await openOn(disk.files);
    for (let id = 1; id <= 20; id++) await write(store, id, 'a title of some length');
    disk.faults.space = disk.used() + 100;
    await expect(write(store, 50, 'too much')).rejects.toMatchObject({ status: 507 });
    expect(await store.getMany(['node:50'])).toEqual([undefined]);
    const mixed = await Promise.allSettled([
      write(store, 51, 'too much'),
      remove(store, 1),
      write(store, 52, 'too much'),
      write(store, 2, 'shorter'),
    ]);
    expect(mixed.map((outcome) => outcome.status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await store.getMany(['node:1', 'node:2', 'node:51'])).toEqual([undefined, article(2, 'shorter'), undefined]);
    expect(await readdir(directory.path)).not.toContain('reserve');
    disk.faults.space = Infinity;
    await Promise.all([write(store, 60, 'room again'), write(store, 61, 'room again')]);
    expect((await stat(join(directory.path, 'reserve'))).size).toBe(256 * 1024);
    await store.close();
    const again = await openOn();
    const found = await again.store.getMany(['node:1', 'node:2', 'node:50', 'node:51', 'node:61']);
    expect(found).toEqual([undefined, article(2, 'shorter'), undefined, undefined, article(61, 'room again')]);
    await again.store.close();
  });

  it('uses the reserve for a removal that is the first to find the disk full', async () => {
    const disk = failingDisk();
    const { store } = await openOn(disk.files);
    await write(store, 1, 'one');
    disk.faults.space = disk.used();
    expect(await remove(store, 1)).toBe(1);
    await store.close();
  });
});

describe('a journal store whose snapshots cannot be written', () => {
  it('goes on, says so and how long the journal is, and compacts by itself when they can', async () => {
    const disk = diskFiles('os');
    let isBroken = true;
    const files: Files = {
      ...disk,
      create: (path) =>
        isBroken && path.includes('snapshot-') ? Promise.reject(systemError('EACCES')) : disk.create(path),
    };
    const warnings: string[] = [];
    const options = { directory: directory.path, model: testModel, durability: 'os' } as const;
    isBroken = false;
    const opened = await openJournalEntityStore({
      ...{ ...options, files, smallJournalBytes: 1000, retryMs: 20 },
      warn: (message) => warnings.push(message),
    });
    isBroken = true;
    for (let id = 1; id <= 40; id++) await write(opened.store, id, 'a title of some length');
    await until(() => opened.hasCompactionFailed(), 'a compaction has failed');
    expect(opened.isLong()).toBe(true);
    isBroken = false;
    await until(() => !opened.hasCompactionFailed(), 'a compaction has worked, though nobody wrote');
    expect([opened.isLong(), warnings]).toEqual([
      false,
      [expect.stringContaining('EACCES'), 'A compaction has worked again.'],
    ]);
    await opened.store.close();
    const again = await openOn();
    expect((await again.store.list('node', { offset: 0, limit: 100 })).total).toBe(40);
    await again.store.close();
  });
});
