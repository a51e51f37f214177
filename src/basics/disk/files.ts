/** The file operations of the durable storages as one type, so that a test can make each of them fail. */
import { closeSync, constants, fdatasync, fsync, ftruncate, open, unlink, write as writeAt, writev } from 'node:fs';
import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { errorCode, ifThere } from '../error-code.ts';

/**
 * What an acknowledged write survives. `full`: the bytes are synced and survive a power cut. `os`: the operating system
 * has the bytes, and they survive the end of the process only.
 */
export type Durability = 'full' | 'os';

/** A file that is open for writing. Every method rejects with the system's error (`code`). */
export type OpenFile = {
  /** Writes all of the bytes, also when the system writes fewer at a time. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  /** Writes all pieces, one behind the other. */
  writeAll(pieces: readonly Uint8Array[], position: number): Promise<void>;
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  /** Closes the file when the work that runs on it has ended. Later work rejects. */
  close(): Promise<void>;
};

/** The file operations of the journal, the checkpoints and the blobs. */
export type Files = {
  /** Creates an empty file with mode 0600, or empties an existing one. */
  create(path: string): Promise<OpenFile>;
  /** Creates an empty file with mode 0600. Rejects with `EEXIST` when there is one. */
  createNew(path: string): Promise<OpenFile>;
  /** Opens an existing file for writing. */
  reopen(path: string): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file. A missing file is not an error. */
  remove(path: string): Promise<void>;
  /** The names in a directory, in no order. */
  names(directory: string): Promise<string[]>;
  /** Creates a directory and those above it. An existing one is not an error. */
  makeDirectory(directory: string): Promise<void>;
  /** Makes creations, renames and removals in a directory durable. */
  syncDirectory(directory: string): Promise<void>;
};

/** The disk. With `os` the sync operations do nothing. */
export const diskFiles = (durability: Durability): Files => ({
  create: (path) => openFile(path, 'w', durability),
  createNew: (path) => openFile(path, 'wx', durability),
  reopen: (path) => openFile(path, constants.O_RDWR, durability),
  rename,
  remove: async (path) => {
    await ifThere(done((callback) => unlink(path, callback)));
  },
  names: (directory) => readdir(directory),
  makeDirectory,
  syncDirectory: async (directory) => {
    // Windows cannot open a directory; its file system journals the names by itself.
    if (durability === 'os' || process.platform === 'win32') return;
    const fd = await done<number>((callback) => open(directory, 'r', callback));
    try {
      await done((callback) => fsync(fd, callback));
    } finally {
      closeSync(fd);
    }
  },
});

/** One directory after another: without room, Node's recursive `mkdir` says ENOENT, and below `/proc` it never ends. */
const makeDirectory = async (directory: string): Promise<void> => {
  const found = await ifThere(stat(directory));
  if (found?.isDirectory() === true) return;
  if (found === undefined) await makeDirectory(dirname(directory));
  try {
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    const isThere = errorCode(error) === 'EEXIST' && (await ifThere(stat(directory)))?.isDirectory() === true;
    if (!isThere) throw error;
  }
};

/**
 * Writes a file under a temporary name, syncs it and renames it. After a crash it is complete or absent. Resolves with
 * its size in bytes. Removes the temporary file when it fails.
 */
export const writeWhole = async (
  files: Files,
  path: string,
  content: string | Iterable<Uint8Array>,
): Promise<number> => {
  const temporary = `${path}${temporarySuffix}`;
  try {
    const size = await writeParts(files, temporary, typeof content === 'string' ? [Buffer.from(content)] : content);
    await files.rename(temporary, path);
    return size;
  } catch (error) {
    await files.remove(temporary);
    throw error;
  }
};

/**
 * After so many bytes a long file is synced, and from then on written with pauses. One sync at the end would hold up the
 * syncs of the journal for long, and a write without pauses takes the processor from requests.
 */
const bytesBetweenSyncs = 4 * 1024 * 1024;
const pauseMs = 1;

const writeParts = async (files: Files, path: string, parts: Iterable<Uint8Array>): Promise<number> => {
  const file = await files.create(path);
  let size = 0;
  let synced = 0;
  try {
    for (const bytes of parts) {
      await file.write(bytes, size);
      size += bytes.byteLength;
      if (size > bytesBetweenSyncs) await wait(pauseMs);
      if (size - synced < bytesBetweenSyncs) continue;
      await file.sync();
      synced = size;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return size;
};

/** The names in a directory; none when there is no such directory. */
export const namesIn = async (directory: string): Promise<string[]> => (await ifThere(readdir(directory))) ?? [];

/** The end of the names of files that are still being written. After a crash such files may be removed. */
export const temporarySuffix = '.tmp';

/** The callback functions of Node cost a file operation half of what those with promises do. */
const done = <T = void>(start: (callback: (error: Error | null, result: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => {
    start((error, result) => {
      if (error === null) resolve(result);
      else reject(error);
    });
  });

const openFile = async (path: string, flags: string | number, durability: Durability): Promise<OpenFile> => {
  let fd = await done<number>((callback) => open(path, flags, 0o600, callback));
  const running = createRunningWork();
  const write: OpenFile['write'] = async (bytes, position) => {
    for (let taken = 0; taken < bytes.byteLength;) {
      const rest = bytes.byteLength - taken;
      taken += await running.add<number>((callback) => writeAt(fd, bytes, taken, rest, position + taken, callback));
    }
  };
  return {
    write,
    writeAll: async (pieces, position) => {
      if (pieces.length === 0) return;
      const taken = await running.add<number>((callback) => writev(fd, pieces, position, callback));
      const total = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
      if (taken < total) await write(Buffer.concat(pieces).subarray(taken), position + taken);
    },
    sync: () => (durability === 'full' ? running.add((callback) => fdatasync(fd, callback)) : Promise.resolve()),
    truncate: (length) => running.add((callback) => ftruncate(fd, length, callback)),
    close: async () => {
      const closing = fd;
      // The number can be that of another file from now on.
      fd = -1;
      // What the system still writes would get into that other file.
      await running.ended();
      if (closing >= 0) closeSync(closing);
    },
  };
};

/** Counts what the system still does with a file. */
const createRunningWork = () => {
  let count = 0;
  let tellEnd: (() => void) | undefined;
  return {
    add: async <T = void>(start: Parameters<typeof done<T>>[0]): Promise<T> => {
      count += 1;
      try {
        return await done(start);
      } finally {
        count -= 1;
        if (count === 0) tellEnd?.();
      }
    },
    /** Called once, when nothing is added any more. */
    ended: async (): Promise<void> => {
      if (count > 0) await new Promise<void>((resolve) => (tellEnd = resolve));
    },
  };
};
