/** Decides and writes batches of a world: at first without a lock, and with one while other processes write too. */
import { observe } from '../../basics/histogram.ts';
import type { WriteTally } from '../../basics/work-tally.ts';
import type { CachedReads } from './cached-reads.ts';
import { DatabaseProblem, type Database, type Queries } from './database.ts';
import {
  changedBy,
  decide,
  totalsAfter,
  touchedBy,
  type Call,
  type Decided,
  type Drawn,
  type Known,
} from './decisions.ts';
import type { Follower } from './follower.ts';
import { lockStatement } from './statements.ts';
import type { StoredState } from './stored-state.ts';
import { load, placeOf, type Wanted } from './world-reads.ts';
import { writeBatch } from './write-batch.ts';
import { type StateChange, type WorldChange, type WorldRow } from './world-row.ts';
import type { Entity, EntityKey, IndexKey, RecordModel } from '../../openapi/openapi-records.ts';
import { Problem, unavailable } from '../../openapi/openapi-terms.ts';

type BatchesOptions = {
  readonly database: Database;
  readonly model: RecordModel;
  readonly follower: Follower;
  readonly reads: CachedReads;
  readonly state: StoredState;
  /** Called after a batch was written. */
  readonly hint: () => void;
  /** Counts each batch that the database has written. */
  readonly writes?: WriteTally | undefined;
};

/** A batch that is in the database, or needs nothing there. `written` is undefined in the latter case. */
type Done = { readonly decided: Decided; readonly written: Written | undefined };
type Written = { readonly row: WorldRow; readonly change: WorldChange };

/** How long batches lock the world after another process has come between. */
const contendedMs = 200;

/** How often a batch without a lock begins again. */
const maxTries = 20;

const wasReset = (): DatabaseProblem => new DatabaseProblem('The repository was reset or dropped. Try again.');

/**
 * Runs one batch after another. A batch is written on the condition that the world's change number is still the one that its decisions
 * have seen, so one statement is enough where one process writes. When the condition fails, the batch is decided again while it
 * holds the lock of the world's row.
 */
export const createBatches = (options: BatchesOptions): ((calls: readonly Call[]) => Promise<void>) => {
  const { follower, database } = options;
  const drawn: Drawn = new Map();
  const attempt = createAttempt(options, drawn);
  let contendedUntil = -Infinity;

  const write = async (calls: readonly Call[], state: readonly StateChange[]): Promise<Done> => {
    if (performance.now() >= contendedUntil) {
      const done = await attempt.unlocked(calls, state);
      if (done !== undefined) return done;
    }
    const before = follower.row().seq;
    const done = await database.transaction((queries) => attempt.locked(queries, calls, state));
    // Another process has written since the last batch of this one.
    if (follower.row().seq > before) contendedUntil = performance.now() + contendedMs;
    return done;
  };
  const publish = ({ decided, written }: Done, calls: readonly Call[]): void => {
    try {
      if (written === undefined) return;
      options.state.written();
      const after = new Map([...decided.changes].map(([key, change]) => [key, change.after]));
      if (follower.applyOwn(written.row, written.change)) options.reads.keepWritten(after);
      options.hint();
    } finally {
      for (const [at, call] of calls.entries()) {
        const outcome = decided.outcomes[at];
        if (outcome !== undefined && 'result' in outcome) call.resolve(outcome.result);
        else call.reject(outcome?.error);
      }
    }
  };
  const run = async (calls: readonly Call[]): Promise<void> => {
    const state = options.state.take();
    const began = performance.now();
    let done: Done;
    try {
      if (follower.isEnded()) throw wasReset();
      done = await write(calls, state);
    } catch (error) {
      options.state.restore(state);
      if (options.writes !== undefined) options.writes.failed += 1;
      // One of the calls has what the database cannot store. The others must not fail with it.
      if (!(error instanceof Problem) && calls.length > 1) for (const call of calls) await run([call]);
      else for (const call of calls) call.reject(error);
      return;
    }
    if (done.written !== undefined) note(options.writes, calls.length, began);
    publish(done, calls);
  };
  return run;
};

const note = (writes: WriteTally | undefined, size: number, began: number): void => {
  if (writes === undefined) return;
  observe(writes.batchSizes, size);
  observe(writes.seconds, (performance.now() - began) / 1000);
};

