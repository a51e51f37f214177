/** Reads a data directory without changing a byte of it: for export, check and the sweep. Nothing is repaired here. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Entity } from '../../model/entity.ts';
import { lockDirectory } from './directory-lock.ts';
import { diskFiles, errorCode } from '../files.ts';
import type { Files } from '../files.ts';
import { readJournal } from './journal-file.ts';
import { readLines } from './lines.ts';
import { createRecordSet } from '../record-set.ts';
import type { Counters } from '../record-set.ts';
import { recover } from './recovery.ts';
import { readCheckpoint } from './checkpoint-file.ts';
import { generationsOf, journalName, readMarker, checkpointName } from './store-files.ts';

/** The records as a start would find them, and what a start would repair. */
export type StoredRepository = {
  /** Made with the directory; names in a bucket begin with it. */
  readonly instance: string;
  readonly entities: readonly Entity[];
  readonly counters: Counters;
  readonly warnings: readonly string[];
};

/** A directory that holds no repository at all. */
export const noStoreCode = 'ATOLL_NO_STORE';

/**
 * Holds the directory while `read` looks at its records, and lets go of it. Every generation that is kept is verified.
 * Rejects with `ATOLL_NO_STORE`, `ATOLL_DIRECTORY_IN_USE`, `ATOLL_STORE_DAMAGED`, or what `read` throws.
 */
export const readStoredRepository = async <T>(
  directory: string,
  read: (repository: StoredRepository) => Promise<T>,
): Promise<T> => {
  const names = await namesIn(directory);
  if (names.length === 0) {
    throw Object.assign(new Error(`${directory} holds no repository. Name a data directory of \`atoll serve\`.`), {
      code: noStoreCode,
    });
  }
  const lock = await lockDirectory(directory, { leaveNote: false });
  try {
    return await read(await load(directory, names));
  } finally {
    await lock.release();
  }
};

const load = async (directory: string, names: readonly string[]): Promise<StoredRepository> => {
  // Without a marker it is no store, whatever else lies there; the search for a snapshot then says what is missing.
  const instance = (await readMarker(directory)) ?? '';
  const warnings: string[] = [];
  const { records } = await recover({
    directory,
    instance,
    files: lookingFiles,
    warn: (message) => warnings.push(message),
    emptyRecords: () => createRecordSet(() => []),
  });
  await verifyOlder(directory, instance, names);
  return { instance, entities: records.all(), counters: records.counters(), warnings };
};

/** The disk for somebody who only looks: what would change it does nothing. */
const lookingFiles: Files = {
  ...diskFiles('os'),
  create: (path) => Promise.reject(new Error(`${path} is only looked at.`)),
  reopen: () => Promise.resolve({ write: nothing, sync: nothing, truncate: nothing, close: nothing }),
  rename: nothing,
  remove: nothing,
  makeDirectory: nothing,
  syncDirectory: nothing,
};

function nothing(): Promise<void> {
  return Promise.resolve();
}

/** A start reads from the newest snapshot on; what is kept before it has to be whole too, or it is kept for nothing. */
const verifyOlder = async (directory: string, instance: string, names: readonly string[]): Promise<void> => {
  const snapshots = generationsOf('snapshot', names);
  const newest = snapshots.at(-1) ?? 0;
  for (const generation of snapshots.filter((older) => older < newest)) {
    const found = { entity: () => undefined, counters: () => undefined };
    await readCheckpoint(join(directory, checkpointName(generation)), { instance, generation }, found);
  }
  for (const generation of generationsOf('journal', names).filter((older) => older < newest)) {
    await readJournal(join(directory, journalName(generation)), { instance, generation }, () => undefined);
  }
};

const blobKey = /"blob":\{"key":"(?<key>[^"\\]+)"/g;

/**
 * The names of all blobs that any line of a kept generation speaks of. Read as text: a title that looks like a name keeps
 * a blob, which does no harm.
 */
export const blobKeysInGenerations = async (directory: string): Promise<ReadonlySet<string>> => {
  const names = await namesIn(directory);
  const files = [
    ...generationsOf('snapshot', names).map(checkpointName),
    ...generationsOf('journal', names).map(journalName),
  ];
  const keys = new Set<string>();
  for (const name of files) {
    for await (const lines of readLines(join(directory, name))) {
      for (const { bytes } of lines) {
        for (const { groups } of bytes.toString().matchAll(blobKey)) keys.add(groups?.['key'] ?? '');
      }
    }
  }
  return keys;
};

const namesIn = (directory: string): Promise<string[]> =>
  readdir(directory).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
