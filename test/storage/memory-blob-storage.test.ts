/** The storage of bytes in memory. */
import { describe, expect, it } from '@jest/globals';
import { createMemoryBlobStorage } from '../../src/storage/storage.ts';
import { bytesOf, chunksOf, describeBlobStorage, storeText, takeAway } from './blob-storage.suite.ts';

describeBlobStorage('memory', () => {
  return Promise.resolve({ storage: createMemoryBlobStorage(), isClean: () => Promise.resolve(true) });
});

const megabyte = 1024 * 1024;

describe('a large blob in memory', () => {
  it('gives its memory back as soon as it is removed, without a collection', async () => {
    const storage = createMemoryBlobStorage();
    const chunks = (async function* () {
      for (let at = 0; at < 64; at += 1) yield await Promise.resolve(Buffer.alloc(megabyte, at));
    })();
    const before = process.memoryUsage.rss();
    const received = await storage.receive(chunks, { maxBytes: 64 * megabyte });
    const { key } = await received.keep();
    received.settle();
    const full = process.memoryUsage.rss();
    await takeAway(storage, key);
    expect([full - before > 40 * megabyte, full - process.memoryUsage.rss() > 40 * megabyte]).toEqual([true, true]);
  });

  it('is read to its end by who has begun, also when it is removed meanwhile', async () => {
    const storage = createMemoryBlobStorage();
    const text = 'x'.repeat(900_000);
    const blob = await storeText(storage, text);
    const [reader, other] = [(await storage.open(blob))?.getReader(), await storage.open(blob)];
    const first = await reader?.read();
    await takeAway(storage, blob.key);
    await other?.cancel();
    let size = first?.value?.byteLength ?? 0;
    for (let next = await reader?.read(); next?.value !== undefined; next = await reader?.read()) {
      expect(next.value.every((byte) => byte === 120)).toBe(true);
      size += next.value.byteLength;
    }
    expect([size, await storage.open(blob)]).toEqual([900_000, undefined]);
  });

  it('is given back in part, also across its pieces, and keeps no buffer of its source', async () => {
    const storage = createMemoryBlobStorage();
    const chunks = Array.from({ length: 50 }, (_, at) => String.fromCharCode(65 + at).repeat(60_000));
    const received = await storage.receive(chunksOf(...chunks), { maxBytes: 10_000_000 });
    const blob = await received.keep();
    const text = chunks.join('');
    for (const range of [
      { start: 0, end: 0 },
      { start: 1_079_999, end: 1_080_000 },
      { start: 900_000, end: 2_400_000 },
      { start: 2_999_999, end: 2_999_999 },
    ]) {
      expect(await bytesOf(await storage.open(blob, range))).toBe(text.slice(range.start, range.end + 1));
    }
    const small = await (await storage.receive(chunksOf('few bytes'), { maxBytes: 100 })).keep();
    const stream = await storage.open(small);
    const { value } = (await stream?.getReader().read()) ?? {};
    expect(value?.buffer.byteLength).toBe(9);
  });
});
