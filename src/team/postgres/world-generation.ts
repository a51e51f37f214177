/** One generation of a world: its entity store and its shared state, both over the change sequence. */
import type { WriteTally } from '../../basics/work-tally.ts';
import { createBatches } from './batches.ts';
import { createCachedReads, type CachedReads, type Kept, type ReadAhead } from './cached-reads.ts';
import type { ChangeHints } from './listener.ts';
import type { Database, Queries } from './database.ts';
import type { Call } from './decisions.ts';
import { createFollower, type Follower } from './follower.ts';
import type { RecordCache } from './record-cache.ts';
import { createFindRecords } from './lists/record-query.ts';
import { createStoredState, type StoredState } from './stored-state.ts';
import type { StateChange, WorldChange, WorldRow } from './world-row.ts';
import type { Decision, EntityStore, RecordModel, StoreRead, StoreView } from '../../openapi/openapi-records.ts';
import { unavailable } from '../../openapi/openapi-terms.ts';

export type Generation = {
  readonly follower: Follower;
  readonly store: EntityStore;
  readonly state: StoredState;
  flush(): Promise<void>;
};

export type GenerationOptions = {
  readonly database: Database;
  readonly model: RecordModel;
  readonly readAhead: ReadAhead;
  /** Shared by all worlds of the process. */
  readonly cache: RecordCache;
  /** The name of this process among those of the repository. */
  readonly process: string;
  /** Counts each batch. */
  readonly writes?: WriteTally | undefined;
  /** Tells the other processes of changes, and this one of theirs. */
  readonly hints?: ChangeHints | undefined;
};

type Listener = Parameters<EntityStore['watch']>[0];

/** Loads the shared state. Rejects with a Problem. */
export const openGeneration = async (row: WorldRow, options: GenerationOptions): Promise<Generation> => {
  const { database } = options;
  const listeners = new Set<Listener>();
  const state = createStoredState(options.process);
  const apply = (change: WorldChange): void => {
    reads.forget(change);
    state.apply(change.state);
    if (change.touched.length === 0) return;
    const touched = new Set(change.touched);
    for (const listener of listeners) listener(touched, change.changed);
  };
  const follower = createFollower({ database, row, apply });
  const reads: CachedReads = createCachedReads({ ...options, cache: options.cache.of<Kept>(), follower });
  const hint = (): void => options.hints?.hint(row.id);
  state.load(await readState(database, row.id));
  const queue = createQueue(createBatches({ ...options, follower, reads, state, hint }));
  return {
    follower,
    state,
    store: { ...createStore(reads, queue, listeners), ...finder(options, follower) },
    // What a batch is writing at this moment is known when the next one begins: it is there, or the next one takes it.
    flush: () => (state.hasChanges() ? queue.add([], () => ({ changes: [], result: undefined })) : Promise.resolve()),
  };
};

const finder = ({ database, model }: GenerationOptions, follower: Follower): Pick<EntityStore, 'find'> =>
  model.listing === undefined ? {} : { find: createFindRecords({ queries: database, row: () => follower.row() }) };

const readState = async (queries: Queries, world: number): Promise<readonly StateChange[]> => {
  const rows = await queries.query<{ topic: string; key: string; value: string }>(
    'select topic, key, value from atoll_state where world = $1 and value is not null',
    [world],
  );
  return rows.map(({ topic, key, value }) => [topic, key, value]);
};

type Queue = {
  add<T>(reads: readonly StoreRead[], decide: (view: StoreView) => Decision<T>): Promise<T>;
  close(): Promise<void>;
};

/** The most calls of a batch. */
const maxCalls = 256;

/** Calls that come while a batch is written make the next one. */
const createQueue = (run: (calls: readonly Call[]) => Promise<void>): Queue => {
  const calls: Call[] = [];
  let running: Promise<void> | undefined;
  let isClosed = false;
  const work = async (): Promise<void> => {
    // All calls of the same turn of the event loop join the first batch.
    await Promise.resolve();
    while (calls.length > 0) await run(calls.splice(0, maxCalls));
    running = undefined;
  };
  return {
    add: <T>(reads: readonly StoreRead[], decide: (view: StoreView) => Decision<T>) => {
      if (isClosed) return Promise.reject(unavailable('The store is closed.'));
      return new Promise<T>((resolve, reject) => {
        // The queue gives each call the result of its own decision.
        calls.push({ reads, decide, drawn: new Map(), resolve: (result) => resolve(result as T), reject });
        running ??= work();
      });
    },
    close: async () => {
      isClosed = true;
      await running;
    },
  };
};

const createStore = (reads: CachedReads, queue: Queue, listeners: Set<Listener>): EntityStore => ({
  getMany: (keys) => reads.getMany(keys),
  lookupMany: (names) => reads.lookupMany(names),
  list: (type, options) => reads.list(type, options),
  known: reads.known,
  transact: (named, decide) => queue.add(named, decide),
  watch: (listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  close: () => queue.close(),
});
