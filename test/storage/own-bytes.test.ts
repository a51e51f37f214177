/** Bytes that are brought from elsewhere: all of them, or none. */
import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { entityKey } from '../../src/model/entity.ts';
import { copyBlobs } from '../../src/worlds/copy-blobs.ts';
import { exportBlobs, readExport } from '../../src/storage/export/export-directory.ts';
import { createMemoryBlobStorage } from '../../src/storage/blobs/memory-blob-storage.ts';
import { root } from '../support/atoll.ts';

const starter = join(root, 'data/fixtures/starter');

describe('withOwnBytes', () => {
  it('copies the bytes of every file, and leaves no copy when one is missing', async () => {
    const seed = await readExport(starter);
    const source = exportBlobs(starter);
    const files = [...seed.entities].filter(({ blob }) => blob !== undefined);
    const storages = new Map(['public', 'fedora', 'private'].map((scheme) => [scheme, createMemoryBlobStorage()]));
    const stored = async (): Promise<number> =>
      (await Promise.all([...storages.values()].map((storage) => storage.keys()))).flat().length;
    const last = files.at(-1);
    const missing = copyBlobs(seed, (file) => (file === last ? undefined : source), storages);
    await expect(missing).rejects.toThrow('are missing');
    expect(await stored()).toBe(0);
    const { entities } = await copyBlobs(seed, () => source, storages);
    expect([...entities].map(({ type, id }) => entityKey(type, id))).toEqual(
      [...seed.entities].map(({ type, id }) => entityKey(type, id)),
    );
    expect(await stored()).toBe(files.length);
  });
});
