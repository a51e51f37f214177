/** The lowdb adapter that makes records durable: snapshot and journal. What the records mean is not known here. */
import type { Adapter } from 'lowdb';
import { join } from 'node:path';
import type { Files } from '../files.ts';
import { createJournal, openJournalWriter } from './journal-writer.ts';
import type { JournalWriter } from './journal-writer.ts';
import type { RecordSet } from '../record-set.ts';
import { recover } from './recovery.ts';
import { writeCheckpoint } from './checkpoint-file.ts';
import { generationsOf, journalName, checkpointName } from './store-files.ts';

export type JournalStatistics = {
  readonly generation: number;
  readonly journalBytes: number;
  readonly snapshotBytes: number;
  readonly compactions: number;
  /** The oldest generation whose files are kept. */
  readonly oldestKept: number;
};

/**
 * `read` = snapshot + journal; `write` = a new snapshot of the data as it is at the call, beside appends that go on;
 * `append` = one durable batch. Nobody calls `write` per change.
 */
export type JournalAdapter = Adapter<RecordSet> & {
  readonly append: (entries: readonly string[], relieves: () => boolean) => Promise<void>;
  /** A snapshot of records that no journal holds: no older generation is kept, because none leads to them. */
  readonly seed: (records: RecordSet) => Promise<void>;
  /** Whether a start would find a snapshot that is newer than this generation; also when nobody can tell. */
  hasSnapshotAfter(generation: number): Promise<boolean>;
  readonly isCramped: () => boolean;
  /** The journal has outgrown the snapshot: a `write` would make the next start faster. */
  isOutgrown(): boolean;
  statistics(): JournalStatistics;
  close(): Promise<void>;
};

export type JournalAdapterOptions = {
  readonly directory: string;
  readonly instance: string;
  readonly files: Files;
  readonly warn: (message: string) => void;
  readonly emptyRecords: () => RecordSet;
  /** A journal smaller than this is never compacted. */
  readonly smallJournalBytes: number;
};

/** Writes the files of an empty store: generation 1. */
export const createGeneration = async (files: Files, directory: string, instance: string): Promise<void> => {
  await createJournal(files, directory, instance, 1);
  await writeCheckpoint(files, directory, { instance, generation: 1 }, { entities: [], counters: {} });
};

/** Does nothing until `read`; the directory has a marker and is locked. */
export const createJournalAdapter = (options: JournalAdapterOptions): JournalAdapter => {
  const { directory, instance, files } = options;
  const inARow = createRow();
  let journal: JournalWriter | undefined;
  let snapshotBytes = 0;
  let compactions = 0;
  let oldestKept = 0;
  let worthwhile = options.smallJournalBytes;

  const opened = (): JournalWriter => {
    if (journal === undefined) throw new Error('The adapter has not been read.');
    return journal;
  };

  const write = async (records: RecordSet, keepsPrevious = true): Promise<void> => {
    const content = { entities: records.all(), counters: records.counters() };
    // Until the snapshot is there, and when it fails, the journal may double before the next try.
    worthwhile = Math.max(worthwhile, opened().bytes() * 2);
    const generation = await inARow(() => opened().rotate());
    snapshotBytes = await writeCheckpoint(files, directory, { instance, generation }, content);
    compactions += 1;
    worthwhile = Math.max(options.smallJournalBytes, snapshotBytes);
    oldestKept = await removeOlder(files, directory, generation, keepsPrevious);
  };

  return {
    read: async () => {
      const recovered = await recover(options);
      journal = await openJournalWriter({ ...options, start: recovered });
      snapshotBytes = recovered.snapshotBytes;
      oldestKept = oldestOf(await files.names(directory));
      worthwhile = Math.max(options.smallJournalBytes, snapshotBytes);
      return recovered.records;
    },
    write: (records) => write(records),
    seed: (records) => write(records, false),
    hasSnapshotAfter: async (generation) => {
      const names = await files.names(directory).catch(() => undefined);
      return names === undefined || generationsOf('snapshot', names).some((found) => found > generation);
    },
    append: (entries, relieves) => inARow(() => opened().append(entries, relieves)),
    isCramped: () => opened().isCramped(),
    isOutgrown: () => opened().bytes() > worthwhile,
    statistics: () => ({
      generation: opened().generation(),
      journalBytes: opened().bytes(),
      snapshotBytes,
      compactions,
      oldestKept,
    }),
    close: () => inARow(() => opened().close()),
  };
};

const oldestOf = (names: readonly string[]): number =>
  Math.min(...generationsOf('snapshot', names), ...generationsOf('journal', names));

/** The snapshot before the newest one is kept with all journals since; what is older goes. Resolves with the oldest kept. */
const removeOlder = async (
  files: Files,
  directory: string,
  newest: number,
  keepsPrevious: boolean,
): Promise<number> => {
  const names = await files.names(directory);
  const previous = generationsOf('snapshot', names).findLast((generation) => generation < newest);
  const oldestKept = keepsPrevious ? (previous ?? newest) : newest;
  const older = [
    ...generationsOf('snapshot', names)
      .filter((generation) => generation < oldestKept)
      .map(checkpointName),
    ...generationsOf('journal', names)
      .filter((generation) => generation < oldestKept)
      .map(journalName),
  ];
  for (const name of older) await files.remove(join(directory, name));
  return oldestKept;
};

/** Runs tasks one after another, in the order of the calls. */
const createRow = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(task: () => Promise<T>): Promise<T> => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
};
