/** The store over a journal: what it keeps over a restart, and what it refuses. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openJournalEntityStore, type JournalEntityStore } from '../../../src/storage/storage.ts';
import type { JournalEntityStoreOptions } from '../../../src/storage/journal/journal-entity-store.ts';
import { diskFiles } from '../../../src/basics/disk/files.ts';
import { tries } from '../../support/long-run.ts';
import { describeEntityStore } from '../entity-store.suite.ts';
import { article, temporaryDirectory, testModel } from '../records.ts';
import type { EntityStore } from '../../../src/openapi/openapi-records.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let warnings: string[];
beforeEach(async () => {
  directory = await temporaryDirectory();
  warnings = [];
});
afterEach(() => directory.remove());

const openHere = (options: Partial<JournalEntityStoreOptions> = {}): Promise<JournalEntityStore> =>
  openJournalEntityStore({
    directory: directory.path,
    model: testModel,
    durability: 'full',
    warn: (message) => warnings.push(message),
    ...options,
  });

const create = (store: EntityStore, title: string): Promise<number> =>
  store.transact([], (view) => {
    const node = article(view.nextId('node'), title);
    return { changes: [{ put: node }], result: node.id };
  });

const titles = async (store: EntityStore): Promise<unknown[]> =>
  (await store.list('node', { offset: 0, limit: 10_000 })).entities.map((node) => node.fields['title']?.[0]?.['value']);

const fileOf = (name: string): string => join(directory.path, name);

describeEntityStore('journal', async () => (await openHere()).store);

describe('a journal store that is opened again', () => {
  it('has every acknowledged record, index, removal and counter', async () => {
    const first = await openHere();
    for (const title of ['a', 'b', 'c']) await create(first.store, title);
    await first.store.transact([], () => ({ changes: [{ remove: 'node:3' }], result: 0 }));
    await first.store.close();
    const second = await openHere();
    expect(second.isNew).toBe(false);
    expect(second.instanceId).toBe(first.instanceId);
    expect(await titles(second.store)).toEqual(['a', 'b']);
    expect((await second.store.lookupMany([`uuid:${article(2, '').uuid}`]))[0]?.length).toBe(1);
    expect(await create(second.store, 'd')).toBe(4);
    await second.store.close();
    expect(warnings).toEqual([]);
  });

  it('remembers an id that was drawn without a record', async () => {
    const first = await openHere();
    await first.store.transact([], (view) => ({ changes: [], result: view.nextId('node_revision') }));
    await first.store.close();
    const second = await openHere();
    const drawn = second.store.transact([], (view) => ({ changes: [], result: view.nextId('node_revision') }));
    expect(await drawn).toBe(2);
    await second.store.close();
  });

  it('is new until it is filled, and then holds the records', async () => {
    await (await openHere()).store.close();
    const second = await openHere();
    expect(second.isNew).toBe(true);
    await second.fill([article(1, 'seed')], { node: 12 });
    await expect(second.fill([], {})).rejects.toThrow('Only a new repository');
    await second.store.close();
    const third = await openHere();
    expect([third.isNew, await titles(third.store), await create(third.store, 'next')]).toEqual([false, ['seed'], 13]);
    await third.store.close();
  });

  it('keeps no empty generation below the first records, so that a lost snapshot never looks like a new repository', async () => {
    const opened = await openHere();
    await opened.fill([article(1, 'seed')], {});
    await create(opened.store, 'later');
    await opened.store.close();
    await rm(fileOf('snapshot-2.json'));
    await expect(openHere()).rejects.toMatchObject({ code: 'ATOLL_STORE_DAMAGED' });
  });

  it('starts over when the first start was cut off before its marker', async () => {
    await writeFile(fileOf('atoll-new.json'), '{}\n');
    await writeFile(fileOf('journal-1.jsonl'), 'half');
    await writeFile(fileOf('snapshot-1.json.tmp'), 'half');
    const opened = await openHere();
    expect(opened.isNew).toBe(true);
    await opened.store.close();
    expect((await readdir(directory.path)).sort()).toEqual([
      'atoll.json',
      'journal-1.jsonl',
      'journal.end',
      'reserve',
      'snapshot-1.json',
    ]);
  });
});

/** Writes "a", then "b". Resolves with the journal, where "b" begins, and the notes of the end after each of them. */
const writeTwo = async () => {
  const { store } = await openHere();
  await create(store, 'a');
  const afterFirst = await readFile(fileOf('journal.end'));
  const offset = (await readFile(fileOf('journal-1.jsonl'))).length;
  await create(store, 'b');
  await store.close();
  return {
    journal: await readFile(fileOf('journal-1.jsonl')),
    offset,
    afterFirst,
    afterBoth: await readFile(fileOf('journal.end')),
  };
};

