/** From the files of a store back to its records. Only what a crash cut off is repaired; damage is refused. */
import { join } from 'node:path';
import { temporarySuffix } from '../files.ts';
import type { Files } from '../files.ts';
import { readJournal } from './journal-file.ts';
import type { JournalEnd } from './journal-file.ts';
import type { RecordSet } from '../record-set.ts';
import { readCheckpoint } from './checkpoint-file.ts';
import { isStoreDamaged, storeDamaged } from './store-damaged.ts';
import { generationsOf, journalName, checkpointName } from './store-files.ts';

/** What the adapter goes on from: the journal that is written next, its good size and number of lines. */
export type Recovered = {
  readonly records: RecordSet;
  readonly generation: number;
  readonly journalBytes: number;
  readonly journalLines: number;
  readonly snapshotBytes: number;
};

export type RecoveryOptions = {
  readonly directory: string;
  readonly instance: string;
  readonly files: Files;
  readonly warn: (message: string) => void;
  readonly emptyRecords: () => RecordSet;
};

/**
 * Newest snapshot, then its journal and every later one. A snapshot may be missing when the generation before it is
 * still there, because journals are kept until two newer snapshots exist; a journal never may.
 */
export const recover = async (options: RecoveryOptions): Promise<Recovered> => {
  const names = await options.files.names(options.directory);
  for (const name of names.filter((name) => /^(snapshot|journal)-/.test(name) && name.endsWith(temporarySuffix))) {
    await options.files.remove(join(options.directory, name));
  }
  const snapshots = generationsOf('snapshot', names);
  const newest = snapshots.at(-1);
  if (newest === undefined) {
    throw storeDamaged(join(options.directory, checkpointName(1)), 0, 'no snapshot is there, but the marker is');
  }
  const records = options.emptyRecords();
  const snapshotBytes = await loadSnapshot(options, records, newest, snapshots);
  const { generation, end } = await replay(options, records, newest, generationsOf('journal', names));
  if (end.torn !== undefined) await cutOff(options, generation, end);
  return { records, generation, journalBytes: end.bytes, journalLines: end.lines, snapshotBytes };
};

const loadSnapshot = async (
  options: RecoveryOptions,
  records: RecordSet,
  generation: number,
  snapshots: readonly number[],
): Promise<number> => {
  const file = join(options.directory, checkpointName(generation));
  try {
    return await readCheckpoint(
      file,
      { instance: options.instance, generation },
      { entity: (entity) => records.apply({ put: entity }), counters: (counters) => records.raise(counters) },
    );
  } catch (error) {
    if (!isStoreDamaged(error)) throw error;
    throw Object.assign(error, { message: `${error.message} ${await newestGood(options, snapshots.slice(0, -1))}` });
  }
};

/** The advice for a damaged snapshot. Moving it away is enough: the journals since the one before are still there. */
const newestGood = async (options: RecoveryOptions, older: readonly number[]): Promise<string> => {
  for (const generation of older.toReversed()) {
    try {
      const file = join(options.directory, checkpointName(generation));
      const nothing = { entity: () => undefined, counters: () => undefined };
      await readCheckpoint(file, { instance: options.instance, generation }, nothing);
      return `Newest good generation: ${generation}. Move the damaged file away to start from it and the journals since.`;
    } catch (error) {
      if (!isStoreDamaged(error)) throw error;
    }
  }
  return 'There is no older good generation.';
};

const replay = async (
  options: RecoveryOptions,
  records: RecordSet,
  first: number,
  journals: readonly number[],
): Promise<{ generation: number; end: JournalEnd }> => {
  const fileOf = (generation: number): string => join(options.directory, journalName(generation));
  for (let generation = first; ; generation++) {
    const file = fileOf(generation);
    const advice = `Newest good generation: snapshot ${first}, without what was written since.`;
    if (!journals.includes(generation)) throw storeDamaged(file, 0, 'the journal is missing', advice);
    const end = await readWithAdvice(options, records, generation, advice);
    if (end.sealed !== undefined) continue;
    const later = journals.filter((other) => other > generation);
    if (later.length > 0) await removeUnused(options, generation + 1, later, end);
    return { generation, end };
  }
};

const readWithAdvice = async (options: RecoveryOptions, records: RecordSet, generation: number, advice: string) => {
  const file = join(options.directory, journalName(generation));
  try {
    return await readJournal(file, { instance: options.instance, generation }, ({ changes, counters }) => {
      for (const change of changes) records.apply(change);
      records.raise(counters);
    });
  } catch (error) {
    if (!isStoreDamaged(error)) throw error;
    throw Object.assign(error, { message: `${error.message} ${advice}` });
  }
};

/** The next journal may be there already, but nothing was written to it before this one was sealed. */
const removeUnused = async (options: RecoveryOptions, next: number, later: readonly number[], end: JournalEnd) => {
  const file = join(options.directory, journalName(next));
  const unused =
    later.length === 1 && later[0] === next
      ? await readJournal(file, { instance: options.instance, generation: next }, () => undefined)
      : undefined;
  if (unused?.lines !== 1 || unused.torn !== undefined) {
    const before = join(options.directory, journalName(next - 1));
    throw storeDamaged(before, end.bytes, 'the end of the journal is missing, but a later journal is there');
  }
  await options.files.remove(file);
  await options.files.syncDirectory(options.directory);
};

const cutOff = async (options: RecoveryOptions, generation: number, end: JournalEnd): Promise<void> => {
  const path = join(options.directory, journalName(generation));
  const file = await options.files.reopen(path);
  try {
    await file.truncate(end.bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  options.warn(
    `${path}: the last line was cut off at byte ${end.bytes} and never acknowledged; ${end.torn?.bytes ?? 0} bytes dropped.`,
  );
};
