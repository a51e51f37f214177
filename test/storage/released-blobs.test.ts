/** Blobs that no record names any more. */
import { describe, expect, it } from '@jest/globals';
import { outOfSpace } from '../../src/core/problem.ts';
import type { BlobStorage } from '../../src/core/model/blob-storage.ts';
import { createMemoryBlobStorage } from '../../src/storage/blobs/memory-blob-storage.ts';
import { withReleasedBlobs } from '../../src/storage/blobs/released-blobs.ts';

async function* body(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

const put = async (storage: BlobStorage, text: string): Promise<string> =>
  (await (await storage.receive(body(text), { maxBytes: 100 })).keep()).key;

/** A storage in memory with `maxBytes`, and generations that the test advances. */
const setUp = ({ maxBytes = 100, size = 1, under = createMemoryBlobStorage({ maxBytes }) } = {}) => {
  const generations = { generation: 5, isOutOfSpace: false, compactions: 0 };
  const storage = withReleasedBlobs(under, () => size, {
    current: () => generations.generation,
    isOutOfSpace: () => generations.isOutOfSpace,
    compact: () => {
      generations.compactions += 1;
    },
  });
  return { storage, generations };
};

describe('a storage with released blobs', () => {
  it('removes a blob only when the generation that it was released in is kept no longer', async () => {
    const { storage, generations } = setUp();
    const key = await put(storage, 'bytes');
    await storage.remove(key);
    await storage.generationsDropped(5);
    expect(await storage.keys()).toEqual([key]);
    generations.generation = 6;
    const later = await put(storage, 'later');
    await storage.remove(later);
    await storage.generationsDropped(6);
    expect(await storage.keys()).toEqual([later]);
    await storage.generationsDropped(7);
    expect(await storage.keys()).toEqual([]);
  });

  it('gives everything back that waits when an upload finds no room, and removes at once until there is some', async () => {
    const { storage } = setUp({ maxBytes: 10 });
    const first = await put(storage, '12345678');
    await storage.remove(first);
    await expect(put(storage, '12345678')).rejects.toMatchObject({ status: outOfSpace().status });
    expect(await storage.keys()).toEqual([]);
    const second = await put(storage, '12345678');
    await expect(put(storage, '12345678')).rejects.toMatchObject({ status: 507 });
    await storage.remove(second);
    expect(await storage.keys()).toEqual([]);
  });

  it('gives everything back that waits when a small upload finds no room for its name', async () => {
    const disk = createMemoryBlobStorage();
    let isFull = false;
    const full: BlobStorage = {
      ...disk,
      receive: async (source, options) => {
        const received = await disk.receive(source, options);
        return { ...received, keep: () => (isFull ? Promise.reject(outOfSpace()) : received.keep()) };
      },
    };
    const { storage } = setUp({ under: full });
    await storage.remove(await put(storage, '12345678'));
    isFull = true;
    await expect(put(storage, '12345678')).rejects.toMatchObject({ status: 507 });
    expect(await storage.keys()).toEqual([]);
  });

  it('removes at once, and what waited too, while the journal finds no space', async () => {
    const { storage, generations } = setUp();
    const waiting = await put(storage, 'one');
    await storage.remove(waiting);
    const other = await put(storage, 'two');
    generations.isOutOfSpace = true;
    await storage.remove(other);
    expect(await storage.keys()).toEqual([]);
  });

  it('asks for a compaction when many bytes wait, and again while they still do', async () => {
    const { storage, generations } = setUp({ size: 256 * 1024 * 1024 });
    await storage.remove(await put(storage, 'one'));
    expect(generations.compactions).toBe(0);
    await storage.remove(await put(storage, 'two'));
    expect(generations.compactions).toBe(1);
    await storage.generationsDropped(5);
    expect(generations.compactions).toBe(2);
    await storage.generationsDropped(6);
    expect(generations.compactions).toBe(2);
  });
});
