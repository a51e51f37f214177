/** Decisions, batches and publishing: what the entity stores share. How a batch becomes durable is given. */
import type { Entity } from '../model/entity.ts';
import { unavailable } from '../problem.ts';
import type { Problem } from '../problem.ts';
import type { Change, Counter, Decision, EntityStore, IndexKeys, StoreRead, StoreView } from '../model/entity-store.ts';
import { changedKey } from './record-set.ts';
import type { Counters, RecordSet } from './record-set.ts';
import { createStagedRecords } from './staged-records.ts';
import { writeProblem } from './write-problem.ts';

/** What one decision changes, and where the counters stand that were drawn from since the last change set. */
export type ChangeSet = { readonly changes: readonly Change[]; readonly counters: Counters };

/** Makes batches durable, one at a time. */
export type BatchWriter = {
  /** A change set in the writer's own words. What it throws reaches the caller of `transact` and changes nothing. */
  encode(changeSet: ChangeSet): string;
  /**
   * Resolves when the encoded change sets are durable; rejects when none of them is. `relieves` says whether the batch
   * leaves no record longer than it was, so that it may use what is kept for a full disk.
   */
  append(encoded: readonly string[], relieves: () => boolean): Promise<void>;
  /** The last batch found no space: now each change set has to stand or fall alone. */
  isCramped(): boolean;
  /** A batch has been published and the next one has not begun. */
  published(): void;
  close(): Promise<void>;
};

type Waiter = { readonly resolve: () => void; readonly reject: (problem: Problem) => void };
type Batch = {
  readonly number: number;
  readonly encoded: string[];
  readonly changes: Change[];
  readonly waiters: Waiter[];
};

const emptyBatch = (number: number): Batch => ({ number, encoded: [], changes: [], waiters: [] });

/** A store whose owner can put another one in its place. */
export type ReplaceableStore = {
  readonly store: EntityStore;
  /** Refuses further decisions with 503 and resolves when those that were taken are durable. Reading goes on. */
  retire(): Promise<void>;
  /** Takes decisions again: nothing came in its place. */
  resume(): void;
};

/**
 * An entity store over published records and a writer. Readers see a change when its batch is durable, all of it at
 * once; decisions see staged changes too.
 */
export const createBatchedEntityStore = (
  records: () => RecordSet,
  indexes: IndexKeys,
  writer: BatchWriter,
): ReplaceableStore => {
  const queue = createBatchQueue(records, indexes, writer);
  let closed = false;
  let retired = false;
  const store: EntityStore = {
    getMany: (keys) => Promise.resolve(keys.map((key) => records().get(key))),
    lookupMany: (names) => Promise.resolve(names.map((name) => records().lookup(name))),
    list: (type, options) => Promise.resolve(records().list(type, options)),
    transact: async <T>(_reads: readonly StoreRead[], decide: (view: StoreView) => Decision<T>): Promise<T> => {
      while (writer.isCramped() && queue.running() !== undefined) await queue.running();
      if (closed) throw unavailable('The store is closed.');
      if (retired) throw unavailable('The repository is being reset. Try again.');
      const { changes, result } = decide(queue.view);
      await queue.join(changes);
      return result;
    },
    watch: queue.watch,
    close: async () => {
      if (closed) return;
      closed = true;
      await queue.running();
      await writer.close();
    },
  };
  return {
    store,
    retire: async () => {
      retired = true;
      await queue.running();
    },
    resume: () => {
      retired = false;
    },
  };
};

