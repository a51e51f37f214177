/** Records that lie in memory as bytes: the same as objects, whatever the index of a checkpoint is worth. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openJournalEntityStore, type JournalEntityStore, createRecordSet } from '../../../src/storage/storage.ts';
import { createRecordBlocks } from '../../../src/storage/journal/record-blocks.ts';
import { entityOf, type PackedRecord } from '../../../src/storage/record-layer.ts';
import { article, temporaryDirectory, testModel } from '../records.ts';
import type { Entity, EntityStore, RecordModel } from '../../../src/openapi/openapi-records.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let warnings: string[];
let counted: number;
beforeEach(async () => {
  directory = await temporaryDirectory();
  [warnings, counted] = [[], 0];
});
afterEach(() => directory.remove());

/** Counts the records that are read for their index keys. */
const countingModel = (keysVersion: number | undefined, more: readonly string[] = []): RecordModel => ({
  ...testModel,
  keysVersion,
  indexKeys: (entity) => {
    counted += 1;
    return [...testModel.indexKeys(entity), ...more];
  },
});

const openHere = (model = countingModel(1)): Promise<JournalEntityStore> =>
  openJournalEntityStore({
    directory: directory.path,
    model,
    durability: 'os',
    warn: (message) => warnings.push(message),
  });

const fileOf = (name: string): string => join(directory.path, name);

/** Together more than a checkpoint has that needs no index. Each has letters of one to four bytes. */
const long = (id: number, title = 'Ä€😀'): Entity =>
  article(id, `${title} ${id} `.repeat(20), { parent: id % 7, bundle: id % 3 === 0 ? 'page' : 'article' });
const count = 4000;
const many = Array.from({ length: count }, (_, at) => long(at + 1));

const fillHere = async (): Promise<void> => {
  const opened = await openHere();
  await opened.fill(many, { media: 9 });
  await opened.store.close();
};

/** Everything that the store says of its records. */
const shown = async (store: EntityStore) => ({
  all: await store.list('node', { offset: 0, limit: 2 * count }),
  pages: await store.list('node', { bundle: 'page', offset: 5, limit: 3 }),
  members: await store.lookupMany([0, 1, 6].map((parent) => `members-of:${parent}`)),
  found: await store.lookupMany([`uuid:${long(17).uuid}`, 'uuid:none']),
  byKey: await store.getMany(['node:1', `node:${count}`, `node:${count + 1}`]),
});

/** The same of a set that has objects only. */
const expected = (records: readonly Entity[]) => {
  const set = createRecordSet(testModel);
  for (const entity of records) set.apply({ put: entity });
  return {
    all: set.list('node', { offset: 0, limit: 2 * count }),
    pages: set.list('node', { bundle: 'page', offset: 5, limit: 3 }),
    members: [0, 1, 6].map((parent) => set.lookup(`members-of:${parent}`)),
    found: [set.lookup(`uuid:${long(17).uuid}`), []],
    byKey: [set.get('node:1'), set.get(`node:${count}`), set.get(`node:${count + 1}`)],
  };
};

it('A record that is asked for again and again stays the same object, one that is asked for once does not', () => {
  const blockOf = createRecordBlocks();
  const packed = (id: number): PackedRecord => {
    const bytes = Buffer.from(JSON.stringify(article(id, 'A')));
    const { type, bundle } = article(id, 'A');
    const place = { block: blockOf(bytes), start: 0, end: bytes.length };
    return { type, id, bundle, indexKeys: [], ...place, entity: undefined, isAskedAgain: false };
  };
  const [often, once] = [packed(1), packed(2)];
  const [kept, dropped] = [entityOf(often), entityOf(once)];
  for (let id = 3; id < 10_000; id += 1) {
    expect(entityOf(packed(id)).id).toBe(id);
    if (id % 1000 === 0) expect(entityOf(often)).toBe(kept);
  }
  expect(entityOf(once)).toEqual(dropped);
  expect(entityOf(once)).not.toBe(dropped);
});

