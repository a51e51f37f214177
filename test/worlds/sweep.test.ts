/** Removing blobs that no record names. */
import { repositoryOnDisk } from '../../src/application/application-disk.ts';
import { repositoryWorld } from '../../src/repository/repository.ts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorlds, type OpenedWorlds } from '../../src/server/server-worlds.ts';
import { sweepBlobs } from '../../src/server/worlds/sweep-blobs.ts';
import { createClock, createIds, readFixture, root, starter } from '../support/atoll.ts';
import { loadSite } from '../support/site-sources.ts';
import { testSigningKey } from '../support/signing-key.ts';
import { temporaryDirectory } from '../storage/records.ts';
import type { BlobStorage } from '../../src/openapi/openapi-records.ts';

const site = await loadSite(join(root, 'data/site'));
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let warnings: string[];
beforeEach(async () => {
  directory = await temporaryDirectory();
  warnings = [];
});
afterEach(() => directory.remove());

const open = (): Promise<OpenedWorlds> =>
  openWorlds({
    application: repositoryOnDisk,
    site,
    baseUrl: 'http://localhost:8000',
    data: join(directory.path, 'data'),
    fixture: starter,
    readFixture,
    durability: 'os',
    clock: createClock(),
    ids: createIds(),
    signingKey: testSigningKey,
    warn: (message) => warnings.push(message),
  });

const keysOf = async ({ world }: OpenedWorlds): Promise<readonly string[]> =>
  (await Promise.all([...world.blobs].map(([, storage]) => storage.keys()))).flat();

/** Deletes the first file of the repository as its handler does. */
const deleteFile = async ({ world }: OpenedWorlds): Promise<string> => {
  const { entities } = await world.store.list('file', { offset: 0, limit: 1 });
  const [file] = entities;
  if (file?.blob === undefined) throw new Error('The fixture has no file.');
  await world.store.transact([], () => ({ changes: [{ remove: `file:${file.id}` }], result: 0 }));
  await repositoryWorld(world).repository.release(file);
  return file.blob.key;
};

describe('the sweep at the start', () => {
  it('keeps the bytes of two schemes that lie in one bucket, where each lists the keys of both', async () => {
    const opened = await open();
    const { store, blobs } = opened.world;
    const bucket = blobs.get('public');
    if (bucket === undefined) throw new Error('The site has no storage public://.');
    const removed: string[] = [];
    const sweep: BlobStorage['sweep'] = async (unnamed) => {
      removed.push(...(await unnamed()));
      return removed;
    };
    const storages = new Map(['public', 'private'].map((scheme) => [scheme, { ...bucket, sweep }]));
    const data = join(directory.path, 'data');
    const sweeper = { wait: () => undefined };
    await sweepBlobs({ store, storages, sweeper, directory: data, warn: () => undefined });
    expect((await bucket.keys()).length).toBeGreaterThan(0);
    expect(removed).toEqual([]);
    await opened.close();
  });

  it('keeps bytes that an older change set names, also over a restart, and removes the others', async () => {
    const first = await open();
    const key = await deleteFile(first);
    expect(await keysOf(first)).toContain(key);
    await first.close();
    const orphan = 'ab/ab000000000000000000000000000000';
    await mkdir(join(directory.path, 'data/blobs/public/ab'), { recursive: true });
    await writeFile(join(directory.path, 'data/blobs/public', orphan), 'orphan');
    const second = await open();
    const keys = await keysOf(second);
    expect([keys.includes(key), keys.includes(orphan)]).toEqual([true, false]);
    expect(warnings).toEqual(['Removed 1 stored files of public:// that no record names.']);
    await second.close();
  });

  it('tells which files have lost their bytes, and starts', async () => {
    const first = await open();
    const { entities } = await first.world.store.list('file', { offset: 0, limit: 1 });
    const [file] = entities;
    await first.close();
    await rm(join(directory.path, 'data/blobs/fedora', file?.blob?.key ?? ''));
    const second = await open();
    expect(warnings).toEqual([`The bytes of file ${file?.id} are missing from fedora://.`]);
    await second.close();
  });
});
