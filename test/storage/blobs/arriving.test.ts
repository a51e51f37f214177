/** How bytes arrive: the free-space floor, the upload queue, writing behind. */
import { describe, expect, it } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openDiskBlobStorage, createMemoryBlobStorage, withUploadQueue } from '../../../src/storage/storage.ts';
import { requireSpaceIn } from '../../../src/storage/blobs/disk-blob-storage.ts';
import type { OpenFile } from '../../../src/basics/disk/files.ts';
import { createSemaphore } from '../../../src/basics/semaphore.ts';
import { createWriteBehind } from '../../../src/storage/blobs/receive-blob.ts';
import { chunksOf } from '../blob-storage.suite.ts';
import { temporaryDirectory } from '../records.ts';

describe('The free-space floor', () => {
  it('U41 refuses before the first byte, and in the middle, with 507, and leaves nothing', async () => {
    const directory = await temporaryDirectory();
    try {
      let free = 1000;
      const measureFree = () => Promise.resolve(free);
      const place = { directory: directory.path, durability: 'os' } as const;
      const storage = await openDiskBlobStorage({ ...place, freeBytes: 500, measureFree });
      const receive = (expectedBytes?: number) =>
        storage.receive(chunksOf('12345'), { maxBytes: 100_000_000, expectedBytes });
      await expect(receive(501)).rejects.toMatchObject({ status: 507 });
      await (await receive(500)).discard();
      const large = async function* (): AsyncGenerator<Uint8Array> {
        for (let piece = 0; piece < 40; piece += 1) {
          if (piece === 10) free = 400;
          yield await Promise.resolve(Buffer.alloc(1024 * 1024));
        }
      };
      await expect(storage.receive(large(), { maxBytes: 100_000_000 })).rejects.toMatchObject({ status: 507 });
      expect(await readdir(join(directory.path, 'temporary'))).toEqual([]);
    } finally {
      await directory.remove();
    }
  });
});

describe('The measured space', () => {
  const measured = (free: number) => {
    const state = { free, measurements: 0, now: 0 };
    const freeBytes = () => {
      state.measurements += 1;
      return Promise.resolve(state.free);
    };
    return { state, require: requireSpaceIn({ floorBytes: 500, freeBytes }, 'anywhere', { now: () => state.now }) };
  };

  it('counts a tenth of a second for small bodies where there is plenty, and never for large ones', async () => {
    const { state, require } = measured(10 * 1024 ** 3);
    for (let upload = 0; upload < 5; upload += 1) await require(1000);
    expect(state.measurements).toBe(1);
    await require(1024 * 1024);
    expect(state.measurements).toBe(2);
    Object.assign(state, { now: 101, free: 1499 });
    await expect(require(1000)).rejects.toMatchObject({ status: 507 });
  });

  it('is asked for each body where there is little', async () => {
    const { state, require } = measured(1024 ** 3);
    for (let upload = 0; upload < 5; upload += 1) await require(1000);
    expect(state.measurements).toBe(5);
    state.free = 1499;
    await expect(require(1000)).rejects.toMatchObject({ status: 507 });
    await require(999);
  });
});

describe('The upload queue', () => {
  it('lets so many uploads arrive at once, then the next in order, also after one that fails', async () => {
    const storage = withUploadQueue(createMemoryBlobStorage(), createSemaphore(2));
    const began: number[] = [];
    const ends: (() => void)[] = [];
    const held = (number: number) =>
      async function* (): AsyncGenerator<Uint8Array> {
        began.push(number);
        await new Promise<void>((resolve) => (ends[number] = resolve));
        if (number === 0) throw new Error('failed');
        yield Buffer.from('x');
      };
    const tick = () => new Promise((resolve) => setTimeout(resolve, 5));
    const all = [0, 1, 2, 3].map((number) => storage.receive(held(number)(), { maxBytes: 10 }));
    all[0]?.catch(() => undefined);
    await tick();
    expect(began).toEqual([0, 1]);
    ends[0]?.();
    await tick();
    expect(began).toEqual([0, 1, 2]);
    for (const number of [1, 2]) ends[number]?.();
    await tick();
    ends[3]?.();
    expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual([
      ...['rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
    ]);
  });
});

describe('Writing behind', () => {
  /** A file in memory whose writes take a moment. */
  const memoryFile = (failAt = Infinity) => {
    const writes: { at: number; bytes: Buffer }[] = [];
    const file: OpenFile = {
      write: async (bytes, at) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        if (at >= failAt) throw new Error('the disk failed');
        writes.push({ at, bytes: Buffer.from(bytes) });
      },
      writeAll: () => Promise.reject(new Error('not used')),
      sync: () => Promise.resolve(),
      truncate: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    return { file, writes };
  };

  it('writes what was appended, in order and without a gap, whatever the sizes', async () => {
    const { file, writes } = memoryFile();
    const writer = createWriteBehind(file);
    const parts = [1, 300_000, 65_536, 262_144, 7, 0, 600_000].map((size, number) => Buffer.alloc(size, number + 1));
    for (const part of parts) await writer.append(part);
    await writer.flush();
    expect(Buffer.concat(writes.map(({ bytes }) => bytes)).equals(Buffer.concat(parts))).toBe(true);
    let end = 0;
    for (const { at, bytes } of writes) {
      expect(at).toBe(end);
      end += bytes.byteLength;
    }
  });

  it('rejects the next append or flush after a failed write', async () => {
    const { file } = memoryFile(0);
    const writer = createWriteBehind(file);
    await writer.append(Buffer.alloc(262_144));
    await expect(writer.flush()).rejects.toThrow('the disk failed');
    const other = createWriteBehind(memoryFile(0).file);
    await expect(other.append(Buffer.alloc(1_000_000))).rejects.toThrow('the disk failed');
  });
});
