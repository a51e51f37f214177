/** Writes a repository to a directory or a tar file, and reads one from there, whatever it comes from or goes to. */
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { counted } from '../../basics/counted.ts';
import {
  writeArchive,
  exportBlobs,
  readExport,
  writeExport,
  type ExportSource,
  storageError,
} from '../../storage/storage-export.ts';
import { temporarySuffix } from '../../basics/disk/files.ts';
import { openDiskArchiveStorage, receiveArchive, type ReceivedArchive } from '../../server/server-worlds.ts';
import type { CommandContext } from '../command-context.ts';
import { createProgress } from '../progress.ts';

/** Whether a place is, or is to become, a tar file. Every other one is a directory. */
export const isTarFile = (place: string): boolean => place.endsWith('.tar');

/** Writes a repository to a place, and prints what. Throws when bytes are lost, after everything else was written. */
export const writePlace = async (place: string, source: ExportSource, context: CommandContext): Promise<void> => {
  if (isTarFile(place)) {
    await writeTar(place, writeArchive(source));
    context.print(`Exported to ${place}.`);
    return;
  }
  const outcome = await writeExport(resolve(place), source, createProgress(context, 'records'));
  const what = `${counted(outcome.records, 'record')} and ${counted(outcome.blobs, 'blob')}`;
  context.print(`Exported ${what} to ${place}.`);
  throwIfLost(
    outcome.lost.map(({ id }) => id),
    place,
  );
};

/** Writes an archive as it comes. A file that could not be written whole is not there. */
export const writeTar = async (place: string, archive: AsyncIterable<Uint8Array>): Promise<void> => {
  const temporary = `${resolve(place)}${temporarySuffix}`;
  try {
    // A repository holds password hashes.
    await pipeline(archive, createWriteStream(temporary, { mode: 0o600 }));
    await rename(temporary, resolve(place));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
};

/** The export is written without the lost bytes. The exit code says that it is incomplete. */
export const throwIfLost = (lost: readonly number[], place: string): void => {
  if (lost.length === 0) return;
  throw storageError(
    'ATOLL_STORE_DAMAGED',
    `${place}: the bytes of these files are missing or not as stored, and were left out: ${lost.join(', ')}`,
  );
};

/** Receives an archive, with its bytes in a temporary folder until `work` has ended. */
export const withReceived = async <T>(
  archive: AsyncIterable<Uint8Array>,
  work: (received: ReceivedArchive) => Promise<T>,
): Promise<T> => {
  const open = openDiskArchiveStorage({ directory: join(tmpdir(), 'atoll-imports'), freeBytes: 0, isOwn: false });
  const held = await open();
  try {
    return await work(await receiveArchive(archive, held.blobs));
  } finally {
    await held.close();
  }
};

/** The archive at a place: the tar file itself, or one that is made of a directory while it is read. */
export const archiveAt = async (place: string): Promise<AsyncIterable<Uint8Array>> => {
  if (isTarFile(place)) return createReadStream(resolve(place), { highWaterMark: 256 * 1024 });
  const directory = resolve(place);
  const blobs = exportBlobs(directory);
  return Readable.from(writeArchive({ ...(await readExport(directory)), blobsOf: () => blobs }), { objectMode: false });
};
