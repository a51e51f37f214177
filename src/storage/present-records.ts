/** The records that a durable store shows at the moment, and how others take their place. What is durable is not decided here. */
import type { Low } from 'lowdb';
import { createBatchedEntityStore } from './batched-entity-store.ts';
import type { ReplaceableStore } from './batched-entity-store.ts';
import type { EntityStore, IndexKeys } from '../model/entity-store.ts';
import type { JournalAdapter } from './journal/journal-adapter.ts';
import { encodeEntry } from './journal/journal-file.ts';
import type { FrozenRecords } from './record-layer.ts';
import { createRecordSet } from './record-set.ts';
import type { RecordSet } from './record-set.ts';
import { writeProblem } from './write-problem.ts';

export type PresentRecordsOptions = {
  readonly directory: string;
  readonly indexes: IndexKeys;
  readonly warn: (message: string) => void;
  readonly low: Low<RecordSet>;
  readonly adapter: JournalAdapter;
  readonly compaction: {
    readonly startWhenOutgrown: () => void;
    readonly ended: () => Promise<void>;
    /** Says which generations are still kept. */
    readonly tell: () => Promise<void>;
  };
  readonly close: () => Promise<void>;
};

export type PresentRecords = {
  /** Over the records of the moment. */
  store(): EntityStore;
  /** Shows records that the disk holds already. */
  put(records: RecordSet): void;
  /** As `JournalEntityStore.replace`. */
  readonly replace: (records: FrozenRecords) => Promise<FrozenRecords>;
};

/** Begins with what lowdb holds. */
export const createPresentRecords = (options: PresentRecordsOptions): PresentRecords => {
  const { low, compaction, indexes } = options;
  let current = storeOver(low.data, options);
  const put = (records: RecordSet): void => {
    low.data = records;
    current = storeOver(records, options);
  };
  return {
    store: () => current.store,
    put,
    replace: async (records) => {
      const next = createRecordSet(indexes, records);
      await current.retire();
      await compaction.ended();
      await writeInstead(next, current, options);
      const before = low.data.freeze();
      put(next);
      await compaction.tell();
      return before;
    },
  };
};

/** Bound to its records: whoever reads on after they have been replaced sees the old ones, all of them. */
const storeOver = (
  records: RecordSet,
  { indexes, adapter, compaction, close }: PresentRecordsOptions,
): ReplaceableStore =>
  createBatchedEntityStore(() => records, indexes, {
    encode: encodeEntry,
    append: adapter.append,
    isCramped: adapter.isCramped,
    published: compaction.startWhenOutgrown,
    close,
  });

/** Writes other records as a snapshot that nothing leads to. When it fails, the present ones go on if that is safe. */
const writeInstead = async (
  records: RecordSet,
  current: ReplaceableStore,
  { adapter, directory, warn }: PresentRecordsOptions,
): Promise<void> => {
  const { generation } = adapter.statistics();
  try {
    await adapter.seed(records);
  } catch (error) {
    // A change on top of the old records must never be read as one on top of the new ones.
    if (!(await adapter.hasSnapshotAfter(generation))) current.resume();
    else warn(`${directory}: a reset was cut short (${String(error)}); writing stays off until the next start.`);
    throw writeProblem(error);
  }
};
