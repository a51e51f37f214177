/** Bytes that a reader or a pin still needs when their record is removed. */
import { describe, expect, it } from '@jest/globals';
import { createMemoryBlobStorage } from '../../src/storage/blobs/memory-blob-storage.ts';
import { withPins } from '../../src/storage/blobs/pinned-blobs.ts';
import { bytesOf, chunksOf, describeBlobStorage } from './blob-storage.suite.ts';

describeBlobStorage('memory with pins', () => {
  const storage = withPins(createMemoryBlobStorage({ maxBytes: 2_000_000 }));
  storage.pin();
  return Promise.resolve({ storage, isClean: () => Promise.resolve(true) });
});

const setUp = () => {
  const inner = createMemoryBlobStorage();
  const storage = withPins(inner);
  const keep = async (text: string) => (await storage.receive(chunksOf(text), { maxBytes: 1000 })).keep();
  return { inner, storage, keep };
};

describe('a pinned blob', () => {
  it('is read through the storage after its removal, until the last pin that saw it goes', async () => {
    const { inner, storage, keep } = setUp();
    const blob = await keep('seen');
    const [first, second] = [storage.pin(), storage.pin()];
    await storage.remove(blob.key);
    expect(await bytesOf(await storage.open(blob))).toBe('seen');
    await first();
    expect(await inner.keys()).toEqual([blob.key]);
    await second();
    expect(await inner.keys()).toEqual([]);
  });

  it('is not kept by a pin that came after its removal, nor by one that was there before it', async () => {
    const { inner, storage, keep } = setUp();
    const before = await keep('before');
    storage.pin();
    const after = await keep('after');
    await storage.remove(after.key);
    expect(await inner.keys()).toEqual([before.key]);
    const { storage: other, inner: otherInner, keep: keepOther } = setUp();
    const gone = await keepOther('gone');
    await other.remove(gone.key);
    other.pin();
    expect(await otherInner.keys()).toEqual([]);
  });

  it('stays for good when records name it again before the pin goes', async () => {
    const { inner, storage, keep } = setUp();
    const blob = await keep('again');
    const release = storage.pin();
    await storage.remove(blob.key);
    storage.cancelRemovals([blob.key]);
    await release();
    await release();
    expect(await inner.keys()).toEqual([blob.key]);
    await storage.remove(blob.key);
    expect(await inner.keys()).toEqual([]);
  });
});
