/** The durable entity store: lowdb holds the published records in memory, the journal adapter keeps them on disk. */
import { Low } from 'lowdb';
import { randomUUID } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import type { Entity } from '../../model/entity.ts';
import { createCompaction } from './compaction.ts';
import { lockDirectory } from './directory-lock.ts';
import type { EntityStore, IndexKeys } from '../../model/entity-store.ts';
import { diskFiles, type Durability, type Files } from '../files.ts';
import { createGeneration, createJournalAdapter, type JournalStatistics } from './journal-adapter.ts';
import { createPublishedRecords } from './published-records.ts';
import type { FrozenRecords } from '../record-layer.ts';
import { createRecordSet, type Counters } from '../record-set.ts';
import { prepareNewDirectory, readMarker, unfinishedName, writeMarker } from './store-files.ts';

export type JournalEntityStoreOptions = {
  readonly directory: string;
  readonly indexes: IndexKeys;
  readonly durability: Durability;
  /** Called once per event, for the log: a torn last line, a failed compaction, writes that stay off. */
  readonly warn: (message: string) => void;
  /** Tests pass files that fail. */
  readonly files?: Files | undefined;
  /** A journal smaller than this is not compacted; 4 MiB. */
  readonly smallJournalBytes?: number | undefined;
};

/** The store, and what only a store with a directory can do. */
export type JournalEntityStore = {
  /** Changes with `seed` and `replace`. */
  readonly store: EntityStore;
  /** No record was ever written, so the store may be seeded. */
  readonly isNew: boolean;
  /** Fills a new repository with one checkpoint, completely or not at all. Call it before any `transact`. */
  seed(entities: Iterable<Entity>, counters: Counters): Promise<void>;
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
  /** Requests a compaction after the next batch. When it fails, `warn` is called. */
  compact(): void;
  /** Calls `listener` after each compaction with the oldest generation whose files are kept. */
  onGenerationsDropped(listener: (oldestKept: number) => Promise<void>): void;
};

/**
 * Opens a data directory, or creates it when it is missing or empty. Rejects with `ATOLL_DIRECTORY_IN_USE` when another
 * process holds it, with `ATOLL_STORE_DAMAGED` when it contains anything but a complete store, or with the system's error.
 */
export const openJournalEntityStore = async (options: JournalEntityStoreOptions): Promise<JournalEntityStore> => {
  const files = options.files ?? diskFiles(options.durability);
  await files.makeDirectory(options.directory);
  await files.syncDirectory(dirname(resolve(options.directory)));
  const lock = await lockDirectory(options.directory);
  try {
    return await openLocked(options, files, lock.release);
  } catch (error) {
    await lock.release();
    throw error;
  }
};

const openLocked = async (
  options: JournalEntityStoreOptions,
  files: Files,
  release: () => Promise<void>,
): Promise<JournalEntityStore> => {
  const instanceId = (await readMarker(options.directory)) ?? (await createStore(files, options.directory));
  // A crash may have left this file beside the finished store. A later start would take the store for unfinished.
  await files.remove(join(options.directory, unfinishedName));
  const smallJournalBytes = options.smallJournalBytes ?? 4 * 1024 * 1024;
  const adapter = createJournalAdapter({ ...options, instance: instanceId, files, smallJournalBytes });
  const low = new Low(adapter, createRecordSet(options.indexes));
  await low.read();
  const isNew = low.data.size() === 0 && Object.keys(low.data.counters()).length === 0;
  const compaction = createCompaction(low, adapter, options.warn);

  const close = async (): Promise<void> => {
    await compaction.ended();
    await adapter.close();
    await release();
  };
  const published = createPublishedRecords({ ...options, low, adapter, compaction, close });

  return {
    get store() {
      return published.store();
    },
    isNew,
    seed: async (entities, counters) => {
      if (!isNew || low.data.size() > 0) throw new Error('Only a new repository can be seeded.');
      const seeded = createRecordSet(options.indexes);
      for (const entity of entities) seeded.apply({ put: entity });
      seeded.raise(counters);
      await adapter.seed(seeded);
      published.publish(seeded);
    },
    freeze: () => low.data.freeze(),
    replace: published.replace,
    instanceId,
    statistics: () => ({ ...adapter.statistics(), records: low.data.size() }),
    isOutOfSpace: adapter.isOutOfSpace,
    compact: compaction.request,
    onGenerationsDropped: compaction.onGenerationsDropped,
  };
};

/** Writes the marker last, so that an interrupted start leaves a directory that still counts as new. */
const createStore = async (files: Files, directory: string): Promise<string> => {
  // Truly random even when the uuids of records come from a seed, because it distinguishes directories.
  const instance = randomUUID();
  await prepareNewDirectory(files, directory);
  await createGeneration(files, directory, instance);
  await writeMarker(files, directory, instance);
  return instance;
};
