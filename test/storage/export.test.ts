/** Exports: written, read back, refused. */
import { storedTypes } from '../../src/repository/repository.ts';
import { recordTypes, exportBlobs, readExport, writeExport } from '../../src/storage/storage-export.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storeText, takeAway } from './blob-storage.suite.ts';
import { createMemoryBlobStorage } from '../../src/storage/storage.ts';
import { article, temporaryDirectory } from './records.ts';
import { collectionEntity, type Entity, type BlobStorage } from '../../src/openapi/openapi-records.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let target: string;
let storage: BlobStorage;
beforeEach(async () => {
  directory = await temporaryDirectory();
  target = join(directory.path, 'export');
  storage = createMemoryBlobStorage();
});
afterEach(() => directory.remove());

const file = async (id: number, text: string): Promise<Entity> => ({
  type: 'file',
  id,
  uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  bundle: 'file',
  blob: await storeText(storage, text),
  fields: { uri: [{ value: `public://file-${id}.txt` }], filesize: [{ value: text.length }] },
});

const webStreamOf = (text: string): ReadableStream<Uint8Array> => new Blob([text]).stream();

const exportAll = (entities: readonly Entity[]) =>
  writeExport(target, { entities, counters: { file: 9, node: 7 }, blobsOf: () => storage }, () => undefined);

