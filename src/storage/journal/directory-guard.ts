/** Holds the data directory by descriptor, and notices when it or a file in it is no longer the one that was opened. */
import { statSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { errorCode } from '../../basics/error-code.ts';
import { temporarySuffix, type Files } from '../../basics/disk/files.ts';
import { storeDamaged, type StoreDamaged } from '../store-errors.ts';
import { endName, generationOf, isGuardedName } from './store-files.ts';
import { lockName } from '../../basics/disk/directory-lock.ts';
import { unavailable } from '../../openapi/openapi-terms.ts';

/** Device and inode, as far as the system has them. */
type FileIdentity = { readonly dev: bigint; readonly ino: bigint };

const isSame = (one: FileIdentity, other: FileIdentity): boolean => one.dev === other.dev && one.ino === other.ino;

/** Undefined when there is no such file. */
const identityAt = (path: string): FileIdentity | undefined => {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
};

export type DirectoryGuard = {
  /** The path that leads to the held directory, for work that goes on while the server runs. */
  readonly path: string;
  /** Remembers a file as it is now. */
  watch(name: string): Promise<void>;
  forget(name: string): void;
  /** Rejects with 503 when the directory or a watched file is not the one that was opened. */
  check(): Promise<void>;
  /** Throws 503 when a file has become shorter than the bytes written to it. Takes some microseconds. */
  requireSize(name: string, bytes: number): void;
  /** The error with which the process has to end; undefined as long as all is well. */
  failure(): StoreDamaged | undefined;
  /** A path below the directory as one below the held directory. */
  heldPath(file: string): string;
  close(): Promise<void>;
};

/**
 * Holds a directory. `warn` is called once, when something in it is not as it was. From then on every `check` rejects with
 * 503, and `guardedFiles` change nothing any more.
 */
export const holdDirectory = async (directory: string, warn: (message: string) => void): Promise<DirectoryGuard> => {
  const shown = resolve(directory);
  const handle = process.platform === 'win32' ? undefined : await open(shown, 'r');
  // On Linux this path leads to the held directory, wherever its name leads.
  const path = process.platform === 'linux' && handle !== undefined ? `/proc/self/fd/${handle.fd}` : shown;
  const own: FileIdentity = await (handle?.stat({ bigint: true }) ?? stat(shown, { bigint: true }));
  const watched = new Map<string, FileIdentity>();
  const loss = createLoss(warn);

  /** Waits for nothing: Node needs four times as long to do it in the background, and each batch asks for six files. */
  const compare = (at: string, name: string, expected: FileIdentity): void => {
    const found = identityAt(at);
    if (found === undefined || !isSame(found, expected)) loss.note(join(shown, name));
  };

  return {
    path,
    watch: async (name) => {
      watched.set(name, await stat(join(path, name), { bigint: true }));
    },
    forget: (name) => void watched.delete(name),
    check: async () => {
      loss.require();
      compare(shown, '', own);
      for (const [name, expected] of watched) compare(join(path, name), name, expected);
      loss.require();
    },
    requireSize: (name, bytes) => {
      loss.require();
      const found = statSync(join(path, name), { throwIfNoEntry: false });
      if (found === undefined || found.size < bytes) loss.note(join(shown, name));
      loss.require();
    },
    failure: loss.failure,
    heldPath: (file) => {
      const full = resolve(file);
      return full === shown || full.startsWith(shown + sep) ? path + full.slice(shown.length) : file;
    },
    close: async () => handle?.close(),
  };
};

/** Remembers the first thing that was not as it was. */
const createLoss = (warn: (message: string) => void) => {
  let failure: StoreDamaged | undefined;
  return {
    failure: () => failure,
    note: (what: string): void => {
      if (failure !== undefined) return;
      failure = storeDamaged(what, 0, 'this was moved, replaced or cut; the server writes nothing any more');
      warn(failure.message);
    },
    /** Throws 503 after that. */
    require: (): void => {
      if (failure !== undefined) throw unavailable(lostMessage, failure);
    },
  };
};

const lostMessage = 'The data directory is no longer the one that this server opened. Writing needs a restart.';

/** The same file operations on the held directory. Checks before each creation, renaming and removal. */
export const guardedFiles = (files: Files, guard: DirectoryGuard): Files => {
  const nameIn = (path: string): string | undefined => {
    const held = guard.heldPath(path);
    const name = held.startsWith(guard.path + sep) ? held.slice(guard.path.length + 1) : undefined;
    return name !== undefined && isGuardedName(name) ? name : undefined;
  };
  const forget = (path: string): void => {
    const name = nameIn(path);
    if (name !== undefined) guard.forget(name);
  };
  return {
    create: async (path) => {
      await guard.check();
      return files.create(guard.heldPath(path));
    },
    createNew: async (path) => {
      await guard.check();
      return files.createNew(guard.heldPath(path));
    },
    reopen: (path) => files.reopen(guard.heldPath(path)),
    rename: async (from, to) => {
      await guard.check();
      forget(to);
      await files.rename(guard.heldPath(from), guard.heldPath(to));
      const name = nameIn(to);
      if (name !== undefined) await guard.watch(name);
    },
    remove: async (path) => {
      // A temporary file of this server may always go.
      if (!path.endsWith(temporarySuffix)) await guard.check();
      forget(path);
      await files.remove(guard.heldPath(path));
    },
    names: (directory) => files.names(guard.heldPath(directory)),
    makeDirectory: (directory) => files.makeDirectory(guard.heldPath(directory)),
    syncDirectory: (directory) => files.syncDirectory(guard.heldPath(directory)),
  };
};

/** Watches the files of an opened store: marker, lock, note of the end, and what belongs to the newest generation. */
export const watchStore = async (guard: DirectoryGuard, names: readonly string[], since: number): Promise<void> => {
  for (const name of [lockName, endName, ...names]) {
    const generation = generationOf(name);
    const isWanted = generation === undefined ? isGuardedName(name) : generation >= since;
    if (isWanted && names.includes(name)) await guard.watch(name);
  }
};
