/** One world of a team repository, as this process knows it: its records, its shared state, and how they are brought up to date. */
import type { WorldState } from '../../openapi/openapi-host.ts';
import { openGeneration, type Generation, type GenerationOptions } from './world-generation.ts';
import { readWorldRow, worldColumns, type WorldColumns, type WorldRow } from './world-row.ts';
import type { EntityStore } from '../../openapi/openapi-records.ts';

export type StoredWorld = {
  readonly id: number;
  readonly name: string;
  /**
   * Asks for the changes since the last time and applies them: drops what the caches have of them, tells who watches the store,
   * sets the shared state. Calls share a check that started after they came. `current`: go on. `replaced`: the world was reset,
   * `store` and `state` are others now, and the owner makes new views. `gone`: the world was dropped. Rejects with a Problem.
   */
  refresh(): Promise<'current' | 'replaced' | 'gone'>;
  /** Another process says that the world has changed. With `local` this asks soon; with `strict` it does nothing. */
  hinted(): void;
  /** The row as it was at the last refresh or write. */
  readonly row: WorldRow;
  /**
   * The records of this generation. After a reset, an old store goes on answering reads from the old records, and refuses writes
   * with 503.
   */
  readonly store: EntityStore;
  /** The shared state of this generation. */
  readonly state: WorldState;
  /** Writes what this process changed in `state` since the last flush. Costs nothing when there is nothing. Rejects with a Problem. */
  flush(): Promise<void>;
  /** Waits for open batches. Later writes reject with 503. */
  close(): Promise<void>;
};

export type StoredWorldOptions = GenerationOptions & {
  /**
   * `strict`: each refresh asks the database. `local`: a refresh asks after a hint of a change, or when the last answer is
   * older than a second.
   */
  readonly consistency: 'strict' | 'local';
};

/** How old an answer may be with `local`. */
const localMs = 1000;

/** Undefined when there is no world of this name or id. Rejects with a Problem. */
export const openStoredWorld = async (
  world: string | number,
  options: StoredWorldOptions,
): Promise<StoredWorld | undefined> => {
  const [columns] = await options.database.query<WorldColumns>(
    `select ${worldColumns} from atoll_worlds where ${typeof world === 'string' ? 'name' : 'id'} = $1`,
    [world],
  );
  if (columns === undefined) return undefined;
  const row = readWorldRow(columns);
  const opened = createStoredWorld(await openGeneration(row, options), options);
  options.hints?.follow(opened);
  return opened;
};

const createStoredWorld = (first: Generation, options: StoredWorldOptions): StoredWorld => {
  let current = first;
  let replacing: Promise<void> | undefined;

  const replace = async (ended: Generation): Promise<void> => {
    const row = ended.follower.replacement();
    if (current !== ended || row === undefined) return;
    const next = await openGeneration(row, options);
    current = next;
    await ended.store.close();
  };
  const check = async (): Promise<'current' | 'replaced' | 'gone'> => {
    const asked = current;
    const found = await asked.follower.check();
    if (found !== 'replaced') return found;
    replacing ??= replace(asked).finally(() => {
      replacing = undefined;
    });
    await replacing;
    return 'replaced';
  };
  const mayWait = (): boolean =>
    options.consistency === 'local' &&
    !current.follower.isEnded() &&
    performance.now() - current.follower.checkedAt() < localMs;

  return {
    id: first.follower.row().id,
    name: first.follower.row().name,
    refresh: () => (mayWait() ? Promise.resolve('current') : check()),
    hinted: () => {
      if (options.consistency === 'local') check().catch(() => undefined);
    },
    get row() {
      return current.follower.row();
    },
    get store() {
      return current.store;
    },
    get state() {
      return current.state.shared;
    },
    flush: () => current.flush(),
    close: () => current.store.close(),
  };
};
