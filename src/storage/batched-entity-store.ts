/** The decisions, batches and publishing that the entity stores share. A `BatchWriter` makes the batches durable. */
import { changedKey, type RecordSet } from './record-set.ts';
import { readRecords } from './record-layer.ts';
import { createStagedRecords } from './staged-records.ts';
import { writeProblem } from './write-problem.ts';
import { retryLater, type Problem } from '../openapi/openapi-terms.ts';
import type {
  EntityKey,
  Change,
  ChangedRecord,
  Counter,
  Decision,
  EntityStore,
  RecordModel,
  StagedState,
  StoreRead,
  StoreView,
  Counters,
} from '../openapi/openapi-records.ts';

/** The changes of one decision, and the values of the counters that were drawn from since the last change set. */
export type ChangeSet = { readonly changes: readonly Change[]; readonly counters: Counters };

/** Makes batches durable, one at a time. */
export type BatchWriter = {
  /** Encodes a change set. What it throws reaches the caller of `transact`, and nothing changes. */
  encode(changeSet: ChangeSet): string;
  /**
   * Resolves when the encoded change sets are durable; rejects when none of them is. `mayUseReserve` is true when no
   * record grows, so that the batch may use the space that is reserved for a full disk.
   */
  append(encoded: readonly string[], mayUseReserve: () => boolean): Promise<void>;
  /** The last batch found no space. Until that changes, the store writes each change set in a batch of its own. */
  isOutOfSpace(): boolean;
  /** Called after a batch is published and before the next one begins. */
  published(): void;
  close(): Promise<void>;
};

type Waiter = { readonly resolve: () => void; readonly reject: (problem: Problem) => void };
type Batch = {
  readonly number: number;
  readonly encoded: string[];
  readonly changes: Change[];
  /** The keys of the records and indexes that the changes concern. */
  readonly touched: Set<string>;
  readonly waiters: Waiter[];
};

const noKeys: ReadonlySet<EntityKey> = new Set();

const emptyBatch = (number: number): Batch => ({
  ...{ number, encoded: [], changes: [] },
  ...{ touched: new Set<string>(), waiters: [] },
});

/** A store that its owner can replace by another one. */
export type ReplaceableStore = {
  readonly store: EntityStore;
  /** Refuses new decisions with 503, and resolves when the earlier ones are durable. Reads go on. */
  suspend(): Promise<void>;
  /** Accepts decisions again after a replacement that failed. */
  resume(): void;
};

type Reads = Pick<EntityStore, 'getMany' | 'lookupMany' | 'list' | 'present'>;

/** Finds the records of the moment of the call, also when it reads them in slices. */
const readsOf = (records: RecordSet): Reads => ({
  getMany: (keys) => Promise.resolve(keys.map((key) => records.get(key))),
  lookupMany: (names) => Promise.all(names.map((name) => readRecords(records.lookupHeld(name)))),
  list: async (type, options) => {
    const { total, records: found } = records.listHeld(type, options);
    return { total, entities: await readRecords(found) };
  },
  present: {
    get: (key) => records.get(key),
    lookup: (name) => records.lookup(name),
    count: (name) => records.countUnder(name),
    lastId: (counter) => records.lastId(counter),
    counters: () => records.counters(),
  },
});

/**
 * An entity store over published records and a writer. Readers see a change when its batch is durable, and all of the
 * batch at once. Decisions see staged changes too.
 */
export const createBatchedEntityStore = (
  records: RecordSet,
  model: RecordModel,
  writer: BatchWriter,
): ReplaceableStore => {
  const listeners: Listeners = new Set();
  const queue = createBatchQueue({ records, model, writer, announce: announceTo(listeners) });
  let closed = false;
  let suspended = false;
  const store: EntityStore = {
    ...readsOf(records),
    transact: async <T>(_reads: readonly StoreRead[], decide: (view: StoreView) => Decision<T>): Promise<T> => {
      while (writer.isOutOfSpace() && queue.running() !== undefined) await queue.running();
      if (closed) throw retryLater('The store is closed.');
      if (suspended) throw retryLater('The repository is being reset. Try again.');
      const { changes, counters, result } = decide(queue.view);
      await queue.join(changes, counters);
      return result;
    },
    watch: watchWith(listeners),
    close: async () => {
      if (closed) return;
      closed = true;
      await queue.running();
      await writer.close();
    },
  };
  return {
    store,
    suspend: async () => {
      suspended = true;
      await queue.running();
    },
    resume: () => {
      suspended = false;
    },
  };
};

const changedRecord = (change: Change): ChangedRecord => ({ key: changedKey(change), isRemoved: 'remove' in change });

type Listeners = Set<Parameters<EntityStore['watch']>[0]>;

const watchWith =
  (listeners: Listeners): EntityStore['watch'] =>
  (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };

/** Tells the listeners of a batch that is published. */
const announceTo =
  (listeners: Listeners) =>
  ({ changes, touched }: Batch): void => {
    if (changes.length === 0 || listeners.size === 0) return;
    const changed = changes.map(changedRecord);
    for (const listener of listeners) listener(touched, changed);
  };