/** The batch from `offset` on: cut, or with a hole, at several places. */
const tornJournals = (journal: Buffer, offset: number): Buffer[] =>
  [0, 1, 40, 100, 200].flatMap((at) => {
    const end = Math.min(journal.length, offset + at);
    const firstLost = Buffer.from(journal).fill(0, offset, end);
    const lastLost = Buffer.from(journal).fill(0, end);
    return [journal.subarray(0, end), ...(at === 0 ? [] : [firstLost]), lastLost];
  });

describe('a store cut off in the middle of a write', () => {
  it('drops the batch that was not acknowledged, wherever its hole is, with one warning', async () => {
    const { journal, offset, afterFirst } = await writeTwo();
    for (const torn of tornJournals(journal, offset)) {
      await writeFile(fileOf('journal-1.jsonl'), torn);
      await writeFile(fileOf('journal.end'), afterFirst);
      warnings = [];
      const { store } = await openHere({ files: diskFiles('os') });
      expect(await titles(store)).toEqual(['a']);
      expect(warnings.length).toBe(torn.length === offset ? 0 : 1);
      await store.close();
    }
    const { store } = await openHere();
    await create(store, 'after');
    await store.close();
    const again = await openHere();
    expect(await titles(again.store)).toEqual(['a', 'after']);
    await again.store.close();
  });

  it('does not start when the batch was acknowledged, and names the offset and the repair', async () => {
    const { journal, offset, afterBoth } = await writeTwo();
    const file = fileOf('journal-1.jsonl');
    for (const torn of tornJournals(journal, offset)) {
      await writeFile(file, torn);
      await writeFile(fileOf('journal.end'), afterBoth);
      const opening = openHere({ files: diskFiles('os') });
      await expect(opening).rejects.toMatchObject({ ...damaged, file, offset });
      await expect(opening).rejects.toThrow('1 acknowledged batches up to byte');
      await expect(opening).rejects.toThrow('atoll check --repair');
    }
  });
});

const damaged = { code: 'ATOLL_STORE_DAMAGED' };

const makeTwoGenerations = async (): Promise<string[]> => {
  const opened = await openHere({ durability: 'os', smallJournalBytes: 1_000 });
  for (let at = 0; at < 30; at++) await create(opened.store, `title ${at}`);
  await opened.store.close();
  return (await readdir(directory.path)).filter((name) => /^(snapshot|journal)-/.test(name)).sort();
};

