/** The file names and the marker of a store's directory, and the check of a directory for a new store. */
import { join } from 'node:path';
import { readRegularFile } from './checksummed-lines.ts';
import { namesIn, temporarySuffix, writeWhole, type Files } from '../../basics/disk/files.ts';
import { lockName } from '../../basics/disk/directory-lock.ts';
import { storageError, storeDamaged } from '../store-errors.ts';

/**
 * The version of the file formats. Raise it when the format of any file changes. In format 1 each change set was a line of
 * its own, and nothing said how far the journal was acknowledged. Format 2 had no records of collections, and its programs
 * would lose them. Such stores are read, and have this format once they are opened to be written.
 */
export const formatVersion = 3;

/** Ends the message of damage that `repair.ts` can deal with. */
export const repairAdvice =
  '`atoll check --repair` says what is lost, keeps these files and makes a store that starts.';

/** The store and generation of a file, so that a file of another store is noticed. */
export type StoreIdentity = { readonly instance: string; readonly generation: number };

export const markerName = 'atoll.json';
/** How far the journal was acknowledged. */
export const endName = 'journal.end';
/** Exists while a new store is being created, before any write is acknowledged. */
export const unfinishedName = 'atoll-new.json';
export const reserveName = 'reserve';
/** A repair keeps the files as they were in such a folder. While it is there, no bytes without a record are removed. */
export const keptFolderPrefix = 'before-repair-';
/** On disk, checkpoints have the name `snapshot`. */
export const checkpointName = (generation: number): string => `snapshot-${generation}.json`;
/** The index of a checkpoint. Older programs neither read nor remove it. */
export const indexName = (generation: number): string => `snapshot-${generation}.index`;
export const journalName = (generation: number): string => `journal-${generation}.jsonl`;

const generationPatterns = {
  checkpoint: /^snapshot-(?<generation>[1-9]\d{0,14})\.jsonl?$/,
  journal: /^journal-(?<generation>[1-9]\d{0,14})\.jsonl?$/,
  index: /^snapshot-(?<generation>[1-9]\d{0,14})\.index$/,
};

/** The generation in the name of a checkpoint or journal; undefined for any other name. */
export const generationOf = (name: string): number | undefined =>
  generationsOf('checkpoint', [name])[0] ?? generationsOf('journal', [name])[0];

/** Whether a running server must keep finding the same file under this name. */
export const isGuardedName = (name: string): boolean =>
  [markerName, lockName, endName].includes(name) || generationOf(name) !== undefined;

/** The generations in the names of a directory, ascending. */
export const generationsOf = (kind: keyof typeof generationPatterns, names: readonly string[]): number[] =>
  names
    .map((name) => Number(generationPatterns[kind].exec(name)?.groups?.['generation'] ?? 0))
    .filter((generation) => generation > 0)
    .sort((a, b) => a - b);

/** The names of the files of all wanted generations, checkpoints first and their indexes last. */
export const generationFiles = (
  names: readonly string[],
  isWanted: (generation: number) => boolean = () => true,
): string[] => [
  ...generationsOf('checkpoint', names).filter(isWanted).map(checkpointName),
  ...generationsOf('journal', names).filter(isWanted).map(journalName),
  ...generationsOf('index', names).filter(isWanted).map(indexName),
];

export type Marker = { readonly instance: string; readonly format: number };

/** The marker of the store; undefined when there is none. Throws `StoreDamaged` when it is not valid. */
export const readMarker = async (directory: string): Promise<Marker | undefined> => {
  if (!(await namesIn(directory)).includes(markerName)) return undefined;
  const file = join(directory, markerName);
  const text = (await readRegularFile(file)).toString();
  const marker = /^\{"format":(?<format>\d+),"instance":"(?<instance>[\w-]+)"\}\n$/.exec(text)?.groups;
  if (marker === undefined) throw storeDamaged(file, 0, 'this is not a marker of an Atoll store', repairAdvice);
  const format = Number(marker['format']);
  if (format < 1 || format > formatVersion) {
    throw storeDamaged(file, 0, `format ${format} is not known; this program reads formats 1 to ${formatVersion}`);
  }
  return { instance: marker['instance'] ?? '', format };
};

/** Writes the marker: when the first checkpoint and journal exist, and once more for a store of an older format. */
export const writeMarker = async (files: Files, directory: string, instance: string): Promise<void> => {
  await writeWhole(files, join(directory, markerName), `{"format":${formatVersion},"instance":"${instance}"}\n`);
  await files.remove(join(directory, unfinishedName));
  await files.syncDirectory(directory);
};

/**
 * Prepares a directory for a new store. Removes what an interrupted first start left, and refuses a directory with any
 * other file: a missing volume or a deleted marker must not look like a new site.
 */
export const prepareNewDirectory = async (files: Files, directory: string): Promise<void> => {
  const names = await files.names(directory);
  if (names.includes(unfinishedName)) {
    const ours = [checkpointName(1), journalName(1), endName, markerName].flatMap((name) => [
      name,
      name + temporarySuffix,
    ]);
    for (const name of [...ours, reserveName]) await files.remove(join(directory, name));
  }
  const left = (await files.names(directory)).filter(
    (name) => ![lockName, unfinishedName, `${unfinishedName}${temporarySuffix}`, 'lost+found'].includes(name),
  );
  if (left.length > 0) {
    const found = left.slice(0, 3).join(', ');
    if (isForeign(left)) throw foreignDirectory(directory, found);
    throw storeDamaged(join(directory, markerName), 0, `the marker is missing, but the directory holds ${found}`);
  }
  await writeWhole(files, join(directory, unfinishedName), '{}\n');
  await files.syncDirectory(directory);
};

const foreignDirectory = (directory: string, found: string): Error =>
  storageError(
    'ATOLL_FOREIGN_DIRECTORY',
    `${directory} holds other files (${found}) and no repository. Name a new or an empty directory.`,
  );

const ownNames: ReadonlySet<string> = new Set([
  markerName,
  endName,
  reserveName,
  'blobs',
  'jwt-key.pem',
  'jwt-key.pem.made',
  'control-tokens.json',
  'judged-site.json',
]);

/** Whether none of the names in a directory is one that a store has. */
export const isForeign = (names: readonly string[]): boolean =>
  !names.some(
    (name) =>
      ownNames.has(name) ||
      name.startsWith(keptFolderPrefix) ||
      generationOf(name.replace(temporarySuffix, '')) !== undefined,
  );
