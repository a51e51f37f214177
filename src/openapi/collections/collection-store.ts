/** Defines where the records of collections are kept. A host gives each of its worlds such a store. */
import type { Awaitable } from '../../basics/awaitable.ts';

/** How much collections hold at most: collections and records of all of them in a world, bytes of a record as JSON, levels of its value. */
export const collectionBounds = { collections: 200, records: 100_000, recordBytes: 1024 ** 2, levels: 90 } as const;

/** The name by which the records below one parent have begun; without a parent those below any. */
export const begunBelow = (collection: string, parent = '*'): string => `${collection} ${parent}`;

/** A JSON value with its id, which may be any text. */
export type CollectionRecord = { readonly id: string; readonly value: unknown };

/** What a transaction sees: the stored records, with its own changes. It reads without waiting. */
export type CollectionsView = {
  readonly get: (collection: string, id: string) => CollectionRecord | undefined;
  /** In the order in which the ids were put first. */
  readonly list: (collection: string) => readonly CollectionRecord[];
  readonly put: (collection: string, id: string, value: unknown) => void;
  /** Returns whether there was such a record. */
  readonly delete: (collection: string, id: string) => boolean;
  /** A whole number above all ids that the collection ever had. None is drawn twice. */
  readonly nextNumber: (collection: string) => number;
  /** Returns true once for each collection, and false after that: then it gets the records that it begins with. */
  readonly begin: (collection: string) => boolean;
};

export type CollectionStore = {
  readonly get: (collection: string, id: string) => Awaitable<CollectionRecord | undefined>;
  /**
   * In the order in which the ids were put first. The same array with the same records as long as the collection does not change, so
   * that a caller can keep with it whatever it computes from it.
   */
  readonly list: (collection: string) => Awaitable<readonly CollectionRecord[]>;
  /** Whether `begin` has returned true before. */
  readonly hasBegun: (collection: string) => boolean;
  /** The collections that have, or have had, records, by name. */
  readonly names: () => readonly string[];
  /**
   * Runs `decide` without a pause. Resolves with its result when its changes are durable, all of them. Rejects with what it throws, and
   * with an error that has a `status`: 507 without space or beyond the bounds of a world, 413 for a record that is too large, 503. Then
   * nothing has changed.
   */
  readonly transact: <T>(decide: (view: CollectionsView) => T) => Promise<T>;
};

/** One collection, as a handler has it. */
export type Collection<Value = unknown> = {
  readonly get: (id: string) => Promise<Value | undefined>;
  /** In the order in which the ids were put first. Without a limit: all. */
  readonly list: (page?: { readonly offset?: number; readonly limit?: number }) => Promise<{
    readonly total: number;
    readonly records: readonly { readonly id: string; readonly value: Value }[];
  }>;
  /** Adds a record, or replaces the one with this id, which keeps its place. */
  readonly put: (id: string, value: Value) => Promise<void>;
  /** Resolves with whether there was such a record. */
  readonly delete: (id: string) => Promise<boolean>;
  /** Runs `change` without a pause: no other write comes in between. Its writes are stored together, or none of them. */
  readonly transact: <T>(change: (records: CollectionWriter<Value>) => T) => Promise<T>;
};

export type CollectionWriter<Value = unknown> = {
  readonly get: (id: string) => Value | undefined;
  readonly list: () => readonly { readonly id: string; readonly value: Value }[];
  readonly put: (id: string, value: Value) => void;
  readonly delete: (id: string) => boolean;
  /** A whole number above all ids that the collection ever had. */
  readonly nextNumber: () => number;
  /** Another collection, in the same transaction. */
  readonly collection: <Other = unknown>(name: string) => CollectionWriter<Other>;
};

/** Names a collection of a world. */
export type CollectionNamed = <Value = unknown>(name: string) => Collection<Value>;

/** One collection of a store, by its name. */
export const collectionOf = <Value = unknown>(store: CollectionStore, name: string): Collection<Value> => ({
  get: async (id) => (await store.get(name, id))?.value as Value | undefined, // its author is responsible for its type
  list: async ({ offset = 0, limit = Infinity } = {}) => {
    const all = (await store.list(name)) as readonly { readonly id: string; readonly value: Value }[];
    return { total: all.length, records: all.slice(offset, offset + limit) };
  },
  put: (id, value) => store.transact((view) => view.put(name, id, value)),
  delete: (id) => store.transact((view) => view.delete(name, id)),
  transact: (change) => store.transact((view) => change(writerIn(view, name))),
});

/** One collection in a transaction. */
export const writerIn = <Value>(view: CollectionsView, name: string): CollectionWriter<Value> => ({
  get: (id) => view.get(name, id)?.value as Value | undefined, // its author is responsible for its type
  list: () => view.list(name) as readonly { readonly id: string; readonly value: Value }[],
  put: (id, value) => view.put(name, id, value),
  delete: (id) => view.delete(name, id),
  nextNumber: () => view.nextNumber(name),
  collection: (other) => writerIn(view, other),
});
