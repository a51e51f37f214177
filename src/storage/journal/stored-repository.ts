/** Reads a data directory without changing it, for export, check and the sweep of unused blobs. */
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { lockDirectory } from '../../basics/disk/directory-lock.ts';
import { errorCode } from '../../basics/error-code.ts';
import { blobKeysIn } from '../../basics/records/record-form.ts';
import { diskFiles, namesIn, type Files, type OpenFile } from '../../basics/disk/files.ts';
import { readJournal } from './journal-file.ts';
import { readLines } from './checksummed-lines.ts';
import { createRecordBlocks } from './record-blocks.ts';
import { recover } from './recovery.ts';
import { readCheckpoint } from './checkpoint-file.ts';
import { storageError, storeDamaged } from '../store-errors.ts';
import {
  isForeign,
  checkpointName,
  generationFiles,
  generationsOf,
  journalName,
  keptFolderPrefix,
  readMarker,
  repairAdvice,
} from './store-files.ts';
import type { Entity, RecordModel, Counters } from '../../openapi/openapi-records.ts';

/** The records as a start would find them, and warnings about what a start would repair. */
type StoredRepository = {
  /** Created with the directory. Names in an S3 bucket begin with it. */
  readonly instance: string;
  readonly entities: readonly Entity[];
  readonly counters: Counters;
  readonly warnings: readonly string[];
};

/**
 * Locks the directory while `read` runs, and verifies every kept generation. Rejects with `ATOLL_NO_STORE`,
 * `ATOLL_DIRECTORY_IN_USE`, `ATOLL_STORE_DAMAGED`, or what `read` throws.
 */
export const readStoredRepository = async <T>(
  directory: string,
  model: RecordModel,
  read: (repository: StoredRepository) => Promise<T>,
): Promise<T> => {
  const names = await namesIn(directory);
  if (isForeign(names)) throw noStore(directory);
  const lock = await lockDirectory(directory, { leaveNote: false });
  try {
    return await read(await load(directory, names, model));
  } finally {
    await lock.release();
  }
};

/** How often the files of a running server are read before an error counts. A compaction removes files meanwhile. */
const attempts = 4;

/** The records as a running server has written them. Takes no lock and changes nothing. Rejects as `readStoredRepository`. */
export const readServedRepository = async (directory: string, model: RecordModel): Promise<StoredRepository> => {
  for (let attempt = 1; ; attempt++) {
    try {
      const names = await namesIn(directory);
      if (isForeign(names)) throw noStore(directory);
      return await load(directory, names, model);
    } catch (error) {
      if (attempt === attempts || errorCode(error) === 'ATOLL_NO_STORE') throw error;
      await wait(attempt * 100);
    }
  }
};

const noStore = (directory: string): Error =>
  storageError('ATOLL_NO_STORE', `${directory} holds no repository. Name a data directory of \`atoll serve\`.`);

const load = async (directory: string, names: readonly string[], model: RecordModel): Promise<StoredRepository> => {
  // Without a marker, recovery refuses the directory and says which file is missing.
  const { instance, format } = (await readMarker(directory)) ?? { instance: '', format: 1 };
  const warnings: string[] = [];
  const { records } = await recover({
    directory,
    instance,
    storeFormat: format,
    files: readOnlyFiles,
    warn: (message) => warnings.push(message),
    model: { ...model, indexKeys: () => [], keysVersion: undefined },
    blocks: createRecordBlocks(),
  });
  await verifyOlder(directory, instance, names);
  return { instance, entities: [...records.all()], counters: records.counters(), warnings };
};

const doNothing = (): Promise<void> => Promise.resolve();

const unwritableFile: OpenFile = {
  ...{ write: doNothing, writeAll: doNothing, sync: doNothing, truncate: doNothing, close: doNothing },
};

/** The disk without changes: `create` fails, and the other changing operations do nothing. */
const readOnlyFiles: Files = {
  ...diskFiles('os'),
  create: (path) => Promise.reject(new Error(`${path} is only looked at.`)),
  createNew: (path) => Promise.reject(new Error(`${path} is only looked at.`)),
  reopen: () => Promise.resolve(unwritableFile),
  rename: doNothing,
  remove: doNothing,
  makeDirectory: doNothing,
  syncDirectory: doNothing,
};

/** Verifies the generations before the newest checkpoint, which a start does not read. */
const verifyOlder = async (directory: string, instance: string, names: readonly string[]): Promise<void> => {
  const checkpoints = generationsOf('checkpoint', names);
  const newest = checkpoints.at(-1) ?? 0;
  for (const generation of checkpoints.filter((older) => older < newest)) {
    await readCheckpoint(join(directory, checkpointName(generation)), { instance, generation });
  }
  for (const generation of generationsOf('journal', names).filter((older) => older < newest)) {
    const file = join(directory, journalName(generation));
    const { bytes, sealed } = await readJournal(file, { instance, generation }, { apply: () => undefined });
    if (sealed === undefined) throw storeDamaged(file, bytes, 'the end of the journal is missing', repairAdvice);
  }
};

/** Whether a repair kept the files as they were: a lost batch may name bytes that no record names now. */
export const keepsUnnamedBytes = async (directory: string): Promise<boolean> =>
  (await namesIn(directory)).some((name) => name.startsWith(keptFolderPrefix));

/**
 * The names of all blobs in the kept generations. Reads the lines as text: a title that looks like a blob's name only
 * keeps a blob too long.
 */
export const blobKeysInGenerations = async (directory: string): Promise<ReadonlySet<string>> => {
  const names = await namesIn(directory);
  const keys = new Set<string>();
  for (const name of generationFiles(names)) {
    for await (const lines of readLines(join(directory, name))) {
      for (const { bytes } of lines) {
        for (const key of blobKeysIn(bytes.toString())) keys.add(key);
      }
    }
  }
  return keys;
};
