/** Writes a repository as a directory with one JSON file per record and one file per blob, which git can compare. */
import { storageError } from '../store-errors.ts';
import { constants, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { temporarySuffix } from '../../basics/disk/files.ts';
import { ifThere } from '../../basics/error-code.ts';
import { writtenText } from '../../basics/records/record-form.ts';
import type { Entity } from '../../openapi/openapi-records.ts';
import { exportFileName, exportHead, recordTypes } from './export-format.ts';
import { exportedFiles, type ExportSource } from './exported-files.ts';

/** `lost`: the files whose bytes are missing or changed. Their records are written without bytes. */
type ExportOutcome = { readonly records: number; readonly blobs: number; readonly lost: readonly Entity[] };

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
  const outcome = { records: 0, blobs: 0, lost };
  const writeText = (name: string, text: string): Promise<void> =>
    writeFile(join(target, name), text, { mode: 0o600, flag: writeFlags });
  await writeText(exportFileName, writtenText({ ...exportHead({}), unfinished: true }));
  for (const folder of folders) await mkdir(join(target, folder), { recursive: true });
  for await (const file of exportedFiles(source, lost)) {
    const name = join(file.name);
    if ('text' in file) {
      await writeText(name, file.text);
      onProgress((outcome.records += 1));
    } else {
      if (!(await writeBytes(join(target, name), file))) continue;
      outcome.blobs += 1;
    }
    written.add(name);
  }
  await removeOthers(target, written);
  await writeText(exportFileName, writtenText(exportHead(source.counters)));
  return outcome;
};

const folders = [...recordTypes, 'blobs'];

/** A link is not followed, also when it came after `refuseLinks`. Windows has no such flag, which then counts as 0. */
const writeFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

const prepareTarget = async (target: string): Promise<void> => {
  await mkdir(target, { recursive: true, mode: 0o700 });
  const names = await readdir(target);
  if (names.includes(exportFileName) || names.every((name) => name.startsWith('.'))) return;
  const message = `${target} holds something else than an export. Name a new directory, or one that was exported to before.`;
  throw storageError('ATOLL_EXPORT_TARGET', message);
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
  throw storageError('ATOLL_EXPORT_TARGET', message);
};

/** Resolves with whether the bytes are those of their record. Others are not kept. */
const writeBytes = async (
  path: string,
  { bytes, areWhole }: { readonly bytes: AsyncIterable<Uint8Array>; readonly areWhole: () => boolean },
): Promise<boolean> => {
  const temporary = `${path}${temporarySuffix}`;
  // An export that was cut short may have left one.
  await rm(temporary, { force: true });
  await pipeline(bytes, createWriteStream(temporary, { mode: 0o600, flags: 'wx' }));
  if (areWhole()) await rename(temporary, path);
  else await rm(temporary, { force: true });
  return areWhole();
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
