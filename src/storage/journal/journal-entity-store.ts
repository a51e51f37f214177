/** The durable entity store: lowdb holds the published records, the journal adapter keeps them on disk. */
import { Low } from 'lowdb';
import { randomUUID } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import type { Entity } from '../../model/entity.ts';
import { lockDirectory } from './directory-lock.ts';
import type { EntityStore, IndexKeys } from '../../model/entity-store.ts';
import { diskFiles } from '../files.ts';
import type { Durability, Files } from '../files.ts';
import { createGeneration, createJournalAdapter } from './journal-adapter.ts';
import type { JournalAdapter, JournalStatistics } from './journal-adapter.ts';
import { createPresentRecords } from '../present-records.ts';
import type { FrozenRecords } from '../record-layer.ts';
import { createRecordSet } from '../record-set.ts';
import type { Counters, RecordSet } from '../record-set.ts';
import { prepareNewDirectory, readMarker, unfinishedName, writeMarker } from './store-files.ts';

export type JournalEntityStoreOptions = {
  readonly directory: string;
  readonly indexes: IndexKeys;
  readonly durability: Durability;
  /** Told once per event, for the log: a torn tail, a failed compaction, writes that stay off. */
  readonly warn: (message: string) => void;
  /** For tests that let the disk fail. */
  readonly files?: Files | undefined;
  /** A journal smaller than this is not compacted; 4 MiB. */
  readonly smallJournalBytes?: number | undefined;
};

/** The store and what belongs to its directory rather than to the port. */
export type JournalEntityStore = {
  /** Another one after `seed` and `replace`. */
  readonly store: EntityStore;
  /** Nothing has ever been written: it may be seeded. Stays true after a start that ended before its seed. */
  readonly isNew: boolean;
  /** The first fill of a new repository, as one snapshot: whole or not at all. Before any `transact`. */
  seed(entities: Iterable<Entity>, counters: Counters): Promise<void>;
  /** The published records as they are now, for keeps. See `RecordSet.freeze` for what it costs. */
  freeze(): FrozenRecords;
  /**
   * Puts other records and counters in the place of all there are, as one snapshot: a crash leaves the ones or the others.
   * Durable when it resolves; then `store` is another one, and the one before answers from the old records and refuses
   * writes with 503. Resolves with the old records. Rejects with a Problem (507, 503); writing goes on then, unless the
   * disk may hold both. Calls must not overlap.
   */
  replace(records: FrozenRecords): Promise<FrozenRecords>;
  /** Made with the directory, never changed. */
  readonly instanceId: string;
  statistics(): JournalStatistics & { readonly records: number };
  /** The last write found no space. */
  isCramped(): boolean;
  /** Asks for a compaction after the next batch. Its failure is a warning. */
  compact(): void;
  /** Calls back after each compaction with the oldest generation whose files are still kept. */
  onGenerationsDropped(listener: (oldestKept: number) => Promise<void>): void;
};

/**
 * Opens a data directory, or makes one where nothing is. Rejects with `ATOLL_DIRECTORY_IN_USE` when a process holds it,
 * `ATOLL_STORE_DAMAGED` when it holds anything but a whole store, or the system's error.
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
  // A mark that a crash left beside the finished store would let a later start take the store for unfinished.
  await files.remove(join(options.directory, unfinishedName));
  const emptyRecords = (): RecordSet => createRecordSet(options.indexes);
  const adapter = createJournalAdapter({
    directory: options.directory,
    instance: instanceId,
    files,
    warn: options.warn,
    emptyRecords,
    smallJournalBytes: options.smallJournalBytes ?? 4 * 1024 * 1024,
  });
  const low = new Low(adapter, emptyRecords());
  await low.read();
  const isNew = low.data.size() === 0 && Object.keys(low.data.counters()).length === 0;
  const compaction = createCompaction(low, adapter, options.warn);

  const close = async (): Promise<void> => {
    await compaction.ended();
    await adapter.close();
    await release();
  };
  const present = createPresentRecords({ ...options, low, adapter, compaction, close });

  return {
    get store() {
      return present.store();
    },
    isNew,
    seed: async (entities, counters) => {
      if (!isNew || low.data.size() > 0) throw new Error('Only a new repository can be seeded.');
      const seeded = emptyRecords();
      for (const entity of entities) seeded.apply({ put: entity });
      seeded.raise(counters);
      await adapter.seed(seeded);
      present.put(seeded);
    },
    freeze: () => low.data.freeze(),
    replace: present.replace,
    instanceId,
    statistics: () => ({ ...adapter.statistics(), records: low.data.size() }),
    isCramped: adapter.isCramped,
    compact: compaction.want,
    onGenerationsDropped: compaction.onGenerationsDropped,
  };
};

/** The marker comes last: a start that is cut off leaves a directory that is still new. */
const createStore = async (files: Files, directory: string): Promise<string> => {
  // Real chance even where a run's uuids are fixed: it tells apart two directories, not two records.
  const instance = randomUUID();
  await prepareNewDirectory(files, directory);
  await createGeneration(files, directory, instance);
  await writeMarker(files, directory, instance);
  return instance;
};

const createCompaction = (low: Low<RecordSet>, adapter: JournalAdapter, warn: (message: string) => void) => {
  const listeners: ((oldestKept: number) => Promise<void>)[] = [];
  let running: Promise<void> | undefined;
  let wanted = false;

  const tell = async (): Promise<void> => {
    for (const listener of listeners) await listener(adapter.statistics().oldestKept);
  };
  const compact = async (): Promise<void> => {
    await low.write();
    await tell();
  };
  return {
    tell,
    /** Called between two batches: what is published is then exactly what the journal holds. */
    startWhenOutgrown: (): void => {
      if (running !== undefined || !(wanted || adapter.isOutgrown())) return;
      wanted = false;
      running = compact()
        .catch((error: unknown) => warn(`A compaction was cut short (${String(error)}); the journal goes on.`))
        .finally(() => {
          running = undefined;
        });
    },
    want: (): void => {
      wanted = true;
    },
    onGenerationsDropped: (listener: (oldestKept: number) => Promise<void>): void => {
      listeners.push(listener);
    },
    ended: () => running ?? Promise.resolve(),
  };
};
