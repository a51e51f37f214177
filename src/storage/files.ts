/** The file operations of the durable storages as one type, so that a test can make each of them fail. */
import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * What an acknowledged write survives. `full`: the bytes are synced and survive a power cut. `os`: the operating system
 * has the bytes, and they survive the end of the process only.
 */
export type Durability = 'full' | 'os';

/** A file that is open for writing. Every method rejects with the system's error (`code`). */
export type OpenFile = {
  /** Writes all of the bytes, also when the system writes fewer at a time. */
  write(bytes: Uint8Array, position: number): Promise<void>;
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
};

/** The file operations of the journal, the checkpoints and the blobs. */
export type Files = {
  /** Creates an empty file with mode 0600, or empties an existing one. */
  create(path: string): Promise<OpenFile>;
  /** Opens an existing file for writing. */
  reopen(path: string): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file. A missing file is no error. */
  remove(path: string): Promise<void>;
  /** The names in a directory, in no order. */
  names(directory: string): Promise<string[]>;
  /** Creates a directory and those above it. An existing one is no error. */
  makeDirectory(directory: string): Promise<void>;
  /** Makes creations, renames and removals in a directory durable. */
  syncDirectory(directory: string): Promise<void>;
};

/** The disk. With `os` the sync operations do nothing. */
export const diskFiles = (durability: Durability): Files => ({
  create: async (path) => openFile(await open(path, 'w', 0o600), durability),
  reopen: async (path) => openFile(await open(path, constants.O_RDWR), durability),
  rename,
  remove: (path) => rm(path, { force: true }),
  names: (directory) => readdir(directory),
  makeDirectory,
  syncDirectory: async (directory) => {
    // Windows cannot open a directory; its file system journals the names by itself.
    if (durability === 'os' || process.platform === 'win32') return;
    const handle = await open(directory, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
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

const writeParts = async (files: Files, path: string, parts: Iterable<Uint8Array>): Promise<number> => {
  const file = await files.create(path);
  let size = 0;
  try {
    for (const bytes of parts) {
      await file.write(bytes, size);
      size += bytes.byteLength;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return size;
};

/** The names in a directory; none when there is no such directory. */
export const namesIn = async (directory: string): Promise<string[]> => (await ifThere(readdir(directory))) ?? [];

/** The result of the work. Undefined when it fails with one of the codes, which mean that the file is missing. */
export const ifThere = <T>(work: Promise<T>, codes: readonly string[] = ['ENOENT']): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (codes.includes(errorCode(error) ?? '')) return undefined;
    throw error;
  });

/** The end of the names of files that are still being written. After a crash such files may be removed. */
export const temporarySuffix = '.tmp';

/** The `code` of a system error; undefined for anything else. */
export const errorCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

const openFile = (handle: FileHandle, durability: Durability): OpenFile => ({
  write: async (bytes, position) => {
    for (let done = 0; done < bytes.byteLength;) {
      const { bytesWritten } = await handle.write(bytes, done, bytes.byteLength - done, position + done);
      done += bytesWritten;
    }
  },
  sync: () => (durability === 'full' ? handle.datasync() : Promise.resolve()),
  truncate: (length) => handle.truncate(length),
  close: () => handle.close(),
});
