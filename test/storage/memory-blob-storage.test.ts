/** The storage of bytes in memory. */
import { describe, expect, it } from '@jest/globals';
import type { BlobStorage } from '../../src/core/model/blob-storage.ts';
import { createMemoryBlobStorage } from '../../src/storage/blobs/memory-blob-storage.ts';
import { bytesOf, chunksOf, describeBlobStorage, storeText, takeAway } from './blob-storage.suite.ts';

describeBlobStorage('memory', () => {
  const storage = createMemoryBlobStorage({ maxBytes: 2_000_000 });
  return Promise.resolve({ storage, isClean: () => Promise.resolve(true) });
});

const receive = (storage: ReturnType<typeof createMemoryBlobStorage>, text: string) =>
  storage.receive(chunksOf(text), { maxBytes: 1_000 });

describe('the limit of a memory blob storage', () => {
  it('answers 507 over it, and gives room back after discard, a sweep and a refused body', async () => {
    const storage = createMemoryBlobStorage({ maxBytes: 10 });
    const first = await receive(storage, '12345');
    await expect(receive(storage, '123456')).rejects.toMatchObject({ status: 507 });
    const blob = await storeText(storage, '67890');
    await expect(receive(storage, '1')).rejects.toMatchObject({ status: 507 });
    await first.discard();
    await takeAway(storage, blob.key);
    expect((await receive(storage, '1234567890')).size).toBe(10);
  });

  it('is said by a probe before it is reached, until there is room again', async () => {
    const storage = createMemoryBlobStorage({ maxBytes: 640 });
    await storeText(storage, 'x'.repeat(630));
    await storage.probe?.();
    const blob = await storeText(storage, '1');
    await expect(storage.probe?.()).rejects.toMatchObject({ status: 507 });
    await takeAway(storage, blob.key);
    await storage.probe?.();
  });

  it('counts equal bytes once, and sweeps before it refuses', async () => {
    const storage: BlobStorage = createMemoryBlobStorage({
      maxBytes: 10,
      makeRoom: async () => {
        await takeAway(storage, first.key);
      },
    });
    const first = await storeText(storage, '12345');
    expect(await storeText(storage, '12345')).toEqual(first);
    expect((await storeText(storage, '1234567890')).size).toBe(10);
    expect(await storage.open(first)).toBeUndefined();
  });
});

describe('a memory blob storage over a base', () => {
  it('reads the base, and never changes it', async () => {
    const base = createMemoryBlobStorage();
    const inBase = await storeText(base, 'base');
    const fork = createMemoryBlobStorage({ base });
    const own = await storeText(fork, 'own');
    expect(await bytesOf(await fork.open(inBase))).toBe('base');
    expect(await fork.keys()).toEqual([inBase.key, own.key].sort());
    await takeAway(fork, inBase.key, own.key);
    expect([await fork.open(own), await bytesOf(await fork.open(inBase))]).toEqual([undefined, 'base']);
    expect([await base.keys(), await bytesOf(await base.open(inBase))]).toEqual([[inBase.key], 'base']);
  });
});
