/** The lowdb adapter that makes records durable with a checkpoint and a journal. */
import { join } from 'node:path';
import type { Files } from '../files.ts';
import { createJournal, openJournalWriter, type JournalWriter } from './journal-writer.ts';
import type { RecordSet } from '../record-set.ts';
import { createSemaphore } from '../semaphore.ts';
import { recover, type RecoveryOptions } from './recovery.ts';
import { writeCheckpoint } from './checkpoint-file.ts';
import { generationFiles, generationsOf } from './store-files.ts';

export type JournalStatistics = {
  readonly generation: number;
  readonly journalBytes: number;
  readonly checkpointBytes: number;
  readonly compactions: number;
  /** The oldest generation whose files are kept. */
  readonly oldestKept: number;
};

export type JournalAdapter = ReturnType<typeof createJournalAdapter>;

export type JournalAdapterOptions = RecoveryOptions & {
  /** A journal smaller than this is never compacted. */
  readonly smallJournalBytes: number;
};

/** Writes the files of an empty store: generation 1. */
export const createGeneration = async (files: Files, directory: string, instance: string): Promise<void> => {
  await createJournal(files, directory, instance, 1);
  await writeCheckpoint(files, directory, { instance, generation: 1 }, { entities: [], counters: {} });
};

/** Does nothing before `read`. The directory must be locked and have a marker. */
export const createJournalAdapter = (options: JournalAdapterOptions) => {
  const { directory, instance, files } = options;
  const enqueue = createSemaphore(1);
  let journal: JournalWriter | undefined;
  let checkpointBytes = 0;
  let compactions = 0;
  let oldestKept = 0;
  let compactAboveBytes = options.smallJournalBytes;

  const opened = (): JournalWriter => {
    if (journal === undefined) throw new Error('The adapter has not been read.');
    return journal;
  };

  const write = async (records: RecordSet, keepsPrevious = true): Promise<void> => {
    const content = { entities: records.all(), counters: records.counters() };
    // When the checkpoint fails, the journal may double before the next attempt.
    compactAboveBytes = Math.max(compactAboveBytes, opened().bytes() * 2);
    const generation = await enqueue(() => opened().rotate());
    checkpointBytes = await writeCheckpoint(files, directory, { instance, generation }, content);
    compactions += 1;
    compactAboveBytes = Math.max(options.smallJournalBytes, checkpointBytes);
    oldestKept = await removeOlder(files, directory, generation, keepsPrevious);
  };

  return {
    /** Loads the checkpoint and the journal. */
    read: async (): Promise<RecordSet> => {
      const recovered = await recover(options);
      journal = await openJournalWriter(options, recovered.generation, recovered.end);
      checkpointBytes = recovered.checkpointBytes;
      oldestKept = oldestOf(await files.names(directory));
      compactAboveBytes = Math.max(options.smallJournalBytes, checkpointBytes);
      return recovered.records;
    },
    /**
     * Makes a checkpoint of the data as they are at the call, while appends go on. It compacts the journal and is not
     * called for single changes.
     */
    write: (records: RecordSet) => write(records),
    /** Makes a checkpoint of records that no journal leads to, and removes all older generations. */
    seed: (records: RecordSet) => write(records, false),
    /** Whether a start would find a checkpoint newer than this generation. True when the directory cannot be read. */
    hasCheckpointAfter: async (generation: number): Promise<boolean> => {
      const names = await files.names(directory).catch(() => undefined);
      return names === undefined || generationsOf('checkpoint', names).some((found) => found > generation);
    },
    /** Makes one batch durable. */
    append: (entries: readonly string[], mayUseReserve: () => boolean) =>
      enqueue(() => opened().append(entries, mayUseReserve)),
    isOutOfSpace: () => opened().isOutOfSpace(),
    /** Whether the journal is larger than the checkpoint, so that a `write` would make the next start faster. */
    isCompactionDue: () => opened().bytes() > compactAboveBytes,
    statistics: (): JournalStatistics => ({
      generation: opened().generation(),
      journalBytes: opened().bytes(),
      checkpointBytes,
      compactions,
      oldestKept,
    }),
    close: () => enqueue(() => opened().close()),
  };
};

const oldestOf = (names: readonly string[]): number =>
  Math.min(...generationsOf('checkpoint', names), ...generationsOf('journal', names));

/** Removes what is older than the checkpoint before the newest one. Resolves with the oldest kept generation. */
const removeOlder = async (
  files: Files,
  directory: string,
  newest: number,
  keepsPrevious: boolean,
): Promise<number> => {
  const names = await files.names(directory);
  const previous = generationsOf('checkpoint', names).findLast((generation) => generation < newest);
  const oldestKept = keepsPrevious ? (previous ?? newest) : newest;
  const older = generationFiles(names, (generation) => generation < oldestKept);
  for (const name of older) await files.remove(join(directory, name));
  return oldestKept;
};
