/** Allows one process per directory. The lock is a socket name, which the kernel frees when the process ends. */
import { createHash } from 'node:crypto';
import { readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../files.ts';
import { lockName } from './store-files.ts';

export const directoryInUseCode = 'ATOLL_DIRECTORY_IN_USE';

export type DirectoryLock = { readonly release: () => Promise<void> };

/**
 * Locks the directory for this process until `release` or the end of the process. A symlink or bind mount to the
 * directory leads to the same lock. Rejects with an Error that names the holder and has `code: 'ATOLL_DIRECTORY_IN_USE'`.
 * The file `lock` is a note that names the holder; deleting it does not unlock. A read-only user leaves no note.
 * open: processes in different network namespaces (two containers on one volume) do not see each other's lock.
 */
export const lockDirectory = async (directory: string, { leaveNote = true } = {}): Promise<DirectoryLock> => {
  const address = await addressOf(directory);
  const note = join(await realpath(directory), lockName);
  const server = await listen(address, directory, note);
  // The lock must not keep the process alive.
  server.unref();
  try {
    if (leaveNote) await writeFile(note, `${JSON.stringify(thisProcess())}\n`, { mode: 0o600 });
  } catch (error) {
    await close(server);
    throw error;
  }
  return {
    release: async () => {
      if (leaveNote) await rm(note, { force: true });
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
  const path = await realpath(directory);
  const { dev, ino } = await stat(path, { bigint: true });
  const name = `atoll-${createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 32)}`;
  if (process.platform === 'linux') return `\0${name}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\${name}`;
  return join(path, 'lock.socket');
};

const listen = async (address: string, directory: string, note: string): Promise<Server> => {
  try {
    return await bind(address);
  } catch (error) {
    if (errorCode(error) !== 'EADDRINUSE') throw error;
    // A socket file remains after its process was killed. Then no process answers there.
    if (!address.endsWith('lock.socket') || (await answers(address))) throw await inUse(directory, note);
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
