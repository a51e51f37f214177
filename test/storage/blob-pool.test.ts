/** Storages that share one place for their bytes, and one limit. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import {
  type BlobPool,
  createBlobPool,
  type PooledBlobStorage,
  openDiskBlobStorage,
  createMemoryBlobStorage,
} from '../../src/storage/storage.ts';
import { bytesOf, chunksOf, describeBlobStorage, storeText, takeAway } from './blob-storage.suite.ts';
import { temporaryDirectory } from './records.ts';
import type { BlobStorage } from '../../src/openapi/openapi-records.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(() => directory.remove());

const stores: [string, () => Promise<BlobStorage>][] = [
  ['in memory', () => Promise.resolve(createMemoryBlobStorage())],
  ['on disk', () => openDiskBlobStorage({ directory: join(directory.path, 'pool'), durability: 'os' })],
];

const withResolvers = <T>() => {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve };
};

describe.each(stores)('a pool %s', (where, openStore) => {
  let store: BlobStorage;
  let pool: BlobPool;
  let first: PooledBlobStorage;
  let second: PooledBlobStorage;
  beforeEach(async () => {
    store = await openStore();
    pool = createBlobPool({ storage: store, maxBytes: 10 });
    [first, second] = [pool.openStorage(), pool.openStorage()];
  });
  const receive = (storage: BlobStorage, text: string) => storage.receive(chunksOf(text), { maxBytes: 1_000 });
  const full = { status: 507 };

  describeBlobStorage(`a storage in a pool ${where}`, async () => {
    const storage = createBlobPool({ storage: await openStore(), maxBytes: 2_000_000 }).openStorage();
    return { storage, isClean: () => Promise.resolve(true) };
  });

  it('refuses with 507 in one storage what another one has taken, until that gives it up or is closed', async () => {
    const blob = await storeText(first, '123456');
    await expect(receive(second, '12345')).rejects.toMatchObject(full);
    await expect(second.receive(chunksOf(), { maxBytes: 100, expectedBytes: 5 })).rejects.toMatchObject(full);
    await takeAway(first, blob.key);
    await storeText(second, '1234567890');
    await expect(receive(first, '1')).rejects.toMatchObject(full);
    second.close();
    await storeText(first, '0987654321');
    expect(await store.keys()).toHaveLength(1);
  });

  it('leaves the source of a body alive that it refuses with 507', async () => {
    let isEnded = false;
    const source = (async function* () {
      try {
        yield* chunksOf('123456', '789012');
      } finally {
        isEnded = true;
      }
    })();
    await expect(first.receive(source, { maxBytes: 100 })).rejects.toMatchObject(full);
    expect(isEnded).toBe(false);
  });

  it('gives the room of a body back that is discarded, too large, or broken off', async () => {
    const received = await receive(first, '12345');
    await expect(first.receive(chunksOf('1234', '56'), { maxBytes: 5 })).rejects.toMatchObject({ status: 413 });
    const broken = (async function* () {
      yield* chunksOf('1234');
      throw new Error('gone');
    })();
    await expect(first.receive(broken, { maxBytes: 5 })).rejects.toThrow('gone');
    await received.discard();
    const kept = await receive(first, '1234567890');
    await kept.keep();
    await kept.discard();
    expect(await store.keys()).toEqual([]);
    await storeText(second, '1234567890');
  });

  it('reserves nothing for a chunk that comes after the upload was given up', async () => {
    const controller = new AbortController();
    const { promise: late, resolve: send } = withResolvers<Uint8Array>();
    const source = (async function* () {
      yield await late;
    })();
    const receiving = first.receive(source, { maxBytes: 100, signal: controller.signal });
    setTimeout(() => controller.abort(new Error('stopped')), 10);
    await expect(receiving).rejects.toThrow('stopped');
    send(Buffer.from('12345'));
    await late;
    await storeText(second, '1234567890');
  });

  it('has equal bytes once, until no storage has them', async () => {
    const blob = await storeText(first, '1234567');
    // They have to arrive before it is known that they are there.
    await expect(receive(second, '1234567')).rejects.toMatchObject(full);
    const found = await second.find?.(blob);
    expect(await found?.keep()).toEqual(blob);
    found?.settle();
    first.close();
    await pool.swept();
    expect(await bytesOf(await second.open(blob))).toBe('1234567');
    expect(await first.open(blob)).toBeUndefined();
    second.close();
    await pool.swept();
    expect([await store.keys(), await first.find?.(blob)]).toEqual([[], undefined]);
    await storeText(pool.openStorage(), '1234567890');
  });

  it('keeps what is brought again while it is removed', async () => {
    const blob = await storeText(first, '12345');
    for (let round = 0; round < 20; round += 1) {
      const [from, to] = round % 2 === 0 ? [first, second] : [second, first];
      const received = await receive(to, '12345');
      const [, again] = await Promise.all([takeAway(from, blob.key), received.keep()]);
      received.settle();
      expect(await bytesOf(await to.open(again))).toBe('12345');
      await takeAway(from, blob.key);
      expect(await store.keys()).toEqual([blob.key]);
    }
    await receive(first, '67890');
    await expect(receive(first, '1')).rejects.toMatchObject(full);
  });

  it('lets what an upload has stored go with a storage that was closed meanwhile', async () => {
    const [kept, arrived] = [await receive(first, '123'), await receive(first, '456')];
    await kept.keep();
    first.close();
    kept.settle();
    await arrived.keep();
    arrived.settle();
    await pool.swept();
    expect(await store.keys()).toEqual([]);
    await storeText(second, '1234567890');
  });

  it('makes room in all open storages before it refuses, and says in a probe that there is little', async () => {
    let calls = 0;
    const cleaned: PooledBlobStorage = pool.openStorage({
      makeRoom: () => clean(),
    });
    const closed = pool.openStorage({ makeRoom: async () => void (calls += 1) });
    const clean = async (): Promise<void> => {
      await takeAway(cleaned, old.key);
    };
    const old = await storeText(cleaned, '1234567890');
    closed.close();
    await storeText(first, '123456789');
    expect([calls, await cleaned.open(old)]).toEqual([0, undefined]);
    await first.probe?.();
    await storeText(second, '0');
    await expect(first.probe?.()).rejects.toMatchObject(full);
  });

  it('reads a base, and neither changes nor counts it', async () => {
    const base = createMemoryBlobStorage();
    const inBase = await storeText(base, 'more than ten bytes');
    const fork = pool.openStorage({ base });
    const own = await storeText(fork, 'own');
    expect(await bytesOf(await fork.open(inBase))).toBe('more than ten bytes');
    expect([await fork.keys(), fork.ownBlobs()]).toEqual([[inBase.key, own.key].sort(), [own]]);
    await takeAway(fork, inBase.key, own.key);
    expect([await fork.open(own), await bytesOf(await fork.open(inBase))]).toEqual([undefined, 'more than ten bytes']);
    fork.close();
    expect([await base.keys(), await bytesOf(await base.open(inBase))]).toEqual([[inBase.key], 'more than ten bytes']);
  });
});
