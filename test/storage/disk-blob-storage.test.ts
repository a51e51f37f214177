/** The storage of bytes in a directory. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskFiles, type Files, type OpenFile } from '../../src/basics/disk/files.ts';
import { openDiskBlobStorage } from '../../src/storage/storage.ts';
import { until } from '../support/until.ts';
import { bytesOf, chunksOf, describeBlobStorage, storeText, takeAway } from './blob-storage.suite.ts';
import { temporaryDirectory } from './records.ts';
import type { ReceivedBlob } from '../../src/openapi/openapi-records.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeEach(async () => {
  directory = await temporaryDirectory();
});
afterEach(() => directory.remove());

const openHere = (options = {}) => openDiskBlobStorage({ directory: directory.path, durability: 'full', ...options });

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

  it('keeps equal bytes once, and finds them without receiving them, while they are whole', async () => {
    const storage = await openHere();
    const blob = await storeText(storage, 'equal');
    expect([await storeText(storage, 'equal'), await storage.keys()]).toEqual([blob, [blob.sha256]]);
    const found = await storage.find?.(blob);
    expect(await takeAway(storage, blob.key)).toEqual([]);
    expect(await found?.keep()).toEqual(blob);
    await found?.discard();
    expect(await bytesOf(await storage.open(blob))).toBe('equal');
    await writeFile(join(directory.path, blob.key), 'EQUAL');
    expect(await storage.find?.(blob)).toBeUndefined();
    await storeText(storage, 'equal');
    expect(await bytesOf(await storage.open(blob))).toBe('equal');
    expect(await storage.find?.({ ...blob, size: 6 })).toBeUndefined();
  });

  it('does not write bytes again that it has written, unless their file has changed', async () => {
    const opened: string[] = [];
    const files = diskFiles('full');
    const watched: Files = {
      ...files,
      create: (path) => (opened.push('temporary'), files.create(path)),
      createNew: (path) => (opened.push('new'), files.createNew(path)),
    };
    const storage = await openDiskBlobStorage({ directory: directory.path, durability: 'full', files: watched });
    const blob = await storeText(storage, 'equal');
    expect([await storeText(storage, 'equal'), opened]).toEqual([blob, ['new']]);
    await writeFile(join(directory.path, blob.key), 'EQUAL');
    await storeText(storage, 'equal');
    expect([await bytesOf(await storage.open(blob)), opened]).toEqual(['equal', ['new', 'new', 'temporary']]);
    expect(await takeAway(storage, blob.key)).toEqual([blob.key]);
    expect([await storeText(storage, 'equal'), opened.length]).toEqual([blob, 4]);
  });

  it('draws a name for each body where names are drawn', async () => {
    const storage = await openHere({ drawsNames: true });
    const [one, other] = [await storeText(storage, 'equal'), await storeText(storage, 'equal')];
    expect([one.key === other.key, (await storage.keys()).length, 'find' in storage]).toEqual([false, 2, false]);
    await takeAway(storage, one.key);
    expect(await bytesOf(await storage.open(other))).toBe('equal');
  });

  it('removes at a start only the temporary files that are old enough', async () => {
    await openHere();
    const [young, old] = ['young', 'old'].map((name) => join(directory.path, 'temporary', name));
    for (const path of [young, old]) await writeFile(path ?? '', 'half');
    const anHourAgo = Date.now() / 1000 - 3600;
    await utimes(old ?? '', anHourAgo, anHourAgo);
    await openHere({ abandonedMs: 1_800_000 });
    expect(await readdir(join(directory.path, 'temporary'))).toEqual(['young']);
  });

  it('lists, opens and sweeps what versions before it have stored under drawn names', async () => {
    const key = `ab/ab${'0'.repeat(30)}`;
    await mkdir(join(directory.path, 'ab'));
    await writeFile(join(directory.path, key), 'old');
    const storage = await openHere();
    const blob = { key, size: 3, sha256: createHash('sha256').update('old').digest('hex') };
    expect([await storage.keys(), await bytesOf(await storage.open(blob))]).toEqual([[key], 'old']);
    expect([await takeAway(storage, key), await storage.keys()]).toEqual([[key], []]);
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
        files,
      });
      const large = Array.from({ length: 5 }, () => 'x'.repeat(65_536));
      await expect(storage.receive(chunksOf(...large), { maxBytes: 1_000_000 })).rejects.toMatchObject({ status });
      const small = await storage.receive(chunksOf('x'), { maxBytes: 10 });
      await expect(small.keep()).rejects.toMatchObject({ status });
      expect([await storage.keys(), await readdir(join(directory.path, 'temporary'))]).toEqual([[], []]);
    }
  });

  it('leaves nothing of an upload whose creation, writing, rename or directory sync fails', async () => {
    const disk = diskFiles('os');
    const fail = () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
    let isFailing = false;
    const broken = async (path: string) => ({ ...(await disk.createNew(path)), writeAll: fail });
    for (const { sizes, files } of [
      { sizes: [5], files: { ...disk, createNew: fail } },
      { sizes: [5], files: { ...disk, createNew: broken } },
      { sizes: [600_000], files: { ...disk, rename: fail } },
      { sizes: [5, 600_000], files: { ...disk, syncDirectory: () => (isFailing ? fail() : Promise.resolve()) } },
    ]) {
      isFailing = false;
      const storage = await openDiskBlobStorage({ directory: directory.path, durability: 'os', files });
      isFailing = true;
      for (const size of sizes) {
        const received = await storage.receive(chunksOf('x'.repeat(size)), { maxBytes: size });
        await expect(received.keep()).rejects.toMatchObject({ status: 503 });
        await received.discard();
        expect([await storage.keys(), await readdir(join(directory.path, 'temporary'))]).toEqual([[], []]);
      }
    }
  });

  const [large, small] = ['x'.repeat(600_000), 'x'.repeat(5)];
  it.each([
    { what: 'a large body', bytes: large, before: '', wanted: ['synced the bytes', 'renamed', 'synced the names'] },
    { what: 'a small body', bytes: small, before: '', wanted: ['created', 'synced the bytes', 'synced the names'] },
    {
      what: 'a small body whose name is taken',
      bytes: small,
      before: 'rot',
      wanted: ['synced the bytes', 'renamed', 'synced the names'],
    },
  ])(
    '$what: bytes and name are durable when it is kept, and a name that was there never leads to less',
    async (row) => {
      const disk = diskFiles('os');
      const events: string[] = [];
      const noted = (file: OpenFile): OpenFile => ({
        ...file,
        sync: async () => file.sync().then(() => void events.push('synced the bytes')),
      });
      const files: Files = {
        ...disk,
        create: async (path) => noted(await disk.create(path)),
        createNew: async (path) => {
          const file = await disk.createNew(path);
          events.push('created');
          return noted(file);
        },
        rename: async (from, to) => disk.rename(from, to).then(() => void events.push('renamed')),
        syncDirectory: async (path) => {
          expect(path).toBe(directory.path);
          await new Promise((resolve) => setTimeout(resolve, 5));
          events.push('synced the names');
        },
      };
      const storage = await openDiskBlobStorage({ directory: directory.path, durability: 'os', files });
      const key = createHash('sha256').update(row.bytes).digest('hex');
      if (row.before !== '') await writeFile(join(directory.path, key), row.before);
      events.length = 0;
      expect((await (await storage.receive(chunksOf(row.bytes), { maxBytes: 600_000 })).keep()).key).toBe(key);
      expect(events).toEqual(row.wanted);
      expect(await readFile(join(directory.path, key), 'utf8')).toBe(row.bytes);
    },
  );
});

describe('small bodies that arrive together', () => {
  it('share the syncs of their directory, and each name is durable before it is given', async () => {
    const disk = diskFiles('os');
    const named = new Map<string, number>();
    const syncs: { began: number; ended: number }[] = [];
    let time = 0;
    const files: Files = {
      ...disk,
      createNew: async (path) => {
        const file = await disk.createNew(path);
        named.set(path, (time += 1));
        return file;
      },
      syncDirectory: async () => {
        const began = (time += 1);
        await new Promise((resolve) => setTimeout(resolve, 5));
        syncs.push({ began, ended: (time += 1) });
      },
    };
    const storage = await openDiskBlobStorage({ directory: directory.path, durability: 'os', files });
    const kept = await Promise.all(
      Array.from({ length: 50 }, async (_, at) => {
        const { key } = await (await storage.receive(chunksOf(`body ${at}`), { maxBytes: 10 })).keep();
        return { path: join(directory.path, key), at: (time += 1) };
      }),
    );
    for (const { path, at } of kept) {
      const since = named.get(path) ?? Infinity;
      expect([path, syncs.some(({ began, ended }) => began > since && ended < at)]).toEqual([path, true]);
    }
    expect(syncs.length).toBeLessThan(50);
  });

  it('wait for their names in 16 MiB of memory; the next ones, and bodies in many chunks, in files', async () => {
    const disk = diskFiles('os');
    let temporaryFiles = 0;
    const create = (path: string) => {
      temporaryFiles += 1;
      return disk.create(path);
    };
    const storage = await openDiskBlobStorage({
      ...{ directory: directory.path, durability: 'os', files: { ...disk, create } },
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
    const before = temporaryFiles;
    const many = await receive(...Array.from({ length: 65 }, (_, at) => `${at},`));
    expect(temporaryFiles).toBe(before + 1);
    expect(await bytesOf(await storage.open(await many.keep()))).toBe(
      Array.from({ length: 65 }, (_, at) => `${at},`).join(''),
    );
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
      ...{ directory: directory.path, durability: 'os', onDamage: ({ key }) => damaged.push(key) },
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

  it('are never read in part, also when no one has read the whole before', async () => {
    const { storage, damaged } = await openWatched();
    const size = 300_000;
    const blob = await (await storage.receive(chunksOf('x'.repeat(size)), { maxBytes: size })).keep();
    await flip(join(directory.path, blob.key));
    const again = await openWatched();
    const parts = await Promise.all([0, 1, 2].map((start) => again.storage.open(blob, { start, end: size - 1 })));
    expect([parts, again.damaged, damaged]).toEqual([[undefined, undefined, undefined], [blob.key], []]);
    await flip(join(directory.path, blob.key));
    expect((await bytesOf(await again.storage.open(blob, { start: 7, end: 9 })))?.toString()).toBe('xxx');
  });

  it('leaves no file open when nobody reads the stream', async () => {
    const { storage } = await openWatched();
    const blob = await (await storage.receive(chunksOf('x'.repeat(600_000)), { maxBytes: 600_000 })).keep();
    const open = async (): Promise<number> => (await readdir('/proc/self/fd')).length;
    const before = await open();
    for (let time = 0; time < 20; time++) await (await storage.open(blob))?.cancel();
    await until(async () => (await open()) <= before, 'the files are closed');
  });
});
