/** Bytes as files under opaque names. Which record owns which blob is not known here. */
import { constants } from 'node:fs';
import { lstat, open as openHandle, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { BlobReference } from '../../model/entity.ts';
import type { BlobStorage, ByteRange, ReceivedBlob, ReceiveOptions } from '../../model/blob-storage.ts';
import { diskFiles, errorCode } from '../files.ts';
import type { Durability, Files } from '../files.ts';
import { requireSpace, type FreeSpace } from './free-space.ts';
import { takeIn } from './intake.ts';
import { createWriteBehind } from './write-behind.ts';
import { writeProblem } from '../write-problem.ts';

export type DiskBlobStorageOptions = {
  readonly directory: string;
  readonly durability: Durability;
  /** Gives a new uuid; only its 32 hex digits are used. A name that is taken is asked for again. */
  readonly newName: () => string;
  /** For tests that let the disk fail. */
  readonly files?: Files | undefined;
  /** What uploads must leave free on the disk; nothing when left out. */
  readonly space?: FreeSpace | undefined;
};

/**
 * Opens `<directory>/ab/ab…32 hex digits`, with what arrives in `<directory>/temporary/`. What lies there at the start
 * is from processes that have ended (the data directory is locked) and is removed. Rejects with the system's error.
 */
export const openDiskBlobStorage = async (options: DiskBlobStorageOptions): Promise<BlobStorage> => {
  const { directory } = options;
  const files = options.files ?? diskFiles(options.durability);
  const temporary = join(directory, 'temporary');
  await files.makeDirectory(temporary);
  await files.syncDirectory(directory);
  for (const name of await files.names(temporary)) await files.remove(join(temporary, name));
  const place: Place = { directory, temporary, files, newName: options.newName, space: options.space };

  return {
    receive: (source, receiveOptions) => receive(place, source, receiveOptions),
    open: (blob, range) => openBlob(directory, blob, range),
    remove: async (key) => {
      if (isKey(key)) await files.remove(join(directory, key));
    },
    keys: () => listKeys(directory),
  };
};

/** Reads what lies in a blob directory and changes nothing; one that is not there is empty. */
export const readDiskBlobs = (directory: string): Pick<BlobStorage, 'open' | 'keys'> => ({
  open: (blob, range) => openBlob(directory, blob, range),
  keys: () => listKeys(directory),
});

/** The size of a stored blob in bytes, 0 when there is none. */
export const diskBlobSize = async (directory: string, key: string): Promise<number> => {
  const found = isKey(key) ? await lstat(join(directory, key)).catch(() => undefined) : undefined;
  return found?.size ?? 0;
};

type Place = {
  readonly directory: string;
  readonly temporary: string;
  readonly files: Files;
  readonly newName: () => string;
  readonly space: FreeSpace | undefined;
};

const keyPattern = /^(?<shard>[0-9a-f]{2})\/\k<shard>[0-9a-f]{30}$/;

/** Whatever a record says: only such names are opened or removed. */
const isKey = (key: string): boolean => keyPattern.test(key);

const drawKey = (newName: () => string): string => {
  const name = newName().replaceAll('-', '').toLowerCase();
  const key = `${name.slice(0, 2)}/${name}`;
  if (!isKey(key)) throw new Error('A blob name must be a uuid.');
  return key;
};

/** Turns the system's errors into 507 and 503. */
const orProblem = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw writeProblem(error);
  }
};

const receive = async (
  place: Place,
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<ReceivedBlob> => {
  const { files, space, temporary } = place;
  await requireSpace(space, temporary, options.expectedBytes ?? 0);
  const path = join(temporary, drawKey(place.newName).slice(3));
  const file = await orProblem(files.create(path));
  const writer = createWriteBehind(file, async (position) => {
    if (position % lookEvery === 0) await requireSpace(space, temporary, 0);
  });
  try {
    const intake = await takeIn(source, options, (chunk) => orProblem(writer.append(chunk)));
    await orProblem(writer.flush());
    await orProblem(file.sync());
    await orProblem(file.close());
    let stands = path;
    return {
      ...intake,
      keep: async () => {
        const blob = await orProblem(keep(place, path, intake));
        stands = join(place.directory, blob.key);
        return blob;
      },
      discard: () => files.remove(stands),
    };
  } catch (error) {
    await file.close().catch(() => undefined);
    await files.remove(path);
    throw error;
  }
};

/** How many bytes may arrive between two looks at the free space. */
const lookEvery = 16 * 1024 * 1024;

const keep = async (
  { directory, files, newName }: Place,
  path: string,
  { size, sha256 }: { size: number; sha256: string },
): Promise<BlobReference> => {
  try {
    const key = await claimKey(directory, files, newName);
    await files.rename(path, join(directory, key));
    await files.syncDirectory(join(directory, dirname(key)));
    return { key, size, sha256 };
  } catch (error) {
    await files.remove(path);
    throw error;
  }
};

/**
 * Reserves a free name with an empty file that the blob then replaces: uuids may come from a fixed seed and so come
 * again, and a rename would overwrite another blob.
 */
const claimKey = async (directory: string, files: Files, newName: () => string): Promise<string> => {
  for (;;) {
    const key = drawKey(newName);
    const shard = join(directory, dirname(key));
    try {
      await (await openHandle(join(directory, key), 'wx', 0o600)).close();
      return key;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') {
        await files.makeDirectory(shard);
        await files.syncDirectory(directory);
      } else if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
};

const openBlob = async (
  directory: string,
  blob: BlobReference,
  range: ByteRange | undefined,
): Promise<Readable | undefined> => {
  if (!isKey(blob.key)) return undefined;
  // Never through a symlink, and never waiting for the other end of a FIFO (cases: D30).
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await openHandle(join(directory, blob.key), flags).catch((error: unknown) => {
    if (notABlob.includes(errorCode(error) ?? '')) return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  const stat = await handle.stat();
  if (!stat.isFile() || stat.size !== blob.size) {
    await handle.close();
    return undefined;
  }
  return handle.createReadStream({ ...range, highWaterMark: 256 * 1024 });
};

const notABlob: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EISDIR'];

const listKeys = async (directory: string): Promise<readonly string[]> => {
  const shards = await readdir(directory, { withFileTypes: true }).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const keys = await Promise.all(
    shards
      .filter((shard) => shard.isDirectory())
      .map(async ({ name: shard }) =>
        (await readdir(join(directory, shard), { withFileTypes: true }))
          .filter((entry) => entry.isFile())
          .map((entry) => `${shard}/${entry.name}`),
      ),
  );
  return keys.flat().filter(isKey).sort();
};