/** Decides the calls at one moment of the world. Undefined when it changes all the time. */
const createDeciding = ({ database, follower, reads, model }: BatchesOptions, drawn: Drawn) => {
  return async (queries: Queries, calls: readonly Call[]): Promise<{ row: WorldRow; decided: Decided } | undefined> => {
    const pinned = createPinned(reads);
    const check = () => (queries === database ? follower.check() : follower.checkIn(queries));
    let wanted: Wanted | undefined = namedReads(calls);
    let decidedAt: number | undefined;
    for (let tries = 1; tries <= maxTries || queries !== database; tries += 1) {
      if (follower.isEnded()) throw wasReset();
      const row = follower.row();
      pinned.follow(row.seq);
      const missing = pinned.missing(wanted);
      if (missing !== undefined) {
        const loaded = await load(queries, placeOf(row), missing, model.indexKeys);
        if (loaded.at?.generation !== row.generation || loaded.at.seq !== row.seq) {
          await check();
          continue;
        }
        reads.keep(loaded);
        pinned.add(loaded);
        if (follower.row().seq !== row.seq) continue;
      }
      // Another process may have drawn the same ids.
      if (decidedAt !== undefined && decidedAt !== row.seq) for (const call of calls) call.drawn.clear();
      decidedAt = row.seq;
      const decided = decide(calls, pinned.known(row), drawn, model);
      if ('outcomes' in decided) return { row, decided };
      wanted = decided;
    }
    return undefined;
  };
};

const createAttempt = (options: BatchesOptions, drawn: Drawn) => {
  const { database, follower, model } = options;
  const decideWith = createDeciding(options, drawn);
  const put = async (
    queries: Queries,
    { row, decided }: { readonly row: WorldRow; readonly decided: Decided },
    state: readonly StateChange[],
  ): Promise<Done | undefined> => {
    if (decided.changes.size === 0 && !decided.hasDrawn && state.length === 0) return { decided, written: undefined };
    const change = { touched: touchedBy(decided, model.indexKeys), changed: changedBy(decided), state };
    const next = rowAfter(row, decided);
    const isWritten = await writeBatch(queries, database, { row, next, decided, change }, options);
    return isWritten ? { decided, written: { row: next, change } } : undefined;
  };

  return {
    /** Undefined when another process came between. */
    unlocked: async (calls: readonly Call[], state: readonly StateChange[]): Promise<Done | undefined> => {
      // A batch that failed may have drawn ids.
      for (const call of calls) call.drawn.clear();
      const ready = await decideWith(database, calls);
      if (ready === undefined) return undefined;
      return put(database, ready, state);
    },
    locked: async (queries: Queries, calls: readonly Call[], state: readonly StateChange[]): Promise<Done> => {
      // Another process may have drawn the same ids.
      for (const call of calls) call.drawn.clear();
      const [, found] = await Promise.all([
        queries.query(lockStatement, [follower.row().id]),
        follower.checkIn(queries),
      ]);
      if (found !== 'current') throw wasReset();
      const ready = await decideWith(queries, calls);
      const done = ready === undefined ? undefined : await put(queries, ready, state);
      if (done === undefined) throw unavailable('The world is locked, and changes nevertheless.');
      return done;
    },
  };
};

/** What the calls say that they read. */
const namedReads = (calls: readonly Call[]): Wanted => {
  const all = calls.flatMap(({ reads }) => reads);
  return {
    keys: all.flatMap((read) => (typeof read === 'string' ? [read] : [])),
    indexes: all.flatMap((read) => (typeof read === 'string' ? [] : [read.index])),
  };
};

/** What a batch has loaded stays known until the batch ends, or the world changes. The cache may drop it at any time. */
const createPinned = (reads: CachedReads) => {
  const records = new Map<EntityKey, { readonly entity: Entity | undefined }>();
  const lookups = new Map<IndexKey, readonly Entity[]>();
  let seq: number | undefined;
  const pinRecord = (key: EntityKey): boolean => {
    const found = records.get(key) ?? reads.known.record(key);
    if (found !== undefined) records.set(key, found);
    return found !== undefined;
  };
  const pinLookup = (index: IndexKey): boolean => {
    const found = lookups.get(index) ?? reads.known.lookup(index);
    if (found !== undefined) lookups.set(index, found);
    return found !== undefined;
  };
  return {
    follow: (now: number): void => {
      if (now === seq) return;
      records.clear();
      lookups.clear();
      seq = now;
    },
    missing: (wanted: Wanted | undefined): Wanted | undefined => {
      const keys = [...new Set(wanted?.keys)].filter((key) => !pinRecord(key));
      const indexes = [...new Set(wanted?.indexes)].filter((index) => !pinLookup(index));
      return keys.length + indexes.length === 0 ? undefined : { keys, indexes };
    },
    add: (loaded: Awaited<ReturnType<typeof load>>): void => {
      for (const [key, { entity }] of loaded.records) records.set(key, { entity });
      for (const [index, { entities }] of loaded.lookups) lookups.set(index, entities);
    },
    known: (row: WorldRow): Known => ({
      row,
      record: (key) => (pinRecord(key) ? records.get(key) : undefined),
      lookup: (index) => (pinLookup(index) ? lookups.get(index) : undefined),
    }),
  };
};

const rowAfter = (row: WorldRow, decided: Decided): WorldRow => ({
  ...row,
  seq: row.seq + 1,
  isTopUsed: row.isTopUsed || decided.changes.size > 0,
  counters: decided.counters,
  totals: totalsAfter(row.totals, decided),
});
