/** The storage of bytes in IndexedDB: what every storage promises, parts, ends of pages, and a full disk. */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { openDatabase, type Database } from '../../../src/browser/persistence/database.ts';
import { openIndexedDbBlobStorage } from '../../../src/browser/persistence/indexed-db-blob-storage.ts';
import { bytesOf, chunksOf, describeBlobStorage, storeText, takeAway } from '../../storage/blob-storage.suite.ts';
import { refusePuts, testPlatform } from './test-platform.ts';

/** The parts that are stored, those of unfinished uploads among them. */
const storedParts = (database: Database): Promise<number> =>
  database.read(['parts'], (store) => {
    const keys = store('parts').getAllKeys();
    return () => keys.result.length;
  });

/** The same parts as those of the blobs that are kept. */
const isClean = async (database: Database): Promise<boolean> => {
  const kept = await database.read(['blobs'], (store) => {
    const all = store('blobs').getAll();
    return () => all.result as { parts: number }[]; // as the storage wrote them
  });
  return (await storedParts(database)) === kept.reduce((sum, { parts }) => sum + parts, 0);
};

for (const partBytes of [undefined, 4]) {
  describeBlobStorage(`IndexedDB with parts of ${partBytes ?? 'many'} bytes`, async () => {
    const database = await openDatabase('repository', testPlatform());
    const storage = await openIndexedDbBlobStorage(database, { partBytes });
    return { storage, isClean: () => isClean(database) };
  });
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('bytes in IndexedDB', () => {
  it('are there after a reload, in any part, and what was not kept is gone', async () => {
    const platform = testPlatform();
    const first = await openDatabase('repository', platform);
    const storage = await openIndexedDbBlobStorage(first, { partBytes: 4 });
    const blob = await storeText(storage, '0123', '45', '6', '789');
    await storage.receive(chunksOf('not kept'), { maxBytes: 10 });
    expect(await isClean(first)).toBe(false);
    first.close();

    const second = await openDatabase('repository', platform);
    const again = await openIndexedDbBlobStorage(second, { partBytes: 4 });
    expect([await again.keys(), await isClean(second)]).toEqual([[blob.key], true]);
    for (let start = 0; start < 10; start++) {
      for (let end = start; end < 10; end++) {
        expect(await bytesOf(await again.open(blob, { start, end }))).toBe('0123456789'.slice(start, end + 1));
      }
    }
    await takeAway(again, blob.key);
    expect(await storedParts(second)).toBe(0);
    second.close();
  });

  it('are those that arrived, also when the source uses the memory of a chunk again', async () => {
    const database = await openDatabase('repository', testPlatform());
    const storage = await openIndexedDbBlobStorage(database);
    const chunk = Buffer.from('0123');
    async function* source(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(chunk);
      chunk.write('4567');
      yield chunk;
      chunk.fill('x');
    }
    const blob = await (await storage.receive(source(), { maxBytes: 10 })).keep();
    expect(await bytesOf(await storage.open(blob))).toBe('01234567');
    database.close();
  });

  it('can be read to the end when they are removed meanwhile', async () => {
    const database = await openDatabase('repository', testPlatform());
    const storage = await openIndexedDbBlobStorage(database, { partBytes: 4 });
    const blob = await storeText(storage, '0123', '4567');
    const stream = await storage.open(blob);
    await takeAway(storage, blob.key);
    expect(await bytesOf(stream)).toBe('01234567');
    expect(await storage.open(blob)).toBeUndefined();
    database.close();
  });

  it('are refused with 507 without room, in the middle and at keep, and leave nothing', async () => {
    const database = await openDatabase('repository', testPlatform());
    const storage = await openIndexedDbBlobStorage(database, { partBytes: 4 });
    refusePuts((put) => put === 2);
    await expect(storage.receive(chunksOf('0123', '4567'), { maxBytes: 10 })).rejects.toMatchObject({ status: 507 });
    jest.restoreAllMocks();
    const received = await storage.receive(chunksOf('0123', '4567'), { maxBytes: 10 });
    refusePuts((put) => put === 1);
    await expect(received.keep()).rejects.toMatchObject({ status: 507 });
    expect([await storage.keys(), await storedParts(database)]).toEqual([[], 0]);
    database.close();
  });

  it('are refused before the first one when the browser says that there is no room', async () => {
    const estimate = async () => ({ quota: 10_000_000, usage: 8_000_000 });
    const database = await openDatabase('repository', { ...testPlatform(), storage: { estimate } });
    const storage = await openIndexedDbBlobStorage(database);
    const source = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('It was read.')) }) };
    const receiving = storage.receive(source, { maxBytes: 10_000_000, expectedBytes: 3_000_000 });
    await expect(receiving).rejects.toMatchObject({ status: 507 });
    expect((await storage.receive(chunksOf('x'), { maxBytes: 10, expectedBytes: 1_500_000 })).size).toBe(1);
    database.close();
  });
});