describe('an export', () => {
  it('holds one file a record and one a blob, and is read back as it was written', async () => {
    const [one, two] = [await file(1, 'equal'), await file(2, 'equal')];
    expect(await exportAll([article(7, 'seven'), one, two])).toEqual({ records: 3, blobs: 1, lost: [] });
    expect((await readdir(target)).sort()).toEqual(['blobs', 'export.json', 'file', 'node']);
    const { entities, counters } = await readExport(target);
    const [node, first] = [...entities];
    expect(counters).toEqual({ node: 7, file: 9 });
    expect(node).toEqual(article(7, 'seven'));
    expect(first).toMatchObject({ id: 1, blob: { size: 5, sha256: one.blob?.sha256 } });
    const stream = await exportBlobs(target).open(first?.blob ?? { key: '', size: 0, sha256: '' });
    expect(await new Response(stream).text()).toBe('equal');
  });

  it('keeps the translations of a record', async () => {
    const translated: Entity = { ...article(7, 'seven'), translations: { fr: { title: [{ value: 'sept' }] } } };
    await exportAll([translated]);
    expect([...(await readExport(target)).entities]).toEqual([translated]);
  });

  const formatIn = async (): Promise<unknown> =>
    (JSON.parse(await readFile(join(target, 'export.json'), 'utf8')) as { format: unknown }).format;

  it('has format 1 without collections, and format 2 with records of them, which are read back', async () => {
    await exportAll([article(7, 'seven')]);
    expect(await formatIn()).toBe(1);
    const records = [
      collectionEntity('notes', 'a/b', { deep: [{ ['__proto__x']: null }] }, 1),
      collectionEntity('', '', 'text', 4),
    ];
    const counters = {
      ...{ collection_record: 5, 'collection_record:notes': 12, 'collection_begun:notes': 1, 'collection_begun:': 1 },
      ...{ node: 7, file: 9, collections_begun: 1, 'collection_record:a': 0 },
    };
    const source = { entities: [article(7, 'seven'), ...records], counters, blobsOf: () => storage };
    await writeExport(target, source, () => undefined);
    expect(await formatIn()).toBe(2);
    const read = await readExport(target);
    expect([...read.entities].filter(({ type }) => type === 'collection_record')).toEqual(records);
    expect({ ...read.counters, 'collection_record:a': 0 }).toEqual(counters);
    // The order of the counters is always the same.
    const text = await readFile(join(target, 'export.json'), 'utf8');
    await writeExport(
      target,
      { ...source, counters: Object.fromEntries(Object.entries(counters).reverse()) },
      () => undefined,
    );
    expect(await readFile(join(target, 'export.json'), 'utf8')).toBe(text);
    await writeFile(join(target, 'export.json'), text.replace('"format": 2', '"format": 3'));
    await expect(readExport(target)).rejects.toThrow('format 3 is not known to this version. Use a newer Atoll.');
  });

  it('brings an earlier export up to date and leaves what git keeps beside it', async () => {
    const one = await file(1, 'old');
    await exportAll([article(7, 'seven'), one]);
    await mkdir(join(target, '.git'));
    await exportAll([await file(2, 'new')]);
    expect((await readdir(target)).sort()).toEqual(['.git', 'blobs', 'export.json', 'file']);
    expect(await readdir(join(target, 'file'))).toEqual(['2.json']);
    expect(await readdir(join(target, 'blobs'))).toHaveLength(1);
  });

  it('leaves out bytes that are missing or not the ones that were stored, and says whose', async () => {
    const whole = await file(1, 'whole');
    const missing = await file(2, 'missing');
    await takeAway(storage, missing.blob?.key);
    const kept = await file(3, 'other');
    const changed: Entity = { ...kept, blob: { key: kept.blob?.key ?? '', size: 5, sha256: '0'.repeat(64) } };
    const { lost } = await exportAll([whole, missing, changed]);
    expect(lost.map(({ id }) => id)).toEqual([2, 3]);
    expect([...(await readExport(target)).entities].map(({ blob }) => blob === undefined)).toEqual([false, true, true]);
  });

  it('has the bytes of equal files where one of the two is damaged', async () => {
    const [damaged, whole] = [await file(1, 'twins'), await file(2, 'twins')];
    const other = { open: () => Promise.resolve(webStreamOf('twonz')) };
    const { lost } = await writeExport(
      target,
      {
        entities: [damaged, whole],
        counters: { file: 2 },
        blobsOf: ({ id }: Entity) => (id === damaged.id ? other : storage),
      },
      () => undefined,
    );
    expect(lost.map(({ id }) => id)).toEqual([1]);
    const read = [...(await readExport(target)).entities].map(({ blob: stored }) => stored?.size);
    expect(read).toEqual([undefined, 5]);
  });

  it('is refused in a directory that holds something else, and when it was cut short', async () => {
    await mkdir(target);
    await writeFile(join(target, 'letter.txt'), 'not an export');
    await expect(exportAll([])).rejects.toMatchObject({ code: 'ATOLL_EXPORT_TARGET' });
    await writeFile(join(target, 'export.json'), '{"format":1,"counters":{},"unfinished":true}');
    await expect(readExport(target)).rejects.toMatchObject({ code: 'ATOLL_EXPORT_UNREADABLE' });
  });

  it.each(['node/7.json', 'export.json', 'blobs', 'node/8.json'])('is refused where %s is a link', async (name) => {
    await exportAll([article(7, 'seven'), await file(1, 'one')]);
    const victim = join(directory.path, 'victim');
    await (name === 'blobs' ? mkdir(victim) : writeFile(victim, 'mine'));
    await rm(join(target, name), { recursive: true, force: true });
    await symlink(victim, join(target, name));
    await expect(exportAll([article(7, 'seven')])).rejects.toMatchObject({ code: 'ATOLL_EXPORT_TARGET' });
    if (name === 'blobs') expect(await readdir(victim)).toEqual([]);
    else expect(await readFile(victim, 'utf8')).toBe('mine');
  });

  it('is refused where a link leads to no file yet, or a FIFO waits', async () => {
    await exportAll([article(7, 'seven')]);
    await symlink(join(directory.path, 'made'), join(target, 'node', '9.json'));
    await expect(exportAll([article(9, 'nine')])).rejects.toMatchObject({ code: 'ATOLL_EXPORT_TARGET' });
    await expect(readFile(join(directory.path, 'made'))).rejects.toMatchObject({ code: 'ENOENT' });
    await rm(join(target, 'node', '9.json'));
    execFileSync('mkfifo', [join(target, 'node', '9.json')]);
    await expect(exportAll([article(9, 'nine')])).rejects.toMatchObject({ code: 'ATOLL_EXPORT_TARGET' });
  });

  it('gives no bytes of a file outside of its folder', async () => {
    await exportAll([await file(1, 'own')]);
    await writeFile(join(directory.path, 'secret.txt'), 'secret');
    for (const key of ['../../secret.txt', join(directory.path, 'secret.txt')]) {
      expect(await exportBlobs(target).open({ key, size: 6, sha256: '' })).toBeUndefined();
    }
  });

  it('is refused when a record says another id or type than its place', async () => {
    await exportAll([article(7, 'seven')]);
    const text = await readFile(join(target, 'node', '7.json'), 'utf8');
    await writeFile(join(target, 'node', '8.json'), text);
    await expect(readExport(target)).rejects.toThrow('node/8.json');
    await writeFile(join(target, 'node', '8.json'), 'null');
    await expect(readExport(target)).rejects.toMatchObject({ code: 'ATOLL_EXPORT_UNREADABLE' });
  });

  const deep = `{"type":"node","id":7,"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
  it.each([
    [
      'a record that is no JSON',
      'node/7.json',
      '{\n  "type": "node",\n  "id" 7\n}\n',
      'cannot be read as JSON: line 3.',
    ],
    ['a record that is nested without end', 'node/7.json', deep, 'is nested too deeply.'],
    ['no counters', 'export.json', '{"format":1}', 'has no counters that are whole numbers of at least 0.'],
    ['a counter below 0', 'export.json', '{"format":1,"counters":{"node":-5}}', 'has no counters'],
    ['a head that is none', 'export.json', 'null', 'is not that of an export.'],
  ])('is refused with %s, as an archive is', async (_what, name, text, says) => {
    await exportAll([article(7, 'seven')]);
    await writeFile(join(target, name), text);
    const refused: unknown = await readExport(target).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'ATOLL_EXPORT_UNREADABLE' });
    expect((refused as Error).message).toContain(`${join(target, name)}: ${says}`); // see above
  });
});

it('has a folder for each type of record that the repository stores, in its order', () => {
  expect(recordTypes).toEqual(storedTypes);
});