type QueueOptions = {
  readonly records: RecordSet;
  readonly model: RecordModel;
  readonly writer: BatchWriter;
  /** Counts each batch that is published. */
  readonly announce: (batch: Batch) => void;
};

const createBatchQueue = (options: QueueOptions) => {
  const { records, writer } = options;
  const decided = createDecidedChanges(options);
  let open = emptyBatch(1);
  let running: Promise<void> | undefined;

  const drop = (batch: Batch, problem: Problem): void => {
    for (const { reject } of [...batch.waiters, ...open.waiters]) reject(problem);
    open = emptyBatch(open.number + 1);
    decided.drop();
  };

  const publish = (batch: Batch): void => {
    decided.publish(batch);
    writer.published();
    options.announce(batch);
    for (const { resolve } of batch.waiters) resolve();
  };

  const run = async (): Promise<void> => {
    // All calls of the same turn of the event loop join the first batch.
    await Promise.resolve();
    while (open.waiters.length > 0) {
      const batch = open;
      open = emptyBatch(batch.number + 1);
      try {
        if (batch.encoded.length > 0) await writer.append(batch.encoded, () => relieves(records, batch.changes));
      } catch (error) {
        drop(batch, writeProblem(error));
        continue;
      }
      publish(batch);
    }
    running = undefined;
  };

  /** A decision without changes waits too, because it may depend on staged records. */
  const join = (changes: readonly Change[], raises: Counters = {}): Promise<void> => {
    decided.add(open, changes, raises);
    const durable = new Promise<void>((resolve, reject) => open.waiters.push({ resolve, reject }));
    running ??= run();
    return durable;
  };

  return { view: decided.view, join, running: () => running };
};

/** What is decided and not published yet: records, and counters. */
const createDecidedChanges = ({ records, model, writer }: Pick<QueueOptions, 'records' | 'model' | 'writer'>) => {
  const staged = createStagedRecords(records, model);
  const counters = createUnwrittenCounters(records);
  const raised = createRaisedCounters(records);
  const state: StagedState = {
    ...{ lastId: raised.lastId, counters: raised.counters },
    keysUnder: (index) => staged.keysUnder(index) ?? noKeys,
  };
  const view: StoreView = { ...staged.view, nextId: counters.draw, staged: state };
  return {
    view,
    add: (batch: Batch, changes: readonly Change[], raises: Counters): void => {
      const isRaised = Object.keys(raises).length > 0;
      if (changes.length === 0 && !isRaised && !counters.any()) return;
      const encoded = writer.encode({ changes, counters: { ...counters.values(), ...raises } });
      staged.stage(changes, batch);
      batch.encoded.push(encoded);
      for (const change of changes) batch.changes.push(change);
      raised.raise(raises, batch.number);
      counters.clear();
    },
    publish: ({ changes, number }: Batch): void => {
      records.applyAll(changes);
      raised.publish(number);
      staged.settle(changes, number);
    },
    drop: (): void => {
      raised.clear();
      staged.clear();
      counters.addAll();
    },
  };
};

/** The counters that were drawn from and are not in a change set yet. */
const createUnwrittenCounters = (records: RecordSet) => {
  const unwritten = new Map<string, number>();
  return {
    draw: (counter: Counter, above?: number): number => {
      const id = records.nextId(counter, above);
      unwritten.set(counter, id);
      return id;
    },
    addAll: (): void => {
      for (const [name, value] of Object.entries(records.counters())) unwritten.set(name, value);
    },
    any: () => unwritten.size > 0,
    values: (): Counters => Object.fromEntries(unwritten),
    clear: () => unwritten.clear(),
  };
};

/** The counters that decisions raise with their changes. Later decisions see them at once; they are the store's when their batch is published. */
const createRaisedCounters = (records: RecordSet) => {
  const batches = new Map<number, Map<Counter, number>>();
  const lastId = (counter: Counter): number =>
    Math.max(records.lastId(counter), ...[...batches.values()].map((raised) => raised.get(counter) ?? 0));
  return {
    lastId,
    counters: (): Counters => {
      const names = [...batches.values()].flatMap((raised) => [...raised.keys()]);
      return { ...records.counters(), ...Object.fromEntries(names.map((name) => [name, lastId(name)])) };
    },
    raise: (counters: Counters, batch: number): void => {
      const raised = batches.get(batch) ?? new Map<Counter, number>();
      batches.set(batch, raised);
      for (const [name, value] of Object.entries(counters)) raised.set(name, Math.max(value, raised.get(name) ?? 0));
    },
    publish: (batch: number): void => {
      records.raise(Object.fromEntries(batches.get(batch) ?? []));
      batches.delete(batch);
    },
    clear: () => batches.clear(),
  };
};

/** Whether the changes only remove records or do not make them longer. */
const relieves = (records: RecordSet, changes: readonly Change[]): boolean =>
  changes.every((change) => {
    if ('remove' in change) return true;
    const before = records.get(changedKey(change));
    return before !== undefined && JSON.stringify(change.put).length <= JSON.stringify(before).length;
  });
