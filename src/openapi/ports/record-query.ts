/** A port of the storage: the query for a list of records, filtered, sorted, and a part at a time, and its result. */
import type { Entity } from './entity.ts';

/** A member that is left out asks for nothing. */
export type RecordFilter = {
  readonly bundles?: readonly string[] | undefined;
  /** Names among `Listing.references` of the record. */
  readonly references?: readonly string[] | undefined;
  /** Index keys under which the records are found, with others. */
  readonly indexKeys?: readonly string[] | undefined;
  /** A part of the title, folded. */
  readonly text?: string | undefined;
  readonly isPublished?: boolean | undefined;
};

export const recordOrders = ['id', 'title', 'changed'] as const;
export type RecordOrder = (typeof recordOrders)[number];

/** A position in an order: the value that records are sorted by there, and an id. Texts are compared by UTF-16 code units. */
export type Place = { readonly value: string | number; readonly id: number };

/** A part of a list: `limit` records from `offset` on, counted from 0, or those behind a place. */
export type RecordQuery = {
  readonly type: string;
  readonly order: RecordOrder;
  readonly isDescending: boolean;
  readonly filter: RecordFilter;
  readonly limit: number;
} & ({ readonly offset: number } | { readonly after: Place });

export type FoundRecords = {
  /** How many records pass the filter. */
  readonly total: number;
  /** How many of them stand before the first one of the part. */
  readonly begin: number;
  readonly entities: readonly Entity[];
};

export type FindRecords = (query: RecordQuery) => Promise<FoundRecords>;

/** What a record is found and sorted by. */
export type Listing = {
  /** Folded, and not longer than an index can have it. */
  readonly title: string;
  /** Seconds since 1970; 0 for a record without such a time. */
  readonly changed: number;
  readonly isPublished: boolean;
  /** Names of what it refers to, without blanks. */
  readonly references: readonly string[];
};
