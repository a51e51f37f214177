/** The lowdb adapter that makes records durable with a checkpoint and a journal, batch by batch, and compacts the journal. */
import type { Low } from 'lowdb';
import type { Durability, Files } from '../../basics/disk/files.ts';
import { observe } from '../../basics/histogram.ts';
import { createSemaphore } from '../../basics/semaphore.ts';
import { createWriteTally, type WriteTally } from '../../basics/work-tally.ts';
import type { BatchWriter } from '../batched-entity-store.ts';
import type { RecordSet } from '../record-set.ts';
import { createEndNote } from './acknowledged-end.ts';
import { encodeEntry, journalHeader } from './journal-file.ts';
import { createJournal, openJournalWriter, type JournalWriter, type JournalWriterOptions } from './journal-writer.ts';
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

type JournalAdapterOptions = Omit<JournalWriterOptions, 'counters' | 'blocks' | 'countRecords' | 'removeOlder'> & {
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
  // Nobody heard yet which generations were dropped before the start.
  let hasUnheard = true;
  const checkpoints = createCheckpoints({ ...options, onGivenUp: () => void (hasUnheard = true) });
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
    hasUnheard: () => hasUnheard,
    heard: (): void => void (hasUnheard = false),
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
    /** Generations were given up, and nobody heard of it yet. */
    hasUnheard: generations.hasUnheard,
    heard: generations.heard,
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

type Compaction = ReturnType<typeof createCompaction>;

type CompactionOptions = {
  /** Called when a compaction fails, and when one works again. */
  readonly warn: (message: string) => void;
  readonly retryMs?: number | undefined;
};

export const createCompaction = (
  low: Low<RecordSet>,
  adapter: JournalAdapter,
  { warn, retryMs = 10_000 }: CompactionOptions,
) => {
  const listeners: (() => Promise<void>)[] = [];
  let running: Promise<void> | undefined;
  let requested = false;
  const request = (): void => {
    requested = true;
  };
  const retries = createRetries(retryMs, warn, request);

  const notify = async (): Promise<void> => {
    adapter.heard();
    for (const listener of listeners) await listener();
  };
  const compact = async (): Promise<void> => {
    await low.write();
    await notify();
    retries.worked();
  };
  return {
    notify,
    /** Called between two batches, when the journal holds exactly the published records. */
    startIfDue: (): void => {
      if (running !== undefined) return;
      const isDue = requested || adapter.isCompactionDue();
      // On a full disk, older generations are given up without a compaction.
      if (!isDue && !adapter.hasUnheard()) return;
      if (isDue) requested = false;
      running = (isDue ? compact() : notify()).catch(retries.failed).finally(() => {
        running = undefined;
      });
    },
    request,
    onGenerationsDropped: (listener: () => Promise<void>): void => {
      listeners.push(listener);
    },
    ended: () => running ?? Promise.resolve(),
    /** Whether the last compaction failed. */
    hasFailed: retries.hasFailed,
    /** `run` calls `startIfDue` between two batches, also when nobody writes. */
    retryBy: retries.by,
    end: async (): Promise<void> => {
      retries.stop();
      await running;
    },
  };
};

const longestRetryMs = 10 * 60_000;

/** Requests another compaction some time after one has failed, and later after each further failure. */
const createRetries = (firstMs: number, warn: (message: string) => void, request: () => void) => {
  let betweenBatches: () => Promise<void> = () => Promise.resolve();
  const retry = (): void => {
    request();
    // A store that is closed or replaced refuses: then nothing is to be compacted.
    betweenBatches().catch(() => undefined);
  };
  let timer: NodeJS.Timeout | undefined;
  let nextMs = firstMs;
  let hasFailed = false;
  const stop = (): void => clearTimeout(timer);
  return {
    hasFailed: () => hasFailed,
    by: (run: () => Promise<void>): void => {
      betweenBatches = run;
    },
    failed: (error: unknown): void => {
      stop();
      if (!hasFailed) warn(`A compaction was cut short (${String(error)}); the journal goes on.`);
      hasFailed = true;
      timer = setTimeout(retry, nextMs).unref();
      nextMs = Math.min(nextMs * 2, longestRetryMs);
    },
    worked: (): void => {
      stop();
      if (hasFailed) warn('A compaction has worked again.');
      hasFailed = false;
      nextMs = firstMs;
    },
    stop,
  };
};

type BatchWriterOptions = {
  readonly adapter: JournalAdapter;
  readonly compaction: Compaction;
  readonly close: () => Promise<void>;
  /** Counts each batch. */
  readonly writes?: WriteTally | undefined;
};

/** What the entity store writes its batches with. */
export const createBatchWriter = ({
  adapter,
  compaction,
  close,
  writes = createWriteTally(),
}: BatchWriterOptions): BatchWriter => ({
  encode: encodeEntry,
  append: async (entries, mayUseReserve) => {
    const began = performance.now();
    try {
      await adapter.append(entries, mayUseReserve);
      observe(writes.batchSizes, entries.length);
      observe(writes.seconds, (performance.now() - began) / 1000);
    } catch (error) {
      writes.failed += 1;
      // All else may have been removed meanwhile, so that a compaction makes room for the next attempt.
      if (isSpaceError(error)) compaction.startIfDue();
      throw error;
    }
  },
  isOutOfSpace: adapter.isOutOfSpace,
  published: compaction.startIfDue,
  close,
});
