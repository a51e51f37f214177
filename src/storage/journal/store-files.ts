/** The file names and the marker of a store's directory, and the check of a directory for a new store. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere, temporarySuffix, writeWhole, type Files } from '../files.ts';
import { storeDamaged } from './store-damaged.ts';

/** The version of the file formats. Raise it when the format of any file changes. */
export const formatVersion = 1;

/** The store and generation of a file, so that a file of another store is noticed. */
export type StoreIdentity = { readonly instance: string; readonly generation: number };

const markerName = 'atoll.json';
/** Exists while a new store is being created, before any write is acknowledged. */
export const unfinishedName = 'atoll-new.json';
export const lockName = 'lock';
export const reserveName = 'reserve';
/** On disk, checkpoints have the name `snapshot`. */
export const checkpointName = (generation: number): string => `snapshot-${generation}.json`;
export const journalName = (generation: number): string => `journal-${generation}.jsonl`;

const generationPatterns = {
  checkpoint: /^snapshot-(?<generation>[1-9]\d{0,14})\.jsonl?$/,
  journal: /^journal-(?<generation>[1-9]\d{0,14})\.jsonl?$/,
};

/** The generations in the names of a directory, ascending. */
export const generationsOf = (kind: keyof typeof generationPatterns, names: readonly string[]): number[] =>
  names
    .map((name) => Number(generationPatterns[kind].exec(name)?.groups?.['generation'] ?? 0))
    .filter((generation) => generation > 0)
    .sort((a, b) => a - b);

/** The names of the files of all wanted generations, checkpoints first. */
export const generationFiles = (
  names: readonly string[],
  isWanted: (generation: number) => boolean = () => true,
): string[] => [
  ...generationsOf('checkpoint', names).filter(isWanted).map(checkpointName),
  ...generationsOf('journal', names).filter(isWanted).map(journalName),
];

/** The instance id of the store; undefined without a marker. Throws `StoreDamaged` when the marker is not valid. */
export const readMarker = async (directory: string): Promise<string | undefined> => {
  const file = join(directory, markerName);
  const text = await ifThere(readFile(file, 'utf8'));
  if (text === undefined) return undefined;
  const marker = /^\{"format":(?<format>\d+),"instance":"(?<instance>[\w-]+)"\}\n$/.exec(text)?.groups;
  if (marker === undefined) throw storeDamaged(file, 0, 'this is not a marker of an Atoll store');
  if (Number(marker['format']) !== formatVersion) {
    throw storeDamaged(file, 0, `format ${marker['format']} is not known; this program reads format ${formatVersion}`);
  }
  return marker['instance'];
};

/** Writes the marker. This happens once, when the first checkpoint and journal exist. */
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
    const ours = [checkpointName(1), journalName(1), markerName].flatMap((name) => [name, name + temporarySuffix]);
    for (const name of [...ours, reserveName]) await files.remove(join(directory, name));
  }
  const left = (await files.names(directory)).filter(
    (name) => ![lockName, unfinishedName, `${unfinishedName}${temporarySuffix}`, 'lost+found'].includes(name),
  );
  if (left.length > 0) {
    const found = left.slice(0, 3).join(', ');
    throw storeDamaged(join(directory, markerName), 0, `the marker is missing, but the directory holds ${found}`);
  }
  await writeWhole(files, join(directory, unfinishedName), '{}\n');
  await files.syncDirectory(directory);
};
