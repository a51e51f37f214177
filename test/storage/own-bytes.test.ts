/** Bytes that are brought from elsewhere: all of them, or none. */
import { describe, expect, it } from '@jest/globals';
import { copyBlobs } from '../../src/server/server-worlds.ts';
import { createMemoryBlobStorage } from '../../src/storage/storage.ts';
import { readFixture, starter } from '../support/atoll.ts';
import { entityKey } from '../../src/openapi/openapi-records.ts';

describe('withOwnBytes', () => {
  it('copies the bytes of every file, and leaves no copy when one is missing', async () => {
    const { blobs: source, ...seed } = await readFixture(starter);
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
