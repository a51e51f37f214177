/** The repair of a damaged store, stores of format 1, files that are no files, and a batch that could not be cut off. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFiles, type Files } from '../../src/basics/disk/files.ts';
import { openJournalEntityStore } from '../../src/storage/storage.ts';
import { repairStore, keepsUnnamedBytes, readStoredRepository } from '../../src/storage/storage-export.ts';
import { article, temporaryDirectory, testModel } from './records.ts';
import type { EntityStore } from '../../src/openapi/openapi-records.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let warnings: string[];
beforeEach(async () => {
  directory = await temporaryDirectory();
  warnings = [];
});
afterEach(() => directory.remove());

const fileOf = (name: string): string => join(directory.path, name);
const damaged = { code: 'ATOLL_STORE_DAMAGED' };

const openHere = (files: Files = diskFiles('os'), durability: 'full' | 'os' = 'full') =>
  openJournalEntityStore({
    ...{ directory: directory.path, model: testModel, durability, files },
    warn: (message) => warnings.push(message),
  });

const create = (store: EntityStore, title: string): Promise<number> =>
  store.transact([], (view) => {
    const id = view.nextId('node');
    return { changes: [{ put: article(id, title) }], result: id };
  });

const titles = async (store: EntityStore): Promise<unknown[]> =>
  (await store.list('node', { offset: 0, limit: 10_000 })).entities.map((node) => node.fields['title']?.[0]?.['value']);

const fill = async (...names: string[]): Promise<Buffer> => {
  const { store } = await openHere();
  for (const name of names) await create(store, name);
  await store.close();
  return readFile(fileOf('journal-1.jsonl'));
};

const lineStarts = (journal: Buffer): number[] => {
  const starts = [0];
  for (let at = journal.indexOf(10); at !== -1; at = journal.indexOf(10, at + 1)) starts.push(at + 1);
  return starts;
};

const afterRepair = async (): Promise<{ titles: unknown[]; next: number }> => {
  const { store } = await openHere();
  const found = { titles: await titles(store), next: await create(store, 'next') };
  await store.close();
  return found;
};

describe('repairing a store', () => {
  it('whose journal was cut at the end of a line says what is lost and gives no id twice', async () => {
    const journal = await fill('a', 'b', 'c', 'd');
    const cut = lineStarts(journal)[3] ?? 0;
    await truncate(fileOf('journal-1.jsonl'), cut);
    await expect(openHere()).rejects.toMatchObject({ ...damaged, offset: cut });
    const { lost, keptIn, records } = await repairStore(directory.path, testModel);
    expect([lost.length, records, keptIn]).toEqual([1, 2, fileOf('before-repair-1')]);
    expect(lost[0]).toContain(`journal-1.jsonl, bytes ${cut} to ${journal.length}: batches 3 to 4`);
    expect(await readFile(join(keptIn, 'journal-1.jsonl'))).toEqual(journal.subarray(0, cut));
    expect(await keepsUnnamedBytes(directory.path)).toBe(true);
    expect(await afterRepair()).toEqual({ titles: ['a', 'b'], next: 5 });
  });

  it('keeps the batches after a damaged one', async () => {
    const journal = await fill('a', 'b', 'c');
    const at = (lineStarts(journal)[2] ?? 0) + 100;
    journal[at] = (journal[at] ?? 0) ^ 1;
    await writeFile(fileOf('journal-1.jsonl'), journal);
    await expect(openHere()).rejects.toMatchObject(damaged);
    const { lost } = await repairStore(directory.path, testModel);
    expect(lost).toEqual([expect.stringContaining('batch 2 cannot be read')]);
    expect(await afterRepair()).toEqual({ titles: ['a', 'c'], next: 4 });
  });

  it.each(['atoll.json', 'journal.end', 'journal-1.jsonl'])('that has lost %s leaves one that starts', async (name) => {
    await fill('a', 'b');
    await rm(fileOf(name));
    await expect(openHere()).rejects.toMatchObject(damaged);
    const { lost } = await repairStore(directory.path, testModel);
    expect(lost.join()).toContain(name);
    const { next } = await afterRepair();
    expect(next).toBeGreaterThanOrEqual(3);
    // An id takes 64 bytes, and 16 MiB are taken for lost where nothing says how many are.
    expect(next).toBeLessThanOrEqual(3 + 2 * 262_144);
    await readStoredRepository(directory.path, testModel, async () => undefined);
  });

  it('without a snapshot is refused, and changes nothing', async () => {
    await fill('a');
    await truncate(fileOf('snapshot-1.json'), 20);
    const before = await readdir(directory.path);
    await expect(repairStore(directory.path, testModel)).rejects.toMatchObject(damaged);
    expect(await readdir(directory.path)).toEqual(before);
  });
});

/** Writes the files of an empty store as format 1 had them, with one node. */
const writeFormat1 = async (): Promise<void> => {
  const instance = '00000000-0000-4000-8000-000000000000';
  const line = (number: number, entry: string): string => {
    const sum = createHash('sha256').update(`${instance} 1 ${number} ${entry}`).digest('hex').slice(0, 32);
    return `{"n":${number},"sum":"${sum}",${entry.slice(1)}\n`;
  };
  const header = JSON.stringify({ journal: { format: 1, instance, generation: 1 } });
  const change = JSON.stringify({ changes: [{ put: article(1, 'old') }], counters: { node: 1 } });
  const head = `{"format":1,"instance":"${instance}","generation":1,\n"counters":{},\n"records":[\n`;
  const end = `],"sha256":"${createHash('sha256').update(head).digest('hex')}"}\n`;
  await writeFile(fileOf('atoll.json'), `{"format":1,"instance":"${instance}"}\n`);
  await writeFile(fileOf('journal-1.jsonl'), line(0, header) + line(1, change));
  await writeFile(fileOf('snapshot-1.json'), head + end);
};

