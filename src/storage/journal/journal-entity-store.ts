/** The durable entity store: lowdb holds the published records in memory, the journal adapter keeps them on disk. */
import { Low } from 'lowdb';
import { randomUUID } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { guardedFiles, holdDirectory, type DirectoryGuard } from './directory-guard.ts';
import { lockDirectory, type DirectoryLock } from '../../basics/disk/directory-lock.ts';
import type { WriteTally } from '../../basics/work-tally.ts';
import { diskFiles, type Durability, type Files } from '../../basics/disk/files.ts';
import { createBatchedEntityStore, type BatchWriter, type ReplaceableStore } from '../batched-entity-store.ts';
import {
  createBatchWriter,
  createCompaction,
  createGeneration,
  createJournalAdapter,
  type JournalAdapter,
  type JournalStatistics,
} from './journal-adapter.ts';
import type { FrozenRecords } from '../record-layer.ts';
import { createRecordSet, type RecordSet } from '../record-set.ts';
import { writeProblem } from '../write-problem.ts';
import {
  formatVersion,
  prepareNewDirectory,
  readMarker,
  unfinishedName,
  writeMarker,
  type Marker,
} from './store-files.ts';
import type { Entity, EntityStore, RecordModel, Counters } from '../../openapi/openapi-records.ts';

export type JournalEntityStoreOptions = {
  readonly directory: string;
  readonly model: RecordModel;
  readonly durability: Durability;
  /** Called once per event, for the log: a torn last line, a failed compaction, writes that stay off. */
  readonly warn: (message: string) => void;
  /** Tests pass files that fail. */
  readonly files?: Files | undefined;
  /** A journal smaller than this is not compacted; 4 MiB. */
  readonly smallJournalBytes?: number | undefined;
  /** How long after a failed compaction the next one is tried, in milliseconds; 10 s, and longer each time. */
  readonly retryMs?: number | undefined;
  /** Counts each batch. */
  readonly writes?: WriteTally | undefined;
};

/** The store, and what only a store with a directory can do. */
export type JournalEntityStore = {
  /** Changes with `fill` and `replace`. */
  readonly store: EntityStore;
  /** No record was ever written, so the store may be filled. */
  readonly isNew: boolean;
  /** Fills a new repository with one checkpoint, completely or not at all. Call it before any `transact`. */
  fill(entities: Iterable<Entity>, counters: Counters): Promise<void>;
  /** The published records as they are now. `RecordSet.freeze` says what it costs. */
  freeze(): FrozenRecords;
  /**
   * Replaces all records and counters by one checkpoint; a crash leaves either the old ones or the new ones. Resolves with
   * the old records when the new ones are durable. Then `store` is a new store; the old one answers from the old records
   * and refuses writes with 503. Rejects with a Problem (507 or 503), after which writes go on unless the disk may
   * already hold the new records. Calls must not overlap.
   */
  replace(records: FrozenRecords): Promise<FrozenRecords>;
  /** Created with the directory, never changed. */
  readonly instanceId: string;
  statistics(): JournalStatistics & { readonly records: number };
  /** The last write found no space. */
  isOutOfSpace(): boolean;
  /** Whether a sync or a reset failed, so that nothing is written until the next start. */
  isWritingOff(): boolean;
  /** Tries again when the last batch failed for another reason than space. Resolves with whether that fails, too. */
  stillFailing(): Promise<boolean>;
  /** Whether the last compaction failed. It is tried again. */
  hasCompactionFailed(): boolean;
  /** Whether the journal is several times as long as one that is compacted. */
  isLong(): boolean;
  /** Looks whether the directory is still the one that was opened. Resolves with false when it is lost for good. */
  holdsDirectory(): Promise<boolean>;
  /** Rejects with 503 and the reason when the directory is lost. */
  requireHeld(): Promise<void>;
  /** A path below the data directory that leads to the opened directory, whatever its name leads to by now. */
  heldPath(path: string): string;
  /** The file operations on the opened directory. They change nothing when it is lost. */
  readonly files: Files;
  /** Looks again when the last write found no space. Resolves with whether there is still none. */
  stillOutOfSpace(): Promise<boolean>;
  /** Requests a compaction after the next batch. When it fails, `warn` is called. */
  compact(): void;
  /** Calls `listener` after each compaction, and when older generations were given up for space. */
  onGenerationsDropped(listener: () => Promise<void>): void;
};

/**
 * Opens a data directory, or creates it when it is missing or empty. Rejects with `ATOLL_DIRECTORY_IN_USE` when another
 * process holds it, with `ATOLL_STORE_DAMAGED` when it contains anything but a complete store, or with the system's error.
 * With durability `os` single writes are not synced, but all else is, so that the store starts after a power cut. Closing it
 * rejects with `ATOLL_STORE_DAMAGED` when the directory was lost.
 */
