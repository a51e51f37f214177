/**
 * One of the two ports of the storage: `EntityStore` keeps records, `BlobStorage` (`blob-storage.ts`) keeps bytes.
 * Every implementation passes `test/storage/entity-store.suite.ts`.
 */
import type { Entity, EntityKey } from './entity.ts';
import type { FindRecords, Listing } from './record-query.ts';

/** The name of a set of records, such as `media-of:12` or `uuid:node/8322…`. */
export type IndexKey = string;
export type IndexKeys = (entity: Entity) => readonly IndexKey[];

/** What a store has to know of the records of an application, so that no store contains a rule about content. */
export type RecordModel = {
  /** The types of its records, in a fixed order. */
  readonly types: readonly string[];
  /** The sets that a record is in. */
  readonly indexKeys: IndexKeys;
  /** Stores may keep the keys with their records. It must rise when any record gets other keys than before. Without it
   * they are computed again. */
  readonly keysVersion?: number | undefined;
  /** The ids that a record uses up. */
  readonly countersOf: (entity: Entity) => Counters;
  /** The type of the records that have bytes. Missing where none has any. */
  readonly fileType?: string | undefined;
  /** What a record is found by in lists. Stores with indexes keep it with the record. Missing where no list is asked for. */
  readonly listing?: ((entity: Entity) => Listing) | undefined;
};

/** The counters of a store that these records fill. */
export const highestCounters = (entities: Iterable<Entity>, countersOf: RecordModel['countersOf']): Counters => {
  const highest: Record<string, number> = {};
  for (const entity of entities) {
    for (const [name, value] of Object.entries(countersOf(entity)))
      if (value > (highest[name] ?? 0)) highest[name] = value;
  }
  return highest;
};

/** A record that was put or removed. */
export type ChangedRecord = { readonly key: EntityKey; readonly isRemoved: boolean };

/** What ids are drawn from, such as `node` or `node_revision`. */
export type Counter = string;

export type Change = { readonly put: Entity } | { readonly remove: EntityKey };

/** Published plus staged records, as a decision sees them. Reads without waiting. */
export type StoreView = {
  get(key: EntityKey): Entity | undefined;
  /** Ascending id. */
  lookup(index: IndexKey): readonly Entity[];
  /** Draws the next id, which is above `above`. No id is drawn twice, not even after a delete, a failed write or a restart. */
  nextId(counter: Counter, above?: number): number;
  /** Missing where records may be behind a network. */
  readonly staged?: StagedState | undefined;
};

/** What is staged, besides the records themselves. */
export type StagedState = {
  /** The keys of the staged records that have the index key, or had it before. */
  keysUnder(index: IndexKey): ReadonlySet<EntityKey>;
  /** Counters with those of staged decisions. */
  lastId(counter: Counter): number;
  counters(): Counters;
};

/** What a decision will read. A database can lock it beforehand. */
export type StoreRead = EntityKey | { readonly index: IndexKey };

/** The changes to make, in order, and the result for the caller once they are durable. */
export type Decision<T> = {
  readonly changes: readonly Change[];
  /** Raised with the changes or not at all, other than what `nextId` has drawn. Only where a view has `staged`. */
  readonly counters?: Counters | undefined;
  readonly result: T;
};

export type ListOptions = { readonly bundle?: string | undefined; readonly offset: number; readonly limit: number };

/** The published records as they are at this moment. */
type PresentRecords = {
  get(key: EntityKey): Entity | undefined;
  /** Ascending id. The array never changes. */
  lookup(index: IndexKey): readonly Entity[];
  /** How many records `lookup` finds. It reads none of them. */
  count(index: IndexKey): number;
  /** The last id that was drawn or taken up, also by what is not published yet. 0 when there is none. */
  lastId(counter: Counter): number;
  counters(): Counters;
};

/** The published records as far as they are known at this moment. Undefined stands for what has to be loaded. */
export type KnownRecords = {
  record(key: EntityKey): { readonly entity: Entity | undefined } | undefined;
  /** Ascending id. */
  lookup(index: IndexKey): readonly Entity[] | undefined;
};

/**
 * Keeps records. Reads return published records only, which means that their change is durable. Reads take several
 * keys at once, because a store may be a database behind a network.
 */
export type EntityStore = {
  /** Resolves with one element per key, in order. A missing record is undefined. */
  getMany(keys: readonly EntityKey[]): Promise<readonly (Entity | undefined)[]>;
  /** Resolves with one element per index key, in order. Records have ascending ids. */
  lookupMany(indexes: readonly IndexKey[]): Promise<readonly (readonly Entity[])[]>;
  /** One page of a type's records in ascending id, and the number of all of them. */
  list(type: string, options: ListOptions): Promise<{ readonly total: number; readonly entities: readonly Entity[] }>;
  /**
   * Runs `decide` against published plus staged records, one decision after another, without awaiting. Adds its changes
   * to the next batch and resolves with its result when the batch is durable and published. Rejects with what `decide`
   * throws; then nothing changes. When a batch cannot be made durable, it is dropped together with everything staged
   * on it, and all of these calls reject with a Problem: 507 without space, otherwise 503.
   */
  transact<T>(reads: readonly StoreRead[], decide: (view: StoreView) => Decision<T>): Promise<T>;
  /**
   * Calls `listener` synchronously with every published batch: the keys of the changed records with the index keys that
   * they had before or have now, and the changed records in order. Returns a function that ends the calls.
   */
  watch(listener: (touched: ReadonlySet<string>, changed: readonly ChangedRecord[]) => void): () => void;
  /** What `getMany` and `lookupMany` read, without waiting. Missing where records may be behind a network. */
  readonly present?: PresentRecords | undefined;
  /** What is at hand of records behind a network. */
  readonly known?: KnownRecords | undefined;
  /**
   * Finds records by indexes of the store. Missing where the store has none: the application then keeps lists of records
   * next to it, with the same answers.
   */
  readonly find?: FindRecords | undefined;
  /** Waits for open batches and releases the directory. */
  close(): Promise<void>;
};

/** The highest id drawn so far, by counter. A missing counter is 0. */
export type Counters = Readonly<Record<Counter, number>>;
