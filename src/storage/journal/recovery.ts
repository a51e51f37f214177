/** Reads the records of a store from its files. Repairs only what a crash interrupted, and refuses any other damage. */
import { join } from 'node:path';
import { temporarySuffix, type Files } from '../../basics/disk/files.ts';
import { readJournal, type JournalEnd } from './journal-file.ts';
import type { ChangeSet } from '../batched-entity-store.ts';
import type { RecordSet } from '../record-set.ts';
import { isBinding, readAcknowledgedEnd, type AcknowledgedEnd } from './acknowledged-end.ts';
import { readCheckpoint } from './checkpoint-file.ts';
import { loadCheckpoint, type LoadedCheckpoint } from './load-checkpoint.ts';
import type { RecordBlocks } from './record-blocks.ts';
import { isStoreDamaged, storeDamaged } from '../store-errors.ts';
import { generationsOf, journalName, checkpointName, repairAdvice } from './store-files.ts';
import type { RecordModel } from '../../openapi/openapi-records.ts';

export type RecoveryOptions = {
  readonly directory: string;
  readonly instance: string;
  /** The format in the marker. */
  readonly storeFormat: number;
  readonly files: Files;
  readonly warn: (message: string) => void;
  readonly model: RecordModel;
  /** Where the bytes of the records are kept. */
  readonly blocks: RecordBlocks;
};

/**
 * Loads the newest checkpoint, then its journal and every later one. The newest checkpoint may be missing when the one
 * before it is there, because journals are kept until two newer checkpoints exist. A journal must never be missing.
 * Resolves with the records and with the journal to continue: its generation and its `end`.
 */
export const recover = async (options: RecoveryOptions) => {
  const names = await options.files.names(options.directory);
  for (const name of names.filter((name) => /^(snapshot|journal)-/.test(name) && name.endsWith(temporarySuffix))) {
    await options.files.remove(join(options.directory, name));
  }
  const checkpoints = generationsOf('checkpoint', names);
  const newest = checkpoints.at(-1);
  if (newest === undefined) {
    throw storeDamaged(join(options.directory, checkpointName(1)), 0, 'no snapshot is there, but the marker is');
  }
  const { records, bytes: checkpointBytes } = await loadNewest(options, newest, checkpoints);
  const acknowledged = await acknowledgedEnd(options);
  const required = acknowledged?.isBinding === true ? acknowledged.end : undefined;
  const { generation, end } = await replay(options, records, newest, generationsOf('journal', names), required);
  if (acknowledged !== undefined && isBeyond(acknowledged.end, { generation, bytes: end.bytes })) {
    options.warn(
      `${options.directory}: the machine stopped; with durability os the last writes before that are missing.`,
    );
  }
  if (end.torn !== undefined) await truncateTornLine(options, generation, end);
  return { records, generation, end, checkpointBytes };
};

/** How far the journal was acknowledged, and whether all of that must be there. Undefined in a store of format 1. */
const acknowledgedEnd = async ({ directory, instance, storeFormat }: RecoveryOptions) => {
  if (storeFormat === 1) return undefined;
  const end = await readAcknowledgedEnd(directory, instance);
  return { end, isBinding: await isBinding(end) };
};

const isBeyond = (one: { generation: number; bytes: number }, other: { generation: number; bytes: number }): boolean =>
  one.generation > other.generation || (one.generation === other.generation && one.bytes > other.bytes);

const loadNewest = async (
  options: RecoveryOptions,
  generation: number,
  checkpoints: readonly number[],
): Promise<LoadedCheckpoint> => {
  const reading = loadCheckpoint(options, { instance: options.instance, generation });
  return withAdvice(reading, () => recoveryAdvice(options, checkpoints.slice(0, -1)));
};

/** Adds advice to the message of a `StoreDamaged` error. */
const withAdvice = async <T>(reading: Promise<T>, advice: () => string | Promise<string>): Promise<T> => {
  try {
    return await reading;
  } catch (error) {
    if (!isStoreDamaged(error)) throw error;
    throw Object.assign(error, { message: `${error.message} ${await advice()}` });
  }
};

/** The advice for a damaged checkpoint. Moving it away is enough, because the journals since the previous checkpoint are kept. */
const recoveryAdvice = async (options: RecoveryOptions, older: readonly number[]): Promise<string> => {
  for (const generation of older.toReversed()) {
    try {
      const file = join(options.directory, checkpointName(generation));
      await readCheckpoint(file, { instance: options.instance, generation });
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
  acknowledged: AcknowledgedEnd | undefined,
): Promise<{ generation: number; end: JournalEnd }> => {
  for (let generation = first; ; generation++) {
    const file = join(options.directory, journalName(generation));
    if (!journals.includes(generation)) throw storeDamaged(file, 0, 'the journal is missing', repairAdvice);
    const end = await readJournal(
      file,
      { instance: options.instance, generation },
      {
        apply: applyTo(records),
        acknowledged: acknowledged?.generation === generation ? acknowledged : undefined,
      },
    );
    if (end.sealed !== undefined) continue;
    if (acknowledged !== undefined && acknowledged.generation > generation) {
      throw storeDamaged(
        file,
        end.bytes,
        'the end of the journal is missing; a later one was acknowledged',
        repairAdvice,
      );
    }
    const later = journals.filter((other) => other > generation);
    if (later.length > 0) await removeUnused(options, generation + 1, later, end);
    return { generation, end };
  }
};

/** Applies change sets to records. */
export const applyTo =
  (records: RecordSet) =>
  ({ changes, counters }: ChangeSet): void => {
    for (const change of changes) records.apply(change);
    records.raise(counters);
  };

/** Removes a next journal that was created before this one was sealed. It must contain its first line only. */
const removeUnused = async (options: RecoveryOptions, next: number, later: readonly number[], end: JournalEnd) => {
  const file = join(options.directory, journalName(next));
  const unused =
    later.length === 1 && later[0] === next
      ? await readJournal(file, { instance: options.instance, generation: next }, { apply: () => undefined })
      : undefined;
  if (unused?.lines !== 1 || unused.torn !== undefined) {
    const before = join(options.directory, journalName(next - 1));
    throw storeDamaged(
      before,
      end.bytes,
      'the end of the journal is missing, but a later journal is there',
      repairAdvice,
    );
  }
  await options.files.remove(file);
  await options.files.syncDirectory(options.directory);
};

const truncateTornLine = async (options: RecoveryOptions, generation: number, end: JournalEnd): Promise<void> => {
  const path = join(options.directory, journalName(generation));
  const file = await options.files.reopen(path);
  try {
    await file.truncate(end.bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  options.warn(
    `${path}: the last batch was cut off at byte ${end.bytes} and never acknowledged; ${end.torn?.bytes ?? 0} bytes dropped.`,
  );
};
