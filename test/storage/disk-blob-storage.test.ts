/** The storage of bytes in a directory. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFiles } from '../../src/storage/files.ts';
import { openDiskBlobStorage } from '../../src/storage/blobs/disk-blob-storage.ts';
import { until } from '../support/until.ts';
import { bytesOf, chunksOf, describeBlobStorage } from './blob-storage.suite.ts';
import { temporaryDirectory } from './records.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(() => directory.remove());

const openHere = (newName: () => string = randomUUID) =>
  openDiskBlobStorage({ directory: directory.path, durability: 'full', newName });

describeBlobStorage('disk', async () => ({
  storage: await openHere(),
  isClean: async () => (await readdir(join(directory.path, 'temporary'))).length === 0,
}));

describe('a disk blob storage', () => {
  it('keeps files private and finds them after another start, and sweeps what a dead process left', async () => {
    const storage = await openHere();
    const blob = await (await storage.receive(chunksOf('bytes'), { maxBytes: 10 })).keep();
    expect((await stat(join(directory.path, blob.key))).mode & 0o777).toBe(0o600);
    await writeFile(join(directory.path, 'temporary', 'left'), 'half');
    const again = await openHere();
    expect(await readdir(join(directory.path, 'temporary'))).toEqual([]);
    expect(await bytesOf(await again.open(blob))).toBe('bytes');
  });

  it('never overwrites a blob when a fixed seed gives the same names again', async () => {
    const seeded = (): (() => string) => {
      let next = 0;
      return () => `00000000-0000-4000-8000-${String(next++ % 50).padStart(12, '0')}`;
    };
    const receive = async (text: string) =>
      (await (await openHere(seeded())).receive(chunksOf(text), { maxBytes: 10 })).keep();
    const first = await receive('first');
    const second = await receive('second');
    const storage = await openHere(seeded());
    expect([await bytesOf(await storage.open(first)), await bytesOf(await storage.open(second))]).toEqual([
      'first',
      'second',
    ]);
  });

  it('does not list or open foreign files, directories, symlinks and FIFOs, and does not hang on one', async () => {
    const storage = await openHere();
    const shard = join(directory.path, 'ab');
    const name = (end: string): string => `ab${'0'.repeat(29)}${end}`;
    await mkdir(join(shard, name('1')), { recursive: true });
    await symlink('/etc/passwd', join(shard, name('2')));
    execFileSync('mkfifo', [join(shard, name('3'))]);
    await writeFile(join(shard, 'foreign.txt'), 'x');
    expect(await storage.keys()).toEqual([]);
    const { size: passwd } = await stat('/etc/passwd');
    for (const [end, size] of [
      ['1', 4096],
      ['2', passwd],
      ['3', 0],
    ] as const) {
      expect(await storage.open({ key: `ab/${name(end)}`, size, sha256: '' })).toBeUndefined();
    }
  });

  it('answers undefined for a blob that became longer, shorter or was taken away', async () => {
    const storage = await openHere();
    const blob = await (await storage.receive(chunksOf('bytes'), { maxBytes: 10 })).keep();
    for (const content of ['byte', 'bytes!']) {
      await writeFile(join(directory.path, blob.key), content);
      expect(await storage.open(blob)).toBeUndefined();
    }
  });

  it('answers 507 on a full disk and 503 on another failure, and leaves nothing', async () => {
    const disk = diskFiles('os');
    for (const [code, status] of [
      ['ENOSPC', 507],
      ['EIO', 503],
    ] as const) {
      const fail = () => Promise.reject(Object.assign(new Error(code), { code }));
      const files = { ...disk, create: async (path: string) => ({ ...(await disk.create(path)), sync: fail }) };
      const storage = await openDiskBlobStorage({
        directory: directory.path,
        durability: 'os',
        newName: randomUUID,
        files,
      });
      await expect(storage.receive(chunksOf('x'), { maxBytes: 10 })).rejects.toMatchObject({ status });
      expect(await readdir(join(directory.path, 'temporary'))).toEqual([]);
    }
  });

  it('leaves nothing of an upload whose rename or whose directory sync fails', async () => {
    const disk = diskFiles('os');
    const fail = () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
    for (const files of [
      { ...disk, rename: fail },
      { ...disk, syncDirectory: (path: string) => (/\/[0-9a-f]{2}$/.test(path) ? fail() : Promise.resolve()) },
    ]) {
      const storage = await openDiskBlobStorage({
        ...{ directory: directory.path, durability: 'os', newName: randomUUID, files },
      });
      const received = await storage.receive(chunksOf('bytes'), { maxBytes: 10 });
      await expect(received.keep()).rejects.toMatchObject({ status: 503 });
      expect([await storage.keys(), await readdir(join(directory.path, 'temporary'))]).toEqual([[], []]);
    }
  });

  it('answers 507 when there is no room for a new directory', async () => {
    const files = {
      ...diskFiles('os'),
      makeDirectory: (path: string) =>
        /\/[0-9a-f]{2}$/.test(path)
          ? Promise.reject(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }))
          : diskFiles('os').makeDirectory(path),
    };
    const storage = await openDiskBlobStorage({
      ...{ directory: directory.path, durability: 'os', newName: randomUUID, files },
    });
    const received = await storage.receive(chunksOf('x'), { maxBytes: 10 });
    await expect(received.keep()).rejects.toMatchObject({ status: 507 });
  });
});

describe('bytes that were changed on the disk', () => {
  const flip = async (path: string): Promise<void> => {
    const bytes = await readFile(path);
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    await writeFile(path, bytes);
  };
  const openWatched = async () => {
    const damaged: string[] = [];
    const storage = await openDiskBlobStorage({
      ...{ directory: directory.path, durability: 'os', newName: randomUUID, onDamage: ({ key }) => damaged.push(key) },
    });
    return { storage, damaged };
  };

  it.each([5, 600_000])(
    '%s bytes: their stream breaks before its end, once, and then they are missing',
    async (size) => {
      const { storage, damaged } = await openWatched();
      const blob = await (await storage.receive(chunksOf('x'.repeat(size)), { maxBytes: size })).keep();
      expect((await bytesOf(await storage.open(blob)))?.length).toBe(size);
      await flip(join(directory.path, blob.key));
      let arrived = 0;
      const reading = async (): Promise<void> => {
        for await (const chunk of (await storage.open(blob)) ?? []) arrived += (chunk as Buffer).length;
      };
      await expect(reading()).rejects.toMatchObject({ code: 'ATOLL_BYTES_CHANGED' });
      expect([arrived < size, damaged]).toEqual([true, [blob.key]]);
      expect([await storage.open(blob), await storage.open(blob, { start: 0, end: 1 })]).toEqual([
        undefined,
        undefined,
      ]);
      await flip(join(directory.path, blob.key));
      expect((await bytesOf(await storage.open(blob)))?.length).toBe(size);
    },
  );

  it('leaves no file open when nobody reads the stream', async () => {
    const { storage } = await openWatched();
    const blob = await (await storage.receive(chunksOf('x'.repeat(600_000)), { maxBytes: 600_000 })).keep();
    const open = async (): Promise<number> => (await readdir('/proc/self/fd')).length;
    const before = await open();
    for (let time = 0; time < 20; time++) (await storage.open(blob))?.destroy();
    await until(async () => (await open()) <= before, 'the files are closed');
  });
});