describe('a start with a large checkpoint', () => {
  it('takes the index keys from the index, and shows what was written', async () => {
    await fillHere();
    counted = 0;
    const opened = await openHere();
    expect(counted).toBeLessThan(count / 100);
    expect(await shown(opened.store)).toEqual(expected(many));
    const id = await opened.store.transact([], (view) => ({ changes: [], result: view.nextId('media') }));
    expect(id).toBe(10);
    await opened.store.close();
    expect(warnings).toEqual([]);
  });

  const bad: readonly [string, (index: Buffer) => Promise<void>][] = [
    ['missing', () => rm(fileOf('snapshot-2.index'))],
    ['empty', () => writeFile(fileOf('snapshot-2.index'), '')],
    ['cut', (index) => writeFile(fileOf('snapshot-2.index'), index.subarray(0, index.length - 100))],
    ['changed', (index) => writeFile(fileOf('snapshot-2.index'), index.fill('7', 5000, 5001))],
    [
      'that of another checkpoint',
      (index) => writeFile(fileOf('snapshot-2.index'), index.toString().replace(/"checkpoint":"./, '"checkpoint":"x')),
    ],
  ];
  it.each(bad)('reads every record when the index is %s', async (_, spoil) => {
    await fillHere();
    await spoil(await readFile(fileOf('snapshot-2.index')));
    counted = 0;
    const opened = await openHere();
    expect(counted).toBe(count);
    expect(await shown(opened.store)).toEqual(expected(many));
    await opened.store.close();
  });

  it.each([
    ['another version', countingModel(2)],
    ['no version', countingModel(undefined)],
    ['the same version and other keys', countingModel(1, ['all'])],
  ])('reads every record when the index keys have %s', async (_, model) => {
    await fillHere();
    counted = 0;
    const opened = await openHere(model);
    expect(counted).toBeGreaterThanOrEqual(count);
    expect(await shown(opened.store)).toEqual(expected(many));
    if (model.indexKeys(long(1)).includes('all'))
      expect((await opened.store.lookupMany(['all']))[0]?.length).toBe(count);
    await opened.store.close();
  });

  it('refuses a checkpoint with one changed letter, with and without its index', async () => {
    await fillHere();
    const checkpoint = await readFile(fileOf('snapshot-2.json'));
    const at = checkpoint.indexOf('2000 ', checkpoint.length / 3);
    await writeFile(fileOf('snapshot-2.json'), checkpoint.fill('9', at, at + 1));
    await expect(openHere()).rejects.toMatchObject({ code: 'ATOLL_STORE_DAMAGED' });
    await rm(fileOf('snapshot-2.index'));
    await expect(openHere()).rejects.toMatchObject({ code: 'ATOLL_STORE_DAMAGED' });
  });
});

describe('a compaction of packed records', () => {
  it('writes each record as it is, packs what changed, and removes the index with its checkpoint', async () => {
    await fillHere();
    const opened = await openHere();
    const records = new Map(many.map((entity) => [entity.id, entity]));
    for (let round = 0; round < 4; round += 1) {
      const { compactions } = opened.statistics();
      opened.compact();
      for (let step = 0; step < 60 || opened.statistics().compactions === compactions; step += 1) {
        const id = ((round * 997 + step * 61) % count) + 1;
        const isRemoved = step % 5 === 4;
        const next = long(id, `round ${round}, step ${step}`);
        if (isRemoved) records.delete(id);
        else records.set(id, next);
        const change = isRemoved ? { remove: `node:${id}` as const } : { put: next };
        await opened.store.transact([], () => ({ changes: [change], result: undefined }));
      }
      expect(await shown(opened.store)).toEqual(expected([...records.values()]));
    }
    await opened.store.close();
    const names = (await readdir(directory.path)).filter((name) => name.startsWith('snapshot')).sort();
    expect(names.filter((name) => name.endsWith('.index'))).toEqual(
      names.filter((name) => name.endsWith('.json')).map((name) => name.replace('.json', '.index')),
    );
    counted = 0;
    const again = await openHere();
    expect(await shown(again.store)).toEqual(expected([...records.values()]));
    await again.store.close();
    expect(warnings).toEqual([]);
  });
});
