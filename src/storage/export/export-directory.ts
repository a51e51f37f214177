/** Reads a repository from a directory with one JSON file per record and one file per blob. Fixtures have this format. */
import { storageError } from '../store-errors.ts';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as othersTurn } from 'node:timers/promises';
import type { StoredRecordFault } from '../../basics/records/record-faults.ts';
import type { Entity, BlobStorage } from '../../openapi/openapi-records.ts';
import { readRegularFileSync, unreadableReason } from '../../basics/disk/regular-file.ts';
import { openFileOfSize } from '../../basics/disk/web-stream.ts';
import { namesIn } from '../../basics/disk/files.ts';
import type { InitialRecords } from '../memory-entity-store.ts';
import { readOnlyBlobs } from '../blobs/read-only-blobs.ts';
import {
  exportFileName,
  isExportedBlobName,
  readHead,
  readRecord,
  recordFileName,
  recordTypes,
  type ReadFile,
} from './export-format.ts';
import { jsonLine } from './json-line.ts';

const unreadable = (message: string, cause?: unknown): Error => storageError('ATOLL_EXPORT_UNREADABLE', message, cause);

/** Reads every record of an export, by type and ascending id. Rejects with `ATOLL_EXPORT_UNREADABLE`. */
export const readExport = async (directory: string): Promise<InitialRecords> => {
  const counters = readHead(fileAt(join(directory, exportFileName)));
  let entities: readonly Entity[] = [];
  for (const type of recordTypes) entities = [...entities, ...(await readRecords(directory, type))];
  return { entities, counters };
};

/** How many files are read before others have their turn: that takes about a millisecond. */
const filesPerRound = 64;

const readRecords = async (directory: string, type: string): Promise<Entity[]> => {
  const names = (await namesIn(join(directory, type)))
    .filter((name) => /^\d+\.json$/.test(name))
    .sort((a, b) => parseInt(a, 10) - parseInt(b, 10));
  const entities: Entity[] = [];
  for (const [index, name] of names.entries()) {
    if (index > 0 && index % filesPerRound === 0) await othersTurn();
    entities.push(readRecord(fileAt(join(directory, type, name)), `${type}/${name}`));
  }
  return entities;
};

const fileAt = (path: string): ReadFile => {
  const name = `${path}:`;
  try {
    return { name, text: readRegularFileSync(path).toString(), unreadable };
  } catch (cause) {
    const reason = unreadableReason(cause);
    throw unreadable(`${name} cannot be read as JSON: ${reason}. Name a directory that \`atoll export\` made.`, cause);
  }
};

/** Where an export has what a fault names: file, line and record. Undefined where the directory has no such file. */
export const placeInExport = (directory: string, { record, place }: StoredRecordFault): string | undefined => {
  const file = recordFileName(record);
  try {
    const text = readRegularFileSync(join(directory, file)).toString();
    return `${file} line ${jsonLine(text, place)}, ${record.type}:${record.id}`;
  } catch {
    return undefined;
  }
};

/** The blobs of an export, for reading only. */
export const exportBlobs = (directory: string): BlobStorage => {
  const folder = join(directory, 'blobs');
  return readOnlyBlobs(folder, {
    open: async (blob, range) => {
      if (!isExportedBlobName(blob.key)) return undefined;
      return openFileOfSize(join(folder, blob.key), blob.size, range);
    },
    keys: async () => (await readdir(folder).catch(() => [])).sort(),
  });
};
