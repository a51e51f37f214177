/** Writes a repository as a directory with one JSON file per record and one file per blob, which git can compare. */
import { createHash } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { storedTypes } from '../../core/model/entity.ts';
import { exportedBlobName, exportedRecord, exportFile, exportFileName, exportText } from './export-format.ts';
import { chunksOf } from '../../basics/byte-streams.ts';
import { ifThere } from '../../basics/error-code.ts';
import { temporarySuffix } from '../../basics/disk/files.ts';
import type { BlobReference, Entity, BlobStorage, Counters } from '../../openapi/openapi-records.ts';

/** What is exported, by type and ascending id. `blobsOf` returns the storage of a file's bytes. */
export type ExportSource = {
  readonly entities: Iterable<Entity> | AsyncIterable<Entity>;
  readonly counters: Counters;
  readonly blobsOf: (file: Entity) => Pick<BlobStorage, 'open'> | undefined;
};

/** `lost`: the files whose bytes are missing or changed. Their records are written without bytes. */
type ExportOutcome = { readonly records: number; readonly blobs: number; readonly lost: readonly Entity[] };

/** The error code for a target directory with other files. */
export const exportTargetCode = 'ATOLL_EXPORT_TARGET';

/**
 * Fills a new or empty directory, or updates an earlier export. Leaves names with a leading dot alone, such as `.git`.
 * The same repository always gives the same bytes. Rejects with `ATOLL_EXPORT_TARGET` or the system's error. An
 * interrupted export has `unfinished` in its `export.json`.
 */
export const writeExport = async (
  target: string,
  source: ExportSource,
  onProgress: (done: number) => void,
): Promise<ExportOutcome> => {
  await prepareTarget(target);
  await refuseLinks(target);
  const written = new Set<string>();
  const lost: Entity[] = [];
  await writeJson(join(target, exportFileName), { ...exportFile({}), unfinished: true });
  for (const folder of folders) await mkdir(join(target, folder), { recursive: true });
  let records = 0;
  for await (const entity of source.entities) {
    const blob = await writeBlob(target, entity, source, written);
    if (blob === undefined && entity.blob !== undefined) lost.push(entity);
    const name = join(entity.type, `${entity.id}.json`);
    await writeJson(join(target, name), exportedRecord(entity, blob));
    written.add(name);
    onProgress((records += 1));
  }
  await removeOthers(target, written);
  await writeJson(join(target, exportFileName), exportFile(source.counters));
  const blobs = [...written].filter((name) => name.startsWith('blobs')).length;
  return { records, blobs, lost };
};

const folders = [...storedTypes, 'blobs'];

/** A link is not followed, also when it came after `refuseLinks`. Windows has no such flag, which then counts as 0. */
const writeFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

const writeJson = (path: string, value: object): Promise<void> =>
  writeFile(path, exportText(value), { mode: 0o600, flag: writeFlags });

const prepareTarget = async (target: string): Promise<void> => {
  await mkdir(target, { recursive: true, mode: 0o700 });
  const names = await readdir(target);
  if (names.includes(exportFileName) || names.every((name) => name.startsWith('.'))) return;
  const message = `${target} holds something else than an export. Name a new directory, or one that was exported to before.`;
  throw Object.assign(new Error(message), { code: exportTargetCode });
};

/** Refuses a target in which something leads elsewhere or cannot be replaced: git and archives bring such things along. */
const refuseLinks = async (target: string): Promise<void> => {
  const top = await readdir(target, { withFileTypes: true });
  const places = top.filter(({ name }) => name === exportFileName || folders.includes(name));
  const inside = await Promise.all(
    places
      .filter((place) => place.isDirectory())
      .map(async ({ name: folder }) =>
        (await readdir(join(target, folder), { withFileTypes: true })).map((entry) => ({
          name: join(folder, entry.name),
          isWanted: entry.isFile() || entry.isDirectory(),
        })),
      ),
  );
  const all = places.map((place) => ({
    name: place.name,
    isWanted: place.name === exportFileName ? place.isFile() : place.isDirectory(),
  }));
  const strange = [...all, ...inside.flat()].find(({ isWanted }) => !isWanted);
  if (strange === undefined) return;
  const message = `${join(target, strange.name)} is a link or no ordinary file. Remove it, or name another directory.`;
  throw Object.assign(new Error(message), { code: exportTargetCode });
};

const writeBlob = async (
  target: string,
  file: Entity,
  source: ExportSource,
  written: Set<string>,
): Promise<BlobReference | undefined> => {
  if (file.blob === undefined) return undefined;
  const key = exportedBlobName(file, file.blob.sha256);
  const name = join('blobs', key);
  const path = join(target, name);
  const reference = { ...file.blob, key };
  if (written.has(name)) return reference;
  const stream = await source.blobsOf(file)?.open(file.blob);
  if (stream === undefined) return undefined;
  const sum = createHash('sha256');
  const temporary = `${path}${temporarySuffix}`;
  // An export that was cut short may have left one.
  await rm(temporary, { force: true });
  const summed = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunksOf(stream)) {
      sum.update(chunk);
      yield chunk;
    }
  };
  await pipeline(summed, createWriteStream(temporary, { mode: 0o600, flags: 'wx' }));
  if (sum.digest('hex') !== file.blob.sha256) {
    await rm(temporary, { force: true });
    return undefined;
  }
  await rename(temporary, path);
  written.add(name);
  return reference;
};

/** Removes the files of an earlier export that this one did not write. */
const removeOthers = async (target: string, written: ReadonlySet<string>): Promise<void> => {
  for (const folder of folders) {
    const names = (await readdir(join(target, folder))).map((name) => join(folder, name));
    const others = names.filter((name) => !written.has(name));
    for (const name of others) await rm(join(target, name), { recursive: true, force: true });
    // Git does not keep empty folders.
    if (others.length === names.length) await rm(join(target, folder), { recursive: true });
  }
};

/** Whether a directory is, or was meant to be, an export. */
export const isExport = async (directory: string): Promise<boolean> => {
  const found = await ifThere(stat(join(directory, exportFileName)), ['ENOENT', 'ENOTDIR']);
  return found?.isFile() ?? false;
};
