/** The storage of bytes in memory. */
import { describe, expect, it } from '@jest/globals';
import { createMemoryBlobStorage } from '../../src/storage/blobs/memory-blob-storage.ts';
import { bytesOf, chunksOf, describeBlobStorage } from './blob-storage.suite.ts';

describeBlobStorage('memory', () => {
  const storage = createMemoryBlobStorage({ maxBytes: 2_000_000 });
  return Promise.resolve({ storage, isClean: () => Promise.resolve(true) });
});

const receive = (storage: ReturnType<typeof createMemoryBlobStorage>, text: string) =>
  storage.receive(chunksOf(text), { maxBytes: 1_000 });

describe('the limit of a memory blob storage', () => {
  it('answers 507 over it, and gives room back after discard, remove and a refused body', async () => {
    const storage = createMemoryBlobStorage({ maxBytes: 10 });
    const first = await receive(storage, '12345');
    await expect(receive(storage, '123456')).rejects.toMatchObject({ status: 507 });
    const blob = await (await receive(storage, '12345')).keep();
    await expect(receive(storage, '1')).rejects.toMatchObject({ status: 507 });
    await first.discard();
    await storage.remove(blob.key);
    expect((await receive(storage, '1234567890')).size).toBe(10);
  });
});

describe('a memory blob storage over a base', () => {
  it('reads the base, hides what is removed, and never changes it', async () => {
    const base = createMemoryBlobStorage();
    const inBase = await (await receive(base, 'base')).keep();
    const fork = createMemoryBlobStorage({ base });
    const own = await (await receive(fork, 'own')).keep();
    expect(await bytesOf(await fork.open(inBase))).toBe('base');
    expect(await fork.keys()).toEqual([inBase.key, own.key].sort());
    await fork.remove(inBase.key);
    expect(await fork.open(inBase)).toBeUndefined();
    expect(await fork.keys()).toEqual([own.key]);
    expect([await base.keys(), await bytesOf(await base.open(inBase))]).toEqual([[inBase.key], 'base']);
  });
});
