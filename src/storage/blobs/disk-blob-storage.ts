/** A blob storage that keeps each blob as a file under its hash, and a part of the disk free for the records. */
import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { lstat, open as openHandle, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { fileStream } from '../../basics/disk/web-stream.ts';
import { ifThere } from '../../basics/error-code.ts';
import { diskFiles, type Durability, type Files } from '../../basics/disk/files.ts';
import { shareNextRun } from '../../basics/semaphore.ts';
import { createArrivals } from './arrivals.ts';
import { blobState, bytesChanged, isBytesChanged } from './check-blobs.ts';
import { findBlob } from './find-blob.ts';
import {
  createFileMemory,
  type BlobDirectory,
  type BlobPlace,
  drawName,
  probeBlobs,
  receiveBlob,
  type RequireSpace,
} from './receive-blob.ts';
import { smallBytes } from './receive-body.ts';
import type { BlobStorage, ByteRange, BlobReference } from '../../openapi/openapi-records.ts';
import { outOfSpace } from '../../openapi/openapi-terms.ts';

/** Compares the bytes of a whole blob with its hash while they are read, once for each change of the file. */
type VerifiedBlobs = ReturnType<typeof createVerifiedBlobs>;

/** `onDamage` is called for each blob whose bytes are not the stored ones. */
const createVerifiedBlobs = (onDamage: (blob: BlobReference) => void) => {
  const findings = createFileMemory<boolean>();
  const comparing = new Map<string, Promise<void>>();
  const note = (blob: BlobReference, stats: BigIntStats, isWhole: boolean): void => {
    findings.note(blob.key, stats, isWhole);
    if (!isWhole) onDamage(blob);
  };
  return {
    /** Whether a file that has not changed since is whole. Undefined when it was not compared yet. */
    known: ({ key }: BlobReference, stats: BigIntStats): boolean | undefined => findings.find(key, () => stats),
    /** Reads a whole blob to its end. Who asks while it is read waits for the same reading. */
    compareAll: async ({ key }: BlobReference, read: () => Promise<ReadableStream<Uint8Array> | undefined>) => {
      const running =
        comparing.get(key) ??
        read()
          .then((stream) => stream?.pipeTo(new WritableStream()))
          .catch((error: unknown) => {
            if (!isBytesChanged(error)) throw error;
          })
          .finally(() => comparing.delete(key));
      comparing.set(key, running);
      await running;
    },
    /** The same bytes. When they are not the stored ones, the stream ends with an error in place of its last chunk. */
    compare: (source: ReadableStream<Uint8Array>, blob: BlobReference, stats: BigIntStats) => {
      const sum = createHash('sha256');
      let last: Uint8Array | undefined;
      const compared = new TransformStream<Uint8Array, Uint8Array>({
        transform: (chunk, controller) => {
          sum.update(chunk);
          if (last !== undefined) controller.enqueue(last);
          last = chunk;
        },
        flush: (controller) => {
          const isWhole = sum.digest('hex') === blob.sha256;
          note(blob, stats, isWhole);
          if (!isWhole) throw bytesChanged();
          if (last !== undefined) controller.enqueue(last);
        },
      });
      return source.pipeThrough(compared);
    },
  };
};

type DiskBlobStorageOptions = BlobPlace & {
  readonly durability: Durability;
  /** How long a file was not written to that counts as abandoned, in milliseconds. 0 when left out. */
  readonly abandonedMs?: number | undefined;
  /** Tests pass a disk that fills up. */
  readonly measureFree?: FreeSpace['freeBytes'];
  /** Tests pass files that fail. */
  readonly files?: Files | undefined;
  /** The bytes of the file system that uploads must leave free. 0 when left out: no limit. */
  readonly freeBytes?: number;
  /** Called when the bytes of a blob turn out not to be the stored ones. */
  readonly onDamage?: ((blob: BlobReference) => void) | undefined;
};

/**
 * A blob is at `<directory>/64 hex digits` of its hash, or at 32 hex digits where names are drawn. Before decision 62 they were
 * `ab/ab…30 hex digits`; such names stay. Only these are opened or removed, even when a record contains another one.
 */
const keyPattern = /^(?:[0-9a-f]{64}|[0-9a-f]{32}|(?<folder>[0-9a-f]{2})\/\k<folder>[0-9a-f]{30})$/;
const isKey = (key: string): boolean => keyPattern.test(key);

/**
 * Opens a storage in which bodies arrive in `<directory>/temporary/`. Removes the temporary files that are abandoned: without a time
 * for that all of them, so the data directory must be locked. Rejects with the system's error.
 */
export const openDiskBlobStorage = async (options: DiskBlobStorageOptions): Promise<BlobStorage> => {
  const { directory, drawsNames, abandonedMs = 0, makeRoom, measureFree = freeBytesOf } = options;
  const files = options.files ?? diskFiles(options.durability);
  const temporary = join(directory, 'temporary');
  await files.makeDirectory(temporary);
  await files.syncDirectory(directory);
  for (const name of await files.names(temporary)) {
    const path = join(temporary, name);
    if (abandonedMs === 0 || (await isOlder(path, abandonedMs))) await files.remove(path);
  }
  const storage: BlobDirectory = {
    ...{ ...options, files, temporary, held: { bytes: 0 }, durable: createFileMemory() },
    arrivals: createArrivals((key) => files.remove(join(directory, key))),
    syncNames: shareNextRun(() => files.syncDirectory(directory)),
    requireSpace: requireSpaceIn({ floorBytes: options.freeBytes ?? 0, freeBytes: measureFree }, temporary, {
      makeRoom,
    }),
  };
  const verified = createVerifiedBlobs(options.onDamage ?? (() => undefined));
  const open: BlobStorage['open'] = (blob, range) => openBlob(directory, blob, range, verified);
  const isWhole = async (blob: BlobReference): Promise<boolean> => {
    const stats = await ifThere(lstat(join(directory, blob.key), { bigint: true }));
    const known = stats && stats.size === BigInt(blob.size) && verified.known(blob, stats);
    return known ?? (await blobState(blob, { open })) === 'whole';
  };
  return {
    open,
    keys: () => listKeys(directory),
    age: (key) => ageOf(storage, key),
    receive: (source, receiveOptions) => receiveBlob(storage, source, receiveOptions),
    probe: () => probeBlobs(storage),
    ...(drawsNames === true
      ? {}
      : { find: ({ size, sha256 }) => findBlob(storage, { key: sha256, size, sha256 }, isWhole) }),
    sweep: (unnamed) => storage.arrivals.sweep(async () => [...(await unnamed())].filter(isKey)),
  };
};

const isOlder = async (path: string, ms: number): Promise<boolean> => {
  const found = await ifThere(lstat(path));
  return found !== undefined && Date.now() - found.mtimeMs > ms;
};

/** A blob directory for reading only. A missing directory is empty. Its bytes are not compared with their hash. */
export const readDiskBlobs = (directory: string): Pick<BlobStorage, 'open' | 'keys'> => ({
  open: (blob, range) => openBlob(directory, blob, range),
  keys: () => listKeys(directory),
});

const openBlob = async (
  directory: string,
  blob: BlobReference,
  range: ByteRange | undefined,
  verified?: VerifiedBlobs,
): Promise<ReadableStream<Uint8Array> | undefined> => {
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
  if (isWhole === undefined && range !== undefined && verified !== undefined) {
    // A part has no hash of its own, so the whole is compared before the first part is read.
    await verified.compareAll(blob, () => openBlob(directory, blob, undefined, verified));
    if (verified.known(blob, stats) !== true) {
      await handle.close();
      return undefined;
    }
  }
  const stream = fileStream(handle, range ?? { start: 0, end: blob.size - 1 });
  return isWhole === undefined && range === undefined ? (verified?.compare(stream, blob, stats) ?? stream) : stream;
};

const notABlobCodes: readonly string[] = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EISDIR'];

/** By the clock of the file system: that of another machine may differ. */
const ageOf = async ({ directory, files, temporary }: BlobDirectory, key: string): Promise<number | undefined> => {
  const found = isKey(key) ? await ifThere(lstat(join(directory, key))) : undefined;
  if (found === undefined) return undefined;
  const path = join(temporary, drawName());
  const now = await files.create(path);
  await now.close();
  const { mtimeMs } = await lstat(path);
  await files.remove(path);
  return mtimeMs - found.mtimeMs;
};

const listKeys = async (directory: string): Promise<readonly string[]> => {
  const entries = (await ifThere(readdir(directory, { withFileTypes: true }))) ?? [];
  const keys = await Promise.all(
    entries.map(async (entry) => {
      if (!entry.isDirectory()) return entry.isFile() ? [entry.name] : [];
      const inside = /^[0-9a-f]{2}$/.test(entry.name)
        ? readdir(join(directory, entry.name), { withFileTypes: true })
        : [];
      return (await inside).filter((each) => each.isFile()).map(({ name }) => `${entry.name}/${name}`);
    }),
  );
  return keys.flat().filter(isKey).sort();
};

/** What must stay free, and the function that measures it. */
type FreeSpace = {
  readonly floorBytes: number;
  /** Bytes that an ordinary user may still write in the directory's file system. */
  readonly freeBytes: (directory: string) => Promise<number>;
};

const freeBytesOf: FreeSpace['freeBytes'] = async (directory) => {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
};

/** Nothing fills so much within `plentyMs`. */
const plentyBytes = 1024 * 1024 * 1024;
const plentyMs = 100;

type SpaceOptions = {
  /** Called when space is missing, before the refusal. */
  readonly makeRoom?: (() => Promise<void>) | undefined;
  /** In milliseconds. */
  readonly now?: () => number;
};

/**
 * Measures the file system of the directory. For small bodies a measurement counts a tenth of a second, as long as it left much
 * more than the floor. Without a floor it measures nothing.
 */
export const requireSpaceIn = (
  space: FreeSpace | undefined,
  directory: string,
  { makeRoom, now = () => performance.now() }: SpaceOptions = {},
): RequireSpace => {
  let plentyUntil = -Infinity;
  return async (bytes) => {
    if (space === undefined || space.floorBytes === 0) return;
    if (bytes <= smallBytes && now() < plentyUntil) return;
    const measure = async () => (await space.freeBytes(directory)) - bytes - space.floorBytes;
    let left = await measure();
    if (left < 0 && makeRoom !== undefined) left = await makeRoom().then(measure);
    if (left < 0) throw outOfSpace();
    plentyUntil = left >= plentyBytes ? now() + plentyMs : -Infinity;
  };
};
