/** A port of the storage: the query for a list of records, filtered, sorted, and a part at a time, and its result. */
import type { Entity, EntityType } from './entity.ts';

/** A member that is left out asks for nothing. */
export type RecordFilter = {
  readonly bundles?: readonly string[] | undefined;
  /** A term: the model of nodes, the use of media. */
  readonly model?: number | undefined;
  /** Nodes: a node that they are members of. */
  readonly memberOf?: number | undefined;
  /** Media: a node that they belong to. */
  readonly mediaOf?: number | undefined;
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
  readonly type: EntityType;
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
type Listing = {
  /** Folded, and not longer than an index can have it. */
  readonly title: string;
  /** Seconds since 1970; 0 for a record without such a time. */
  readonly changed: number;
  readonly isPublished: boolean;
  /** Names of what it refers to, without blanks. Those of `RecordLists.references` are among them. */
  readonly references: readonly string[];
};

/** What a store needs to list records, since it knows no content rule. */
export type RecordLists = {
  readonly listing: (entity: Entity) => Listing;
  /** The references that each record of the filter has. */
  readonly references: (type: EntityType, filter: RecordFilter) => readonly string[];
  /** Index keys under which each record of the filter is found, with others. */
  readonly indexKeys: (type: EntityType, filter: RecordFilter) => readonly string[];
};
