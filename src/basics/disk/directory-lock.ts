/**
 * Allows one process per directory. The lock is a socket: on Linux and Windows a name that the kernel frees, elsewhere a file
 * that the next process removes when nobody answers.
 */
import { createHash } from 'node:crypto';
import { readFile, realpath, rm, stat } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../error-code.ts';
import { diskFiles, writeWhole } from './files.ts';

/** The file that says who holds a directory. */
export const lockName = 'lock';

export const directoryInUseCode = 'ATOLL_DIRECTORY_IN_USE';

export type DirectoryLock = {
  /** `removesNote`: whether the note goes too. It must stay when it may be that of another process. */
  readonly release: (options?: { readonly removesNote: boolean }) => Promise<void>;
};

/**
 * Locks the directory for this process until `release` or the end of the process. A symlink or bind mount to the
 * directory leads to the same lock. Rejects with an Error that names the holder and has `code: 'ATOLL_DIRECTORY_IN_USE'`.
 * `shown` is the name of the directory in messages. The file `lock` is a note that names the holder; deleting it does not
 * unlock. With `leaveNote: false` (export, check) no note is written.
 * open: processes in different network namespaces (two containers on one volume) do not see each other's lock.
 */
export const lockDirectory = async (
  directory: string,
  { leaveNote = true, shown = directory } = {},
): Promise<DirectoryLock> => {
  const address = await addressOf(directory);
  const note = join(directory, lockName);
  const server = await listen(address, shown, note);
  // The lock must not keep the process alive.
  server.unref();
  try {
    // A new file each time: a process that does not see this lock notices that its own note is gone.
    if (leaveNote) await writeWhole(diskFiles('os'), note, `${JSON.stringify(thisProcess())}\n`);
  } catch (error) {
    await close(server);
    throw error;
  }
  return {
    release: async ({ removesNote } = { removesNote: true }) => {
      if (leaveNote && removesNote) await rm(note, { force: true });
      await close(server);
    },
  };
};

const thisProcess = () => ({
  pid: process.pid,
  host: hostname(),
  started: new Date(performance.timeOrigin).toISOString(),
});

/** A socket name made from the device and the inode of the directory. */
const addressOf = async (directory: string): Promise<string> => {
  const { dev, ino } = await stat(directory, { bigint: true });
  const name = `atoll-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 32)}`;
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  const socket = join(await realpath(directory), `lock${socketSuffix}`);
  return Buffer.byteLength(socket) <= maxSocketBytes ? socket : `/tmp/${name}${socketSuffix}`;
};

/** Elsewhere than on Linux and Windows a lock is a socket file, whose path may have 103 bytes; a longer one would be cut. */
const socketSuffix = '.socket';
const maxSocketBytes = 103;

const listen = async (address: string, directory: string, note: string): Promise<Server> => {
  try {
    return await bind(address);
  } catch (error) {
    if (errorCode(error) !== 'EADDRINUSE') throw error;
    // A socket file remains after its process was killed. Then no process answers there.
    if (!address.endsWith(socketSuffix) || (await answers(address))) throw await inUse(directory, note);
    await rm(address, { force: true });
    return bind(address);
  }
};

const bind = (address: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.on('error', reject);
    server.listen(address, () => resolve(server));
  });

const answers = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

const close = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

const inUse = async (directory: string, note: string): Promise<Error> => {
  const holder = await readFile(note, 'utf8').catch(() => 'a process that left no note');
  const message = `The directory ${directory} is in use by another process: ${holder.trim()}`;
  return Object.assign(new Error(message), { code: directoryInUseCode });
};
