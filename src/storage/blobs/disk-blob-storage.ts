/** A blob storage that keeps each blob as a file under an opaque name. */
import { constants } from 'node:fs';
import { lstat, open as openHandle, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { BlobReference } from '../../model/entity.ts';
import type { BlobStorage, ByteRange, ReceivedBlob, ReceiveOptions } from '../../model/blob-storage.ts';
import { diskFiles, errorCode, ifThere, type Durability, type Files } from '../files.ts';
import { requireSpace, type FreeSpace } from './free-space.ts';
import { receiveBody } from './receive-body.ts';
import { createVerifiedBlobs, type VerifiedBlobs } from './verified-blobs.ts';
import { createWriteBehind } from './write-behind.ts';
import { writeProblem } from '../write-problem.ts';

export type DiskBlobStorageOptions = {
  readonly directory: string;
  readonly durability: Durability;
  /** Returns a new uuid; its 32 hex digits become the name. Called again when the name is taken. */
  readonly newName: () => string;
  /** Tests pass files that fail. */
  readonly files?: Files | undefined;
  /** The space that uploads must leave free; no limit when left out. */
  readonly space?: FreeSpace | undefined;
  /** Called when the bytes of a blob turn out not to be the stored ones. */
  readonly onDamage?: ((blob: BlobReference) => void) | undefined;
  /** Called after a failed write. Rejects with the reason when the whole data directory is lost. */
  readonly requireHeld?: (() => Promise<void>) | undefined;
  /** Other processes use the directory at the same time: temporary files may be theirs. */
  readonly isShared?: boolean | undefined;
};

/**
 * Opens a storage with blobs at `<directory>/ab/ab…32 hex digits` and arriving bytes in `<directory>/temporary/`. Removes
 * the temporary files of earlier processes; the data directory must be locked. Where other processes share it, only files that
 * nobody has written to for a day are removed. Rejects with the system's error.
 */
export const openDiskBlobStorage = async (options: DiskBlobStorageOptions): Promise<BlobStorage> => {
  const { directory } = options;
  const files = options.files ?? diskFiles(options.durability);
  const temporary = join(directory, 'temporary');
  await files.makeDirectory(temporary);
  await files.syncDirectory(directory);
  for (const name of await files.names(temporary)) {
    const path = join(temporary, name);
    if (options.isShared !== true || (await isAbandoned(path))) await files.remove(path);
  }
  const storage: BlobDirectory = { ...options, files, temporary };

  const verified = createVerifiedBlobs(options.onDamage ?? (() => undefined));
  return {
    open: (blob, range) => openBlob(directory, blob, range, verified),
    keys: () => listKeys(directory),
    age: (key) => ageOf(storage, key),
    receive: (source, receiveOptions) => receive(storage, source, receiveOptions),
    remove: async (key) => {
      if (isKey(key)) await files.remove(join(directory, key));
    },
  };
};

/** Nobody writes for so long, whatever the clocks of the machines say. In milliseconds. */
const abandonedMs = 24 * 60 * 60 * 1000;

const isAbandoned = async (path: string): Promise<boolean> => {
  const found = await ifThere(lstat(path));
  return found !== undefined && Date.now() - found.mtimeMs > abandonedMs;
};

/** A blob directory for reading only. A missing directory is empty. Its bytes are not compared with their hash. */
export const readDiskBlobs = (directory: string): Pick<BlobStorage, 'open' | 'keys'> => ({
  open: (blob, range) => openBlob(directory, blob, range),
  keys: () => listKeys(directory),
});

/** The size of a stored blob in bytes; 0 when it is missing. */
export const diskBlobSize = async (directory: string, key: string): Promise<number> => {
  const found = isKey(key) ? await lstat(join(directory, key)).catch(() => undefined) : undefined;
  return found?.size ?? 0;
};

type BlobDirectory = DiskBlobStorageOptions & { readonly files: Files; readonly temporary: string };

const keyPattern = /^(?<shard>[0-9a-f]{2})\/\k<shard>[0-9a-f]{30}$/;

/** Only such names are opened or removed, even when a record contains another one. */
const isKey = (key: string): boolean => keyPattern.test(key);

const drawKey = (newName: () => string): string => {
  const name = newName().replaceAll('-', '').toLowerCase();
  const key = `${name.slice(0, 2)}/${name}`;
  if (!isKey(key)) throw new Error('A blob name must be a uuid.');
  return key;
};

/** Turns the system's errors into 507 and 503. */
const orProblem = <T>({ requireHeld }: BlobDirectory, work: Promise<T>): Promise<T> =>
  work.catch(async (error: unknown) => {
    await requireHeld?.();
    throw writeProblem(error);
  });

const receive = async (
  storage: BlobDirectory,
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<ReceivedBlob> => {
  const { directory, files, newName, space, temporary } = storage;
  await orProblem(storage, requireSpace(space, temporary, options.expectedBytes ?? 0));
  const path = join(temporary, drawKey(newName).slice(3));
  const file = await orProblem(storage, files.create(path));
  const writer = createWriteBehind(file, async (position) => {
    if (position % checkEveryBytes === 0) await requireSpace(space, temporary, 0);
  });
  try {
    const received = await receiveBody(source, options, (chunk) => orProblem(storage, writer.append(chunk)));
    await orProblem(storage, writer.flush());
    await orProblem(storage, file.sync());
    await orProblem(storage, file.close());
    let current = path;
    return {
      ...received,
      keep: async () => {
        const blob = await orProblem(storage, keep(storage, path, received));
        current = join(directory, blob.key);
        return blob;
      },
      discard: () => files.remove(current),
    };
  } catch (error) {
    await file.close().catch(() => undefined);
    await files.remove(path).catch(() => undefined);
    throw error;
  }
};

/** How many bytes arrive between two checks of the free space. */
const checkEveryBytes = 16 * 1024 * 1024;

const keep = async (
  { directory, files, newName }: BlobDirectory,
  path: string,
  { size, sha256 }: { size: number; sha256: string },
): Promise<BlobReference> => {
  let claimed: string | undefined;
  try {
    const key = await claimKey(directory, files, newName);
    claimed = join(directory, key);
    await files.rename(path, claimed);
    await files.syncDirectory(dirname(claimed));
    return { key, size, sha256 };
  } catch (error) {
    // The sweep of the next start removes what cannot be removed now.
    for (const left of [path, ...(claimed === undefined ? [] : [claimed])]) {
      await files.remove(left).catch(() => undefined);
    }
    throw error;
  }
};

/**
 * Reserves a free name with an empty file, which the blob then replaces. Uuids from a fixed seed repeat, and a rename
 * would overwrite another blob.
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
  verified?: VerifiedBlobs,
): Promise<Readable | undefined> => {
  if (!isKey(blob.key)) return undefined;
  // Do not follow a symlink, and do not wait for the other end of a FIFO.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await ifThere(openHandle(join(directory, blob.key), flags), notABlobCodes);
  if (handle === undefined) return undefined;
  const stats = await handle.stat({ bigint: true });
  const isWhole = verified?.known(blob, stats);
  if (!stats.isFile() || stats.size !== BigInt(blob.size) || isWhole === false) {
    await handle.close();
    return undefined;
  }
  const stream = handle.createReadStream({ ...range, highWaterMark: 256 * 1024 });
  // A part has no hash of its own.
  return isWhole === undefined && range === undefined ? (verified?.compare(stream, blob, stats) ?? stream) : stream;
};

const notABlobCodes: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EISDIR'];

/** By the clock of the file system: that of another machine may differ. */
const ageOf = async (
  { directory, files, newName, temporary }: BlobDirectory,
  key: string,
): Promise<number | undefined> => {
  const found = isKey(key) ? await ifThere(lstat(join(directory, key))) : undefined;
  if (found === undefined) return undefined;
  const path = join(temporary, drawKey(newName).slice(3));
  const now = await files.create(path);
  await now.close();
  const { mtimeMs } = await lstat(path);
  await files.remove(path);
  return mtimeMs - found.mtimeMs;
};

const listKeys = async (directory: string): Promise<readonly string[]> => {
  const shards = (await ifThere(readdir(directory, { withFileTypes: true }))) ?? [];
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