export const openJournalEntityStore = async (options: JournalEntityStoreOptions): Promise<JournalEntityStore> => {
  const files = options.files ?? diskFiles('full');
  await files.makeDirectory(options.directory);
  await files.syncDirectory(dirname(resolve(options.directory)));
  const guard = await holdDirectory(options.directory, options.warn);
  try {
    const lock = await lockDirectory(guard.path, { shown: options.directory });
    try {
      return await openLocked(options, guardedFiles(files, guard), guard, lock);
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    await guard.close();
    throw error;
  }
};

const openLocked = async (
  options: JournalEntityStoreOptions,
  files: Files,
  guard: DirectoryGuard,
  lock: DirectoryLock,
): Promise<JournalEntityStore> => {
  const { directory, durability } = options;
  const marker = await readMarker(directory);
  const { instance, format: storeFormat } = marker ?? (await createStore(files, directory, durability));
  // A crash may have left this file next to the finished store. A later start would take the store for unfinished.
  await files.remove(join(directory, unfinishedName));
  const { smallJournalBytes = 4 * 1024 * 1024 } = options;
  const adapter = createJournalAdapter({ ...options, instance, storeFormat, files, guard, smallJournalBytes });
  const low = new Low(adapter, createRecordSet(options.model));
  await low.read();
  const isNew = low.data.size() === 0 && Object.keys(low.data.counters()).length === 0;
  const compaction = createCompaction(low, adapter, options);
  if (adapter.isOutOfSpace()) compaction.startIfDue();

  const close = async (): Promise<void> => {
    await compaction.end();
    await adapter.close().finally(() => leave(guard, lock));
  };
  const writer = createBatchWriter({ ...options, adapter, compaction, close });
  const published = createPublishedRecords({ ...options, low, adapter, writer, settled: compaction.ended });
  compaction.retryBy(published.betweenBatches);

  return {
    get store() {
      return published.store();
    },
    isNew,
    fill: async (entities, counters) => {
      if (!isNew) throw new Error('Only a new repository can be filled.');
      await published.fill(entities, counters);
    },
    freeze: () => low.data.freeze(),
    replace: async (records) => {
      const before = await published.replace(records);
      await compaction.notify();
      return before;
    },
    instanceId: instance,
    statistics: () => ({ ...adapter.statistics(), records: low.data.size() }),
    isOutOfSpace: adapter.isOutOfSpace,
    isWritingOff: () => adapter.isWritingOff() || published.isWritingOff(),
    ...{ stillFailing: adapter.stillFailing, hasCompactionFailed: compaction.hasFailed, isLong: adapter.isLong },
    ...heldDirectory(guard),
    ...{ files, stillOutOfSpace: adapter.stillOutOfSpace },
    compact: compaction.request,
    onGenerationsDropped: compaction.onGenerationsDropped,
  };
};

type PublishedRecordsOptions = {
  readonly directory: string;
  readonly model: RecordModel;
  readonly warn: (message: string) => void;
  readonly low: Low<RecordSet>;
  readonly adapter: JournalAdapter;
  readonly writer: BatchWriter;
  /** Resolves when no compaction runs. */
  readonly settled: () => Promise<void>;
};

/** The store over the records that lowdb holds, and its replacement by others. A replaced one answers from all of the old records. */
const createPublishedRecords = (options: PublishedRecordsOptions) => {
  const { low, writer, model } = options;
  let current = createBatchedEntityStore(low.data, model, writer);
  let isWritingOff = false;
  /** Publishes records that are durable already. */
  const publish = (records: RecordSet): void => {
    low.data = records;
    current = createBatchedEntityStore(records, model, writer);
  };
  return {
    store: () => current.store,
    /** Between two batches the store calls `compaction.startIfDue`. A decision without changes writes nothing. */
    betweenBatches: () => current.store.transact([], () => ({ changes: [], result: undefined })),
    /** A reset was cut short, and the disk may hold its records already. */
    isWritingOff: () => isWritingOff,
    /** As `JournalEntityStore.fill`. */
    fill: async (entities: Iterable<Entity>, counters: Counters): Promise<void> => {
      if (low.data.size() > 0) throw new Error('Only a new repository can be filled.');
      const filled = createRecordSet(model);
      for (const entity of entities) filled.apply({ put: entity });
      filled.raise(counters);
      await options.adapter.replaceAll(filled);
      publish(filled);
    },
    /** As `JournalEntityStore.replace`. */
    replace: async (records: FrozenRecords): Promise<FrozenRecords> => {
      const next = createRecordSet(model, records);
      await current.suspend();
      await options.settled();
      await writeReplacement(next, current, options, () => {
        isWritingOff = true;
      });
      const before = low.data.freeze();
      publish(next);
      return before;
    },
  };
};

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

const heldDirectory = (
  guard: DirectoryGuard,
): Pick<JournalEntityStore, 'holdsDirectory' | 'requireHeld' | 'heldPath'> => ({
  holdsDirectory: async () => {
    await guard.check().catch(() => undefined);
    return guard.failure() === undefined;
  },
  requireHeld: () => guard.check(),
  heldPath: (path) => guard.heldPath(path),
});

/** Gives the directory free. Rejects when it was lost. Then the note in it stays, because it may be that of another process. */
const leave = async (guard: DirectoryGuard, lock: DirectoryLock): Promise<void> => {
  const failure = guard.failure();
  await lock.release({ removesNote: failure === undefined });
  await guard.close();
  if (failure !== undefined) throw failure;
};

/** Writes the marker last, so that an interrupted start leaves a directory that still counts as new. */
const createStore = async (files: Files, directory: string, durability: Durability): Promise<Marker> => {
  // Truly random even when the uuids of records come from a seed, because it distinguishes directories.
  const instance = randomUUID();
  await prepareNewDirectory(files, directory);
  await createGeneration(files, directory, instance, durability);
  await writeMarker(files, directory, instance);
  return { instance, format: formatVersion };
};
