/** One process per directory. The lock is a name that the kernel holds for a living process, not a file. */
import { createHash } from 'node:crypto';
import { readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import type { Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../files.ts';
import { lockName } from './store-files.ts';

export const directoryInUseCode = 'ATOLL_DIRECTORY_IN_USE';

export type DirectoryLock = { readonly release: () => Promise<void> };

/**
 * Takes the directory for this process until `release` or the process's end, however it ends. The same directory under
 * another name (symlink, bind mount) is the same directory. Rejects with an Error with `code:
 * 'ATOLL_DIRECTORY_IN_USE'` that names the holder. The file `lock` only tells who holds it; deleting it frees nothing. Who
 * only reads leaves no note.
 * open: processes in different network namespaces (two containers on one volume) do not see each other's name.
 */
export const lockDirectory = async (directory: string, { leaveNote = true } = {}): Promise<DirectoryLock> => {
  const address = await addressOf(directory);
  const note = join(await realpath(directory), lockName);
  const server = await listen(address, directory, note);
  // The process may end while it holds the directory.
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

/** A name bound to the directory itself: device and inode. */
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
    // Where the name is a file, it outlives a killed process: nobody answers there.
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
