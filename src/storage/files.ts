/** The few file operations that the durable storages need, as a port, so that a test can make one of them fail. */
import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/**
 * How much an acknowledgement promises. `full`: the bytes have been synced and survive a power cut. `os`: they have
 * been handed to the operating system and survive the end of the process only.
 */
export type Durability = 'full' | 'os';

/** A file that is open for writing. Every method rejects with the system's error (`code`). */
export type OpenFile = {
  /** Writes all of the bytes, however many calls that takes (cases: D07). */
  write(bytes: Uint8Array, position: number): Promise<void>;
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
};

/** What the journal, the snapshots and the blobs do to a disk. */
export type Files = {
  /** A new, empty file with mode 0600; a file that stood there is emptied. */
  create(path: string): Promise<OpenFile>;
  /** An existing file, for writing. */
  reopen(path: string): Promise<OpenFile>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file; one that is not there is no error. */
  remove(path: string): Promise<void>;
  /** The names in a directory, in no order. */
  names(directory: string): Promise<string[]>;
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
  makeDirectory: async (directory) => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  },
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

/** Writes a whole new file under a temporary name, syncs it and gives it its name: it is there whole or not at all. */
export const writeWhole = async (files: Files, path: string, text: string): Promise<void> => {
  const temporary = `${path}${temporarySuffix}`;
  const file = await files.create(temporary);
  try {
    await file.write(Buffer.from(text), 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await files.rename(temporary, path);
};

/** Ends the names of files that are still being written; what is left of them after a crash may be removed. */
export const temporarySuffix = '.tmp';

/** The `code` of a system error, undefined for anything else. */
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
