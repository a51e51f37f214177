/** Decisions, batches and publishing: what the entity stores share. How a batch becomes durable is given. */
import { unavailable } from '../problem.ts';
import type { Problem } from '../problem.ts';
import type { Change, Counter, Decision, EntityStore, IndexKeys, StoreRead, StoreView } from './entity-store.ts';
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

/**
 * An entity store over published records and a writer. Readers see a change when its batch is durable, all of it at
 * once; decisions see staged changes too. `records` is asked each time, because a reset may exchange the set.
 */
export const createBatchedEntityStore = (
  records: () => RecordSet,
  indexes: IndexKeys,
  writer: BatchWriter,
): EntityStore => {
  const queue = createBatchQueue(records, indexes, writer);
  let closed = false;
  return {
    getMany: (keys) => Promise.resolve(keys.map((key) => records().get(key))),
    lookupMany: (names) => Promise.resolve(names.map((name) => records().lookup(name))),
    list: (type, options) => Promise.resolve(records().list(type, options)),
    transact: async <T>(_reads: readonly StoreRead[], decide: (view: StoreView) => Decision<T>): Promise<T> => {
      while (writer.isCramped() && queue.running() !== undefined) await queue.running();
      if (closed) throw unavailable('The store is closed.');
      const { changes, result } = decide(queue.view);
      await queue.join(changes);
      return result;
    },
    close: async () => {
      if (closed) return;
      closed = true;
      await queue.running();
      await writer.close();
    },
  };
};

const createBatchQueue = (records: () => RecordSet, indexes: IndexKeys, writer: BatchWriter) => {
  const staged = createStagedRecords(records, indexes);
  const owed = createOwedCounters(records);
  const view: StoreView = { ...staged.view, nextId: owed.draw };
  let open = emptyBatch(1);
  let running: Promise<void> | undefined;

  const add = (changes: readonly Change[]): void => {
    if (changes.length === 0 && !owed.any()) return;
    const encoded = writer.encode({ changes, counters: owed.values() });
    staged.stage(changes, open.number);
    open.encoded.push(encoded);
    open.changes.push(...changes);
    owed.clear();
  };

  const drop = (batch: Batch, problem: Problem): void => {
    const stagedOnIt = open;
    open = emptyBatch(stagedOnIt.number + 1);
    staged.clear();
    owed.owe(records().counters());
    for (const { reject } of [...batch.waiters, ...stagedOnIt.waiters]) reject(problem);
  };

  const publish = (batch: Batch): void => {
    for (const change of batch.changes) records().apply(change);
    staged.settle(batch.changes, batch.number);
    writer.published();
    for (const { resolve } of batch.waiters) resolve();
  };

  const run = async (): Promise<void> => {
    // Whoever calls in the same turn of the loop joins the first batch.
    await Promise.resolve();
    while (open.waiters.length > 0) {
      const batch = open;
      open = emptyBatch(batch.number + 1);
      try {
        if (batch.encoded.length > 0) await writer.append(batch.encoded, () => relieves(records(), batch.changes));
      } catch (error) {
        drop(batch, writeProblem(error));
        continue;
      }
      publish(batch);
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

  return { view, join, running: () => running };
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
