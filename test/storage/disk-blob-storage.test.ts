/** The storage of bytes in a directory. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFiles } from '../../src/storage/files.ts';
import { openDiskBlobStorage } from '../../src/storage/blobs/disk-blob-storage.ts';
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
});
