/** The lowdb adapter that makes records durable with a checkpoint and a journal. */
import type { Durability, Files } from '../../basics/disk/files.ts';
import { createEndNote } from './acknowledged-end.ts';
import type { BatchWriterOptions } from './batch-writer.ts';
import { journalHeader } from './journal-file.ts';
import { createJournal, openJournalWriter, type JournalWriter } from './journal-writer.ts';
import type { RecordSet } from '../record-set.ts';
import { createSemaphore } from '../../basics/semaphore.ts';
import { createRecordBlocks } from './record-blocks.ts';
import { recover } from './recovery.ts';
import { writeCheckpoint } from './checkpoint-file.ts';
import { createCheckpoints, createFit } from './checkpoints.ts';
import { generationsOf } from './store-files.ts';
import { isSpaceError } from '../write-problem.ts';

export type JournalStatistics = {
  readonly generation: number;
  readonly journalBytes: number;
  readonly checkpointBytes: number;
  readonly compactions: number;
  /** The oldest generation whose files are kept. */
  readonly oldestKept: number;
};

export type JournalAdapter = ReturnType<typeof createJournalAdapter>;

type JournalAdapterOptions = Omit<BatchWriterOptions, 'counters' | 'blocks'> & {
  /** A journal smaller than this is never compacted. */
  readonly smallJournalBytes: number;
};

/** Writes the files of an empty store: generation 1. */
export const createGeneration = async (
  files: Files,
  directory: string,
  instance: string,
  durability: Durability,
): Promise<void> => {
  const bytes = Buffer.byteLength(journalHeader({ instance, generation: 1 }));
  const end = { generation: 1, lines: 1, bytes, counters: {}, state: 'open', durability } as const;
  await createEndNote(files, directory, instance, end);
  await createJournal(files, directory, instance, 1);
  await writeCheckpoint(files, directory, { instance, generation: 1 }, { slices: [], counters: {} });
};

/** Counts the journals between the newest checkpoint and the current one: their checkpoints failed. */
const createSealed = () => {
  let sealedBytes = 0;
  return {
    bytes: () => sealedBytes,
    rotate: async (journal: JournalWriter): Promise<number> => {
      const bytes = journal.bytes();
      const generation = await journal.rotate();
      sealedBytes += bytes;
      return generation;
    },
    forget: (): void => {
      sealedBytes = 0;
    },
  };
};

/** While a large compaction runs, the journal may grow to twice what makes one due. */
const longTimes = 4;

/** The journal of an adapter once it is read, and its checkpoints. */
const createGenerations = (adapterOptions: JournalAdapterOptions) => {
  const options = { ...adapterOptions, blocks: createRecordBlocks() };
  const enqueue = createSemaphore(1);
  const checkpoints = createCheckpoints(options);
  let journal: JournalWriter | undefined;
  let records: RecordSet | undefined;
  let compactAboveBytes = options.smallJournalBytes;
  const sealed = createSealed();

  const opened = (): JournalWriter => {
    if (journal === undefined) throw new Error('The adapter has not been read.');
    return journal;
  };
  /** What a journal has when a compaction is due and none has failed. */
  const dueBytes = (): number => Math.max(options.smallJournalBytes, checkpoints.bytes());
  return {
    enqueue,
    opened,
    checkpoints,
    records: () => records,
    isJournalLong: () => opened().bytes() > compactAboveBytes,
    /** Several compactions that were due are missing. */
    isLong: () => sealed.bytes() + opened().bytes() > longTimes * dueBytes(),
    read: async (): Promise<RecordSet> => {
      const recovered = await recover(options);
      records = recovered.records;
      await checkpoints.found(recovered.checkpointBytes);
      const space = { countRecords: () => records?.size() ?? 0, removeOlder: checkpoints.giveUpOlder };
      const counters = () => records?.counters() ?? {};
      journal = await openJournalWriter({ ...options, ...space, counters }, recovered.generation, recovered.end);
      compactAboveBytes = dueBytes();
      return recovered.records;
    },
    write: async (next: RecordSet, keepsPrevious: boolean): Promise<void> => {
      const content = { set: next, records: next.held(), counters: next.counters() };
      // When the checkpoint fails, the journal may double before the next attempt.
      compactAboveBytes = Math.max(compactAboveBytes, opened().bytes() * 2);
      if (opened().isOutOfSpace()) {
        // Changes wait meanwhile. They would take the space that the checkpoint needs.
        await enqueue(async () => {
          await checkpoints.giveUpOlder();
          await opened().withReserve(async () => checkpoints.write(await sealed.rotate(opened()), content, false));
        });
      } else {
        const generation = await enqueue(() => sealed.rotate(opened()));
        await checkpoints.write(generation, content, keepsPrevious);
      }
      sealed.forget();
      compactAboveBytes = dueBytes();
      records = next;
    },
  };
};

/** Does nothing before `read`. The directory must be locked and have a marker. */
export const createJournalAdapter = (options: JournalAdapterOptions) => {
  const { directory, files } = options;
  const { enqueue, opened, checkpoints, ...generations } = createGenerations(options);
  const fitsReserve = createFit();
  let hasLastWriteFailed = false;
  /** Makes one batch durable. */
  const append = (entries: readonly string[], mayUseReserve: () => boolean) =>
    enqueue(async () => {
      try {
        await opened().append(entries, mayUseReserve);
        hasLastWriteFailed = false;
      } catch (error) {
        hasLastWriteFailed = !isSpaceError(error);
        throw error;
      }
    });

  return {
    /** Loads the checkpoint and the journal. */
    read: generations.read,
    /**
     * Makes a checkpoint of the data as they are at the call, while appends go on. It compacts the journal and is not
     * called for single changes.
     */
    write: (records: RecordSet) => generations.write(records, true),
    /** Makes a checkpoint of records that no journal leads to, and removes all older generations. */
    replaceAll: (records: RecordSet) => generations.write(records, false),
    /** Whether a start would find a checkpoint newer than this generation. True when the directory cannot be read. */
    hasCheckpointAfter: async (generation: number): Promise<boolean> => {
      const names = await files.names(directory).catch(() => undefined);
      return names === undefined || generationsOf('checkpoint', names).some((found) => found > generation);
    },
    append,
    /** When the last batch failed for another reason than space: writes an empty one. Resolves with whether that fails, too. */
    stillFailing: async () => {
      if (hasLastWriteFailed) await append([], () => true).catch(() => undefined);
      return hasLastWriteFailed;
    },
    isOutOfSpace: () => opened().isOutOfSpace(),
    isWritingOff: () => opened().isWritingOff(),
    /**
     * Whether the journal is larger than the checkpoint, so that a `write` would make the next start faster. On a full disk:
     * whether all records fit the reserve, so that a `write` frees space.
     */
    isCompactionDue: () =>
      opened().isOutOfSpace()
        ? fitsReserve(
            generations.records(),
            Math.min(opened().reservedBytes(), (opened().bytes() + checkpoints.bytes()) / 2),
          )
        : generations.isJournalLong(),
    isLong: generations.isLong,
    /** Looks again when the last write found no space. Resolves with whether there is still none. */
    stillOutOfSpace: () => enqueue(() => opened().stillOutOfSpace()),
    statistics: (): JournalStatistics => ({
      generation: opened().generation(),
      journalBytes: opened().bytes(),
      checkpointBytes: checkpoints.bytes(),
      compactions: checkpoints.written(),
      oldestKept: checkpoints.oldestKept(),
    }),
    close: () => enqueue(() => opened().close()),
  };
};
