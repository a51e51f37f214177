/** The port behind which records live. Every implementation passes `test/storage/entity-store.suite.ts`. */
import type { Entity, EntityKey, EntityType } from './entity.ts';

/**
 * The name of a set of records, such as `media-of:12` or `uuid:node/8322…`. Which names a record belongs to is told by
 * the function given to the store (`content/index-keys.ts`), so that no store knows a content rule.
 */
export type IndexKey = string;
export type IndexKeys = (entity: Entity) => readonly IndexKey[];

/** What ids are drawn from: entity ids by type, revision ids by type. */
export type Counter = EntityType | `${EntityType}_revision`;

export type Change = { readonly put: Entity } | { readonly remove: EntityKey };

/** Published plus staged records, as a decision sees them. Reads without waiting. */
export type StoreView = {
  get(key: EntityKey): Entity | undefined;
  /** Ascending id. */
  lookup(index: IndexKey): readonly Entity[];
  /** Draws the next id; ids are never given twice, not even after a delete, a failed write or a restart. */
  nextId(counter: Counter): number;
};

/** What a decision asks for beforehand, so that a database can lock it. */
export type StoreRead = EntityKey | { readonly index: IndexKey };

/** The changes to make, in order, and what to tell the caller once they are durable. */
export type Decision<T> = { readonly changes: readonly Change[]; readonly result: T };

export type ListOptions = { readonly bundle?: string | undefined; readonly offset: number; readonly limit: number };

/**
 * Records. Reads show published records only: those whose change is durable. Reads are batched, because a network may
 * lie between.
 */
export type EntityStore = {
  /** One answer per key, in order; undefined where there is none. */
  getMany(keys: readonly EntityKey[]): Promise<readonly (Entity | undefined)[]>;
  /** One answer per index key, in order; records in ascending id. */
  lookupMany(indexes: readonly IndexKey[]): Promise<readonly (readonly Entity[])[]>;
  /** Records of a type in ascending id, and how many there are in all. */
  list(
    type: EntityType,
    options: ListOptions,
  ): Promise<{ readonly total: number; readonly entities: readonly Entity[] }>;
  /**
   * Runs `decide` without awaiting, one decision after another, against published plus staged records; joins its
   * changes to the next batch; resolves with its result when the batch is durable and published. What `decide` throws
   * is passed on and changes nothing. When a batch cannot be made durable, everything in it and everything staged on
   * it rejects with a Problem (507 no space, 503 otherwise) and is dropped.
   */
  transact<T>(reads: readonly StoreRead[], decide: (view: StoreView) => Decision<T>): Promise<T>;
  /**
   * Calls back with every batch that is published, in the same turn: the keys of the records that changed and the index
   * keys that they belonged to or belong to now. The result ends the calls.
   */
  watch(listener: (touched: ReadonlySet<string>) => void): () => void;
  /** Waits for open batches and lets go of the directory. */
  close(): Promise<void>;
};
