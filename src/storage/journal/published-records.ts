/** The published records of a durable store, and their replacement by others. */
import type { Low } from 'lowdb';
import { observe } from '../../basics/histogram.ts';
import { createWriteTally, type WriteTally } from '../../basics/work-tally.ts';
import type { IndexKeys } from '../../core/model/entity-store.ts';
import { createBatchedEntityStore, type ReplaceableStore } from '../batched-entity-store.ts';
import type { FrozenRecords } from '../record-layer.ts';
import { createRecordSet, type RecordSet } from '../record-set.ts';
import { isSpaceError, writeProblem } from '../write-problem.ts';
import type { JournalAdapter } from './journal-adapter.ts';
import { encodeEntry } from './journal-file.ts';

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
  const listeners: ((oldestKept: number) => Promise<void>)[] = [];
  let running: Promise<void> | undefined;
  let requested = false;
  let notifiedOf = 0;
  const request = (): void => {
    requested = true;
  };
  const retries = createRetries(retryMs, warn, request);

  const notify = async (): Promise<void> => {
    const { oldestKept } = adapter.statistics();
    notifiedOf = oldestKept;
    for (const listener of listeners) await listener(oldestKept);
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
      if (!isDue && adapter.statistics().oldestKept === notifiedOf) return;
      if (isDue) requested = false;
      running = (isDue ? compact() : notify()).catch(retries.failed).finally(() => {
        running = undefined;
      });
    },
    request,
    onGenerationsDropped: (listener: (oldestKept: number) => Promise<void>): void => {
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

type PublishedRecordsOptions = {
  readonly directory: string;
  readonly indexes: IndexKeys;
  readonly warn: (message: string) => void;
  readonly low: Low<RecordSet>;
  readonly adapter: JournalAdapter;
  readonly compaction: Compaction;
  readonly close: () => Promise<void>;
  /** Counts each batch. */
  readonly writes?: WriteTally | undefined;
};

/** Starts with the records that lowdb holds. */
export const createPublishedRecords = (options: PublishedRecordsOptions) => {
  const { low, compaction, indexes } = options;
  let current = storeOver(low.data, options);
  let isWritingOff = false;
  const publish = (records: RecordSet): void => {
    low.data = records;
    current = storeOver(records, options);
  };
  return {
    /** The store over the current records. */
    store: () => current.store,
    /** Between two batches the store calls `compaction.startIfDue`. A decision without changes writes nothing. */
    betweenBatches: () => current.store.transact([], () => ({ changes: [], result: undefined })),
    /** A reset was cut short, and the disk may hold its records already. */
    isWritingOff: () => isWritingOff,
    /** Publishes records that are durable already. */
    publish,
    /** As `JournalEntityStore.replace`. */
    replace: async (records: FrozenRecords): Promise<FrozenRecords> => {
      const next = createRecordSet(indexes, records);
      await current.suspend();
      await compaction.ended();
      await writeReplacement(next, current, options, () => {
        isWritingOff = true;
      });
      const before = low.data.freeze();
      publish(next);
      await compaction.notify();
      return before;
    },
  };
};

/** A store that keeps its records: after a replacement it still answers from all of the old ones. */
const storeOver = (
  records: RecordSet,
  { indexes, adapter, compaction, close, writes = createWriteTally() }: PublishedRecordsOptions,
): ReplaceableStore =>
  createBatchedEntityStore(records, indexes, {
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

/** Writes the new records as a checkpoint. When that fails, the current store resumes if that is safe. */
const writeReplacement = async (
  records: RecordSet,
  current: ReplaceableStore,
  { adapter, directory, warn }: PublishedRecordsOptions,
  turnOff: () => void,
): Promise<void> => {
  const { generation } = adapter.statistics();
  try {
    await adapter.replaceAll(records);
  } catch (error) {
    // A start must never apply a change of the old records to the new ones.
    if (!(await adapter.hasCheckpointAfter(generation))) current.resume();
    else {
      turnOff();
      warn(`${directory}: a reset was cut short (${String(error)}); writing stays off until the next start.`);
    }
    throw writeProblem(error);
  }
};