const createBatchQueue = (records: () => RecordSet, indexes: IndexKeys, writer: BatchWriter) => {
  const staged = createStagedRecords(records, indexes);
  const owed = createOwedCounters(records);
  let open = emptyBatch(1);
  let running: Promise<void> | undefined;
  const watchers = createWatchers();

  const add = (changes: readonly Change[]): void => {
    if (changes.length === 0 && !owed.any()) return;
    const encoded = writer.encode({ changes, counters: owed.values() });
    staged.stage(changes, open.number);
    open.encoded.push(encoded);
    open.changes.push(...changes);
    owed.clear();
  };

  const drop = (batch: Batch, problem: Problem): void => {
    rejectAll([batch, open], problem);
    open = emptyBatch(open.number + 1);
    staged.clear();
    owed.owe(records().counters());
  };

  const publish = (batch: Batch): void => {
    const tell = watchers.announce(batch.changes, records(), indexes);
    for (const change of batch.changes) records().apply(change);
    staged.settle(batch.changes, batch.number);
    writer.published();
    tell();
    for (const { resolve } of batch.waiters) resolve();
  };

  const run = async (): Promise<void> => {
    // Whoever calls in the same turn of the loop joins the first batch.
    await Promise.resolve();
    while (open.waiters.length > 0) {
      const batch = open;
      open = emptyBatch(batch.number + 1);
      const problem = await problemOf(
        () => writer.append(batch.encoded, () => relieves(records(), batch.changes)),
        batch,
      );
      if (problem === undefined) publish(batch);
      else drop(batch, problem);
    }
    running = undefined;
  };

  /** Even without changes of its own a decision may rest on staged records: it waits with them. */
  const join = (changes: readonly Change[]): Promise<void> => {
    add(changes);
    const durable = new Promise<void>((resolve, reject) => open.waiters.push({ resolve, reject }));
    running ??= run();
    return durable;
  };

  return { view: { ...staged.view, nextId: owed.draw }, join, watch: watchers.watch, running: () => running };
};

/** What kept a batch from becoming durable, if anything did. */
const problemOf = async (append: () => Promise<void>, { encoded }: Batch): Promise<Problem | undefined> => {
  try {
    if (encoded.length > 0) await append();
    return undefined;
  } catch (error) {
    return writeProblem(error);
  }
};

const rejectAll = (batches: readonly Batch[], problem: Problem): void => {
  for (const { waiters } of batches) for (const { reject } of waiters) reject(problem);
};

type Listener = Parameters<EntityStore['watch']>[0];

/** Those who want to know what has been published. */
const createWatchers = () => {
  const listeners = new Set<Listener>();
  return {
    watch: (listener: Listener): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Called before the changes are carried out; the result, called afterwards, tells. */
    announce: (changes: readonly Change[], records: RecordSet, indexes: IndexKeys): (() => void) => {
      if (listeners.size === 0) return () => undefined;
      const touched = touchedBy(changes, records, indexes);
      return () => {
        for (const listener of listeners) listener(touched);
      };
    },
  };
};

/** Asked before the changes are carried out: which records and sets they change. */
const touchedBy = (changes: readonly Change[], records: RecordSet, indexes: IndexKeys): ReadonlySet<string> => {
  const touched = new Set<string>();
  const touch = (entity: Entity | undefined): void => {
    if (entity !== undefined) for (const index of indexes(entity)) touched.add(index);
  };
  for (const change of changes) {
    const key = changedKey(change);
    touched.add(key);
    touch(records.get(key));
    if ('put' in change) touch(change.put);
  }
  return touched;
};

/** The counters that have been drawn from and are not yet in a change set. */
const createOwedCounters = (records: () => RecordSet) => {
  const owed = new Set<string>();
  return {
    draw: (counter: Counter): number => {
      owed.add(counter);
      return records().nextId(counter);
    },
    owe: (counters: Counters): void => {
      for (const name of Object.keys(counters)) owed.add(name);
    },
    any: () => owed.size > 0,
    values: (): Counters => Object.fromEntries(Object.entries(records().counters()).filter(([name]) => owed.has(name))),
    clear: () => owed.clear(),
  };
};

/** Removals, and records that do not grow (cases: D09). */
const relieves = (records: RecordSet, changes: readonly Change[]): boolean =>
  changes.every((change) => {
    if ('remove' in change) return true;
    const before = records.get(changedKey(change));
    return before !== undefined && JSON.stringify(change.put).length <= JSON.stringify(before).length;
  });