describe('a store of format 1', () => {
  it('is read and written, and has format 3 once it was opened', async () => {
    await writeFormat1();
    const first = await openHere();
    await Promise.all([create(first.store, 'a'), create(first.store, 'b')]);
    await first.store.close();
    expect(await readFile(fileOf('atoll.json'), 'utf8')).toContain('"format":3');
    await readStoredRepository(directory.path, testModel, async ({ entities }) => expect(entities.length).toBe(3));
    const second = await openHere();
    await second.replace(second.freeze());
    await create(second.store, 'c');
    await second.store.close();
    const third = await openHere();
    expect(await titles(third.store)).toEqual(['old', 'a', 'b', 'c']);
    await third.store.close();
    expect(warnings).toEqual([]);
  });

  it('drops a last line that was cut off, as before', async () => {
    await writeFormat1();
    const whole = await readFile(fileOf('journal-1.jsonl'));
    await writeFile(fileOf('journal-1.jsonl'), whole.subarray(0, -5));
    const { store } = await openHere();
    expect([await titles(store), warnings.length]).toEqual([[], 1]);
    await store.close();
  });
});

describe('a file of the store that is no file', () => {
  it.each(['snapshot-1.json', 'journal-1.jsonl', 'journal.end', 'atoll.json'])(
    'is refused with its name, and nobody waits: %s',
    async (name) => {
      await fill('a');
      await rm(fileOf(name));
      execFileSync('mkfifo', [fileOf(name)]);
      await expect(openHere()).rejects.toMatchObject({ ...damaged, file: fileOf(name) });
      await rm(fileOf(name));
      await mkdir(fileOf(name));
      await expect(openHere()).rejects.toMatchObject({ ...damaged, file: fileOf(name) });
    },
  );
});

describe('a batch whose sync and removal both fail', () => {
  it('was answered with 503 and is not there after a restart', async () => {
    const disk = diskFiles('os');
    let fails = false;
    const failure = (): Promise<never> => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
    const files: Files = {
      ...disk,
      reopen: async (path) => {
        const file = await disk.reopen(path);
        if (!path.includes('journal-')) return file;
        return {
          ...file,
          sync: () => (fails ? failure() : file.sync()),
          truncate: (length) => (fails ? failure() : file.truncate(length)),
        };
      },
    };
    const { store } = await openHere(files);
    await create(store, 'acknowledged');
    fails = true;
    await expect(create(store, 'refused')).rejects.toMatchObject({ status: 503 });
    await store.close();
    expect(await readFile(fileOf('journal-1.jsonl'), 'utf8')).toContain('refused');
    const again = await openHere();
    expect(await titles(again.store)).toEqual(['acknowledged']);
    await create(again.store, 'later');
    await again.store.close();
    const third = await openHere();
    expect(await titles(third.store)).toEqual(['acknowledged', 'later']);
    await third.store.close();
  });
});

describe('durability os', () => {
  it('syncs the files of a new store, but no single write', async () => {
    const disk = diskFiles('os');
    const synced: string[] = [];
    const watch = (path: string, file: Awaited<ReturnType<Files['create']>>) => ({
      ...file,
      sync: () => {
        synced.push(path.replace(/^.*\//, '').replace('.tmp', ''));
        return file.sync();
      },
    });
    const files: Files = {
      ...disk,
      create: async (path) => watch(path, await disk.create(path)),
      reopen: async (path) => watch(path, await disk.reopen(path)),
    };
    const { store } = await openHere(files, 'os');
    expect(synced).toEqual(expect.arrayContaining(['atoll.json', 'journal-1.jsonl', 'journal.end', 'snapshot-1.json']));
    synced.length = 0;
    await create(store, 'a');
    expect(synced).toEqual([]);
    await store.close();
    expect(synced).toEqual(['journal-1.jsonl', 'journal.end']);
  });

  it('starts with what is there after the machine stopped, and warns', async () => {
    const first = await openHere(diskFiles('os'), 'os');
    await create(first.store, 'a');
    const { length } = await readFile(fileOf('journal-1.jsonl'));
    await create(first.store, 'b');
    const note = (await readFile(fileOf('journal.end'), 'latin1')).split('\n').map((slot) => {
      if (slot.trim() === '') return slot;
      const rest = slot
        .trimEnd()
        .replace(/^\{"sum":"[0-9a-f]*",/, '')
        .replace(/"boot":"[^"]*"/, '"boot":"another"');
      const text = `${first.instanceId} ${rest}`;
      const sum = createHash('sha256').update(text).digest('hex').slice(0, 32);
      return `{"sum":"${sum}",${rest}`.padEnd(slot.length);
    });
    await first.store.close();
    await truncate(fileOf('journal-1.jsonl'), length);
    await expect(openHere()).rejects.toMatchObject(damaged);
    await writeFile(fileOf('journal.end'), note.join('\n'));
    const again = await openHere();
    expect(await titles(again.store)).toEqual(['a']);
    expect(warnings).toEqual([expect.stringContaining('durability os')]);
    await again.store.close();
  });
});