describe('a damaged store', () => {
  it('never serves a changed value, whichever bit of a snapshot or journal is flipped', async () => {
    const names = await makeTwoGenerations();
    const newest = names.filter((name) => name.startsWith('snapshot')).at(-1) ?? '';
    const used = names.filter((name) => name === newest || name === `journal-${newest.slice(9, -5)}.jsonl`);
    let random = 42;
    for (let round = 0; round < tries(60); round++) {
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648;
      const file = fileOf(used[round % used.length] ?? '');
      const good = await readFile(file);
      const bad = Buffer.from(good);
      const at = Math.floor((random / 2_147_483_648) * bad.length);
      bad[at] = (bad[at] ?? 0) ^ (1 << (round % 8));
      await writeFile(file, bad);
      const outcome = await openHere({ files: diskFiles('os') }).then(
        async ({ store }) => {
          const seen = await titles(store);
          await store.close();
          return seen;
        },
        (error: unknown) => error,
      );
      expect(outcome).toMatchObject({ ...damaged, file });
      await writeFile(file, good);
    }
  }, 30_000);

  it('refuses an emptied, cut, overwritten or foreign snapshot or journal, and names the file', async () => {
    const names = await makeTwoGenerations();
    for (const kind of ['snapshot', 'journal']) {
      const file = fileOf(names.filter((name) => name.startsWith(kind)).at(-1) ?? '');
      const good = await readFile(file);
      const cuts = kind === 'snapshot' ? [good.subarray(0, good.length / 2), good.subarray(0, -1)] : [];
      for (const bad of [
        '',
        'null',
        '0',
        '[]',
        '{}',
        '{}\n',
        Buffer.alloc(good.length),
        good.subarray(0, 1),
        ...cuts,
      ]) {
        await writeFile(file, bad);
        await expect(openHere({ files: diskFiles('os') })).rejects.toMatchObject({ ...damaged, file });
      }
      await writeFile(file, good);
    }
  });

  it('names the newest good generation, and loses nothing when started from it', async () => {
    const names = await makeTwoGenerations();
    const snapshots = names.filter((name) => name.startsWith('snapshot'));
    expect(snapshots.length).toBe(2);
    await truncate(fileOf(snapshots[1] ?? ''), 10);
    await expect(openHere()).rejects.toThrow(`Newest good generation: ${snapshots[0]?.slice(9, -5) ?? ''}.`);
    await rm(fileOf(snapshots[1] ?? ''));
    const { store } = await openHere();
    expect((await titles(store)).length).toBe(30);
    await store.close();
  });

  it('refuses a missing journal, a missing snapshot and a line taken out of the middle', async () => {
    const { store } = await openHere();
    for (const title of ['a', 'b', 'c']) await create(store, title);
    await store.close();
    const journal = await readFile(fileOf('journal-1.jsonl'), 'utf8');
    const lines = journal.split('\n');
    await writeFile(fileOf('journal-1.jsonl'), [...lines.slice(0, 2), ...lines.slice(3)].join('\n'));
    await expect(openHere()).rejects.toMatchObject(damaged);
    await rm(fileOf('journal-1.jsonl'));
    await expect(openHere()).rejects.toMatchObject(damaged);
    await writeFile(fileOf('journal-1.jsonl'), journal);
    await rm(fileOf('snapshot-1.json'));
    await expect(openHere()).rejects.toMatchObject(damaged);
  });

  it('notices that the newest journal and snapshot were taken away together', async () => {
    const names = await makeTwoGenerations();
    const newest =
      names
        .filter((name) => name.startsWith('journal'))
        .at(-1)
        ?.slice(8, -6) ?? '';
    await rm(fileOf(`journal-${newest}.jsonl`));
    await rm(fileOf(`snapshot-${newest}.json`), { force: true });
    await expect(openHere()).rejects.toMatchObject(damaged);
  });

  it('refuses a directory that lost its marker, has another format, or holds something else', async () => {
    await (await openHere()).store.close();
    const marker = await readFile(fileOf('atoll.json'), 'utf8');
    for (const bad of ['', 'null', '{}', marker.replace('"format":3', '"format":4')]) {
      await writeFile(fileOf('atoll.json'), bad);
      await expect(openHere()).rejects.toMatchObject(damaged);
    }
    await rm(fileOf('atoll.json'));
    await expect(openHere()).rejects.toMatchObject(damaged);
    expect(await readdir(directory.path)).toContain('snapshot-1.json');
  });

  it('refuses a new directory with blobs in it', async () => {
    await writeFile(fileOf('blob'), 'bytes');
    await expect(openHere()).rejects.toMatchObject({ code: 'ATOLL_FOREIGN_DIRECTORY' });
    expect(await readdir(directory.path)).toEqual(['blob']);
  });
});

describe('compaction', () => {
  it('loses nothing while writes go on, and leaves two generations', async () => {
    const opened = await openHere({ durability: 'os', smallJournalBytes: 20_000 });
    let written = 0;
    const writer = async (): Promise<void> => {
      for (let at = 0; at < 250; at++) {
        const id = await create(opened.store, 'x'.repeat(50));
        if (id % 5 === 0) await opened.store.transact([], () => ({ changes: [{ remove: `node:${id}` }], result: 0 }));
        else written += 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, writer));
    await opened.store.close();
    expect(opened.statistics().compactions).toBeGreaterThan(2);
    const snapshots = (await readdir(directory.path)).filter((name) => name.startsWith('snapshot'));
    expect(snapshots.length).toBe(2);
    const again = await openHere();
    expect((await titles(again.store)).length).toBe(written);
    expect(await create(again.store, 'next')).toBe(2_001);
    await again.store.close();
    expect(warnings).toEqual([]);
  });

  it('writes a snapshot that is JSON with one record per line', async () => {
    const opened = await openHere();
    await opened.fill([article(2, 'b'), article(1, 'a')], { media: 3 });
    await opened.store.close();
    const text = await readFile(fileOf('snapshot-2.json'), 'utf8');
    expect(JSON.parse(text)).toMatchObject({
      generation: 2,
      counters: { node: 2, media: 3 },
      records: [article(1, 'a'), article(2, 'b')],
    });
    expect(text).toContain(`\n${JSON.stringify(article(1, 'a'))},\n`);
  });
});
