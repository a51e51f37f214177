/** The storage of bytes in a directory. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskFiles, type Files } from '../../src/basics/disk/files.ts';
import type { ReceivedBlob } from '../../src/core/model/blob-storage.ts';
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
      const files: Files = {
        ...disk,
        create: async (path) => ({ ...(await disk.create(path)), sync: fail }),
        createNew: async (path) => ({ ...(await disk.createNew(path)), sync: fail }),
      };
      const storage = await openDiskBlobStorage({
        directory: directory.path,
        durability: 'os',
        newName: randomUUID,
        files,
      });
      const large = Array.from({ length: 5 }, () => 'x'.repeat(65_536));
      await expect(storage.receive(chunksOf(...large), { maxBytes: 1_000_000 })).rejects.toMatchObject({ status });
      const small = await storage.receive(chunksOf('x'), { maxBytes: 10 });
      await expect(small.keep()).rejects.toMatchObject({ status });
      expect([await storage.keys(), await readdir(join(directory.path, 'temporary'))]).toEqual([[], []]);
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
      for (const size of [5, 600_000]) {
        const received = await storage.receive(chunksOf('x'.repeat(size)), { maxBytes: size });
        if (files.rename === fail && size === 5) await received.discard();
        else await expect(received.keep()).rejects.toMatchObject({ status: 503 });
        expect([await storage.keys(), await readdir(join(directory.path, 'temporary'))]).toEqual([[], []]);
      }
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

describe('small bodies that arrive together', () => {
  it('get into one folder, and each name is durable before it is given', async () => {
    const disk = diskFiles('os');
    const created = new Map<string, number>();
    const syncs: { folder: string; began: number; ended: number }[] = [];
    let time = 0;
    const files: Files = {
      ...disk,
      createNew: async (path) => {
        const file = await disk.createNew(path);
        created.set(path, (time += 1));
        return file;
      },
      syncDirectory: async (folder) => {
        const began = (time += 1);
        await new Promise((resolve) => setTimeout(resolve, 5));
        syncs.push({ folder, began, ended: (time += 1) });
      },
    };
    const storage = await openDiskBlobStorage({
      ...{ directory: directory.path, durability: 'os', newName: randomUUID, files },
    });
    const kept = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const { key } = await (await storage.receive(chunksOf(`body ${at}`), { maxBytes: 10 })).keep();
        return { path: join(directory.path, key), at: (time += 1) };
      }),
    );
    for (const { path, at } of kept) {
      const since = created.get(path) ?? Infinity;
      const isDurable = syncs.some(
        ({ folder, began, ended }) => folder === dirname(path) && began > since && ended < at,
      );
      expect([path, isDurable]).toEqual([path, true]);
    }
    expect(new Set(kept.map(({ path }) => dirname(path))).size).toBe(1);
    expect(syncs.length).toBeLessThan(50);
  });

  it('never make a folder whose own entry could be lost', async () => {
    const disk = diskFiles('os');
    const events: string[] = [];
    const files: Files = {
      ...disk,
      makeDirectory: async (path) => {
        await disk.makeDirectory(path);
        events.push(`made ${path}`);
      },
      syncDirectory: async (path) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        events.push(`synced ${path}`);
      },
      createNew: (path) => {
        events.push(`created in ${dirname(path)}`);
        return disk.createNew(path);
      },
    };
    const storage = await openDiskBlobStorage({
      ...{ directory: directory.path, durability: 'os', newName: randomUUID, files },
    });
    events.length = 0;
    await Promise.all(
      [0, 1, 2].map(async (at) => (await storage.receive(chunksOf(`body ${at}`), { maxBytes: 10 })).keep()),
    );
    const folder = events[0]?.slice('made '.length) ?? '';
    expect(events.slice(0, 5)).toEqual([
      `made ${folder}`,
      `synced ${directory.path}`,
      ...Array.from({ length: 3 }, () => `created in ${folder}`),
    ]);
  });

  it('are made anew when somebody has removed their folder', async () => {
    const storage = await openHere(() => 'abcdef00-0000-4000-8000-000000000001');
    const receive = async () => (await storage.receive(chunksOf('bytes'), { maxBytes: 10 })).keep();
    await receive();
    await rm(join(directory.path, 'ab'), { recursive: true });
    expect(await bytesOf(await storage.open(await receive()))).toBe('bytes');
  });

  it('wait for their names in 16 MiB of memory; the next ones, and bodies in many chunks, in files', async () => {
    const disk = diskFiles('os');
    let temporaryFiles = 0;
    const create = (path: string) => {
      temporaryFiles += 1;
      return disk.create(path);
    };
    const storage = await openDiskBlobStorage({
      ...{ directory: directory.path, durability: 'os', newName: randomUUID, files: { ...disk, create } },
    });
    const receive = (...chunks: string[]) => storage.receive(chunksOf(...chunks), { maxBytes: 1_000_000 });
    const text = (at: number): string => `${at}`.padEnd(256 * 1024, '.');
    const received: ReceivedBlob[] = [];
    for (let at = 0; at < 66; at += 1) received.push(await receive(text(at)));
    expect(temporaryFiles).toBe(2);
    await received[0]?.discard();
    const kept = await Promise.all(received.slice(1).map((each) => each.keep()));
    expect((await storage.keys()).length).toBe(65);
    for (const at of [0, 63, 64]) {
      const blob = kept[at];
      expect(blob && (await bytesOf(await storage.open(blob)))).toBe(text(at + 1));
    }
    expect(await readdir(join(directory.path, 'temporary'))).toEqual([]);
    const many = await (await receive(...Array.from({ length: 65 }, (_, at) => `${at},`))).keep();
    expect([temporaryFiles, await bytesOf(await storage.open(many))]).toEqual([
      3,
      Array.from({ length: 65 }, (_, at) => `${at},`).join(''),
    ]);
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
    for (let time = 0; time < 20; time++) await (await storage.open(blob))?.cancel();
    await until(async () => (await open()) <= before, 'the files are closed');
  });
});
