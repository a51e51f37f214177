/** The names and the marker of a store's directory, and which directory may become a new store. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, temporarySuffix, writeWhole } from '../files.ts';
import type { Files } from '../files.ts';
import { storeDamaged } from './store-damaged.ts';

/** The version of everything below; a change of any file's shape raises it. */
export const formatVersion = 1;

/** Whose file it is, so that files of another store are not taken for this one's. */
export type StoreIdentity = { readonly instance: string; readonly generation: number };

const markerName = 'atoll.json';
/** Stands while a new store is being made, before anything has been acknowledged. */
export const unfinishedName = 'atoll-new.json';
export const lockName = 'lock';
export const reserveName = 'reserve';
export const checkpointName = (generation: number): string => `snapshot-${generation}.json`;
export const journalName = (generation: number): string => `journal-${generation}.jsonl`;

const generationPattern = /^(?<kind>snapshot|journal)-(?<generation>[1-9]\d{0,14})\.jsonl?$/;

/** The generations that a directory's names speak of, ascending. */
export const generationsOf = (kind: 'snapshot' | 'journal', names: readonly string[]): number[] =>
  names
    .map((name) => generationPattern.exec(name)?.groups)
    .filter((groups) => groups?.['kind'] === kind)
    .map((groups) => Number(groups?.['generation']))
    .sort((a, b) => a - b);

/** The instance id of the store, undefined when the directory is new and empty. Anything else is damage. */
export const readMarker = async (directory: string): Promise<string | undefined> => {
  const file = join(directory, markerName);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const marker = /^\{"format":(?<format>\d+),"instance":"(?<instance>[\w-]+)"\}\n$/.exec(text)?.groups;
  if (marker === undefined) throw storeDamaged(file, 0, 'this is not a marker of an Atoll store');
  if (Number(marker['format']) !== formatVersion) {
    throw storeDamaged(file, 0, `format ${marker['format']} is not known; this program reads format ${formatVersion}`);
  }
  return marker['instance'];
};

/** A marker is written when the first snapshot and journal are there, and never again. */
export const writeMarker = async (files: Files, directory: string, instance: string): Promise<void> => {
  await writeWhole(files, join(directory, markerName), `{"format":${formatVersion},"instance":"${instance}"}\n`);
  await files.remove(join(directory, unfinishedName));
  await files.syncDirectory(directory);
};

/**
 * Clears what a start left behind that was cut off while it made a new store, and refuses a directory in which
 * anything else lies: a missing volume or a deleted marker must not look like a new site (cases: D20).
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
