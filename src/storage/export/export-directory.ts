/** Reads a repository from a directory with one JSON file per record and one file per blob. Fixtures have this format. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { storedTypes } from '../../core/model/entity.ts';
import { openRegularFile, readRegularFileSync, unreadableReason } from '../../basics/disk/regular-file.ts';
import { fileStream } from '../../basics/disk/web-stream.ts';
import { namesIn } from '../../basics/disk/files.ts';
import type { InitialRecords } from '../memory-entity-store.ts';
import { readOnlyBlobs } from '../blobs/read-only-blobs.ts';
import { exportFileName, isExportedBlobName, isKnownFormat, type ExportFile } from './export-format.ts';
import type { Entity, BlobStorage, ByteRange } from '../../openapi/openapi-records.ts';

/** The error code for a directory that is not an export. The message names file and remedy. */
export const exportUnreadableCode = 'ATOLL_EXPORT_UNREADABLE';

const unreadable = (file: string, reason: string, cause?: unknown): Error =>
  Object.assign(new Error(`${file}: ${reason}`, { cause }), { code: exportUnreadableCode });

/** Reads every record of an export, by type and ascending id. Rejects with `ATOLL_EXPORT_UNREADABLE`. */
export const readExport = async (directory: string): Promise<InitialRecords> => {
  const file = join(directory, exportFileName);
  const { format, counters, unfinished } = readJsonFile(file) as ExportFile; // `atoll export` made it
  if (!isKnownFormat(format))
    throw unreadable(file, `format ${format} is not known to this version. Use a newer Atoll.`);
  if (unfinished === true) throw unreadable(file, 'the export was cut short. Export again.');
  let entities: readonly Entity[] = [];
  for (const type of storedTypes) entities = [...entities, ...(await readRecords(directory, type))];
  return { entities, counters };
};

/** How many files are read before others have their turn: that takes about a millisecond. */
const filesPerRound = 64;

const readRecords = async (directory: string, type: string): Promise<Entity[]> => {
  const folder = join(directory, type);
  const files = (await namesIn(folder))
    .filter((name) => /^\d+\.json$/.test(name))
    .sort((a, b) => parseInt(a, 10) - parseInt(b, 10));
  const entities: Entity[] = [];
  for (let start = 0; start < files.length; start += filesPerRound) {
    if (start > 0) await othersTurn();
    const some = files.slice(start, start + filesPerRound);
    entities.push(...some.map((name) => readRecord(join(folder, name), type, parseInt(name, 10))));
  }
  return entities;
};

/** The record must have the type and id of its path, so that no two files have the same id. */
const readRecord = (file: string, type: string, id: number): Entity => {
  const record = readJsonFile(file) as Partial<Entity> | null; // looked at here
  if (record?.type === type && record.id === id) return record as Entity; // `atoll check` judges the rest
  throw unreadable(file, `the record says another type or id than its place, ${type} ${id}.`);
};

const readJsonFile = (file: string): unknown => {
  try {
    return JSON.parse(readRegularFileSync(file).toString());
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? '' : `: ${unreadableReason(cause)}`;
    throw unreadable(file, `cannot be read as JSON${reason}. Name a directory that \`atoll export\` made.`, cause);
  }
};

/** A stream of a file's bytes. Undefined when it is missing, has another size, or is not a regular file. */
export const openBytes = async (
  path: string,
  size: number,
  range: ByteRange = { start: 0, end: size - 1 },
): Promise<ReadableStream<Uint8Array> | undefined> => {
  const handle = await openRegularFile(path).catch(() => undefined);
  if (handle === undefined) return undefined;
  if ((await handle.stat()).size === size) return fileStream(handle, range);
  await handle.close();
  return undefined;
};

/** The blobs of an export, for reading only. */
export const exportBlobs = (directory: string): BlobStorage => {
  const folder = join(directory, 'blobs');
  return readOnlyBlobs(folder, {
    open: async (blob, range) => {
      if (!isExportedBlobName(blob.key)) return undefined;
      return openBytes(join(folder, blob.key), blob.size, range);
    },
    keys: async () => (await readdir(folder).catch(() => [])).sort(),
  });
};
