/** The store and a process that is killed. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { lockDirectory } from '../../src/basics/disk/directory-lock.ts';
import { openJournalEntityStore } from '../../src/storage/storage.ts';
import { until } from '../support/until.ts';
import { temporaryDirectory, testModel } from './records.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let data: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  directory = await temporaryDirectory();
  data = join(directory.path, 'data');
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await directory.remove();
});

const inUse = { code: 'ATOLL_DIRECTORY_IN_USE' };

describe('the directory lock', () => {
  it('refuses a second holder, also through a symlink and after the note was deleted, and names the first', async () => {
    await mkdir(data);
    const link = join(directory.path, 'link');
    await symlink(data, link);
    const lock = await lockDirectory(data);
    await expect(lockDirectory(data)).rejects.toThrow(`"pid":${process.pid}`);
    await expect(lockDirectory(link)).rejects.toMatchObject(inUse);
    await rm(join(data, 'lock'));
    await expect(lockDirectory(data)).rejects.toMatchObject(inUse);
    await lock.release();
    await (await lockDirectory(link)).release();
  });

  it('is not held by a note that a dead process left, even with the pid of a living one', async () => {
    await mkdir(data);
    await writeFile(join(data, 'lock'), JSON.stringify({ pid: process.ppid, host: 'elsewhere', started: '' }));
    await (await lockDirectory(data)).release();
  });

  it('keeps two processes from one store, and is free as soon as the holder is killed', async () => {
    const child = await startWriter(await bundleWriter());
    await expect(open()).rejects.toThrow(`"pid":${child.process.pid}`);
    await child.kill();
    await (await open()).store.close();
  });
});

describe('a store whose process is killed with SIGKILL', () => {
  it('has every acknowledged record afterwards, whole, and starts by itself, five times', async () => {
    const worker = await bundleWriter();
    const acknowledged: number[] = [];
    for (let round = 0; round < 5; round++) {
      const child = await startWriter(worker);
      await child.written(100 + round * 60);
      acknowledged.push(...(await child.kill()));
      const { store } = await open();
      const found = await store.getMany(acknowledged.map((id) => `node:${id}` as const));
      expect(found.filter((node) => node?.fields['title']?.[0]?.['value'] === `title ${node?.id}`).length).toBe(
        acknowledged.length,
      );
      await store.close();
    }
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    expect(acknowledged.length).toBeGreaterThan(50);
  });
});

const open = () =>
  openJournalEntityStore({ directory: data, model: testModel, durability: 'full', warn: () => undefined });

/** Node cannot run TypeScript by itself: the worker is bundled to plain JavaScript. */
const bundleWriter = async (): Promise<string> => {
  const outfile = join(directory.path, 'writer.mjs');
  const entry = join(import.meta.dirname, 'writer.ts');
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
  return outfile;
};

const startWriter = async (worker: string) => {
  const child = spawn(process.execPath, [worker, data], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const lines: number[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(Number(line)));
  const written = (count: number): Promise<void> => until(() => lines.length > count, `${count} records are written`);
  await written(0); // the first line says that the store is open
  return {
    process: child,
    written,
    /** Kills and resolves with the ids whose lines came out whole. */
    kill: async (): Promise<number[]> => {
      const closed = once(reader, 'close');
      child.kill('SIGKILL');
      await closed;
      // The last line may have been cut by the kill.
      return lines.slice(1, -1);
    },
  };
};
