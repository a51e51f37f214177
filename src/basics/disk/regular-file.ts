/** Opens files that a user has named. Anything else under the name is refused: a FIFO would keep its reader waiting for ever. */
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { errorCode } from '../error-code.ts';

/** The error code for a name that is not a regular file. The message names it and says what it is. */
export const notRegularCode = 'ATOLL_NOT_REGULAR';

/** Opens a regular file for reading. Rejects with the system's error, or with `ATOLL_NOT_REGULAR`. */
export const openRegularFile = async (path: string): Promise<FileHandle> => {
  // Without this flag the opening of a FIFO waits for its writer. For a regular file it means nothing.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const found = await handle.stat();
  if (found.isFile()) return handle;
  await handle.close();
  throw notRegular(path, found);
};

const notRegular = (path: string, found: Stats): Error =>
  Object.assign(new Error(`${path} is ${kindOf(found)}, not a file.`), { code: notRegularCode });

/** The bytes of a regular file. Rejects as `openRegularFile` does. */
export const readRegularFile = async (path: string): Promise<Buffer> => {
  const handle = await openRegularFile(path);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
};

/**
 * The same, at once. For hundreds of small files: the five waits for each cost several times the processor time, and the others wait
 * no less. Throws as `openRegularFile` does.
 */
export const readRegularFileSync = (path: string): Buffer => {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(descriptor);
    if (!found.isFile()) throw notRegular(path, found);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

const kindOf = (found: Stats): string => {
  if (found.isDirectory()) return 'a directory';
  return found.isFIFO() ? 'a FIFO' : 'a device or a socket';
};

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission is denied',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is not a directory',
  ELOOP: 'its symbolic links lead in a circle',
  ENXIO: 'it is a device or a socket',
};

/** Why a file could not be read, for a message that names the file already. */
export const unreadableReason = (error: unknown): string => {
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === notRegularCode) return message.replace(/^.* is (.*), not a file\.$/s, 'it is $1');
  return reasons[code ?? ''] ?? message;
};
