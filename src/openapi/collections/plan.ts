/** Defines the plan of a collection: what the document says about it. */
import type { Media, Operation, Response } from '../document/operation.ts';

export type IdKind = 'integer' | 'uuid' | 'text';

/** What a request does to a collection. */
export type CollectionRole = 'list' | 'create' | 'read' | 'replace' | 'patch' | 'remove';

export type CollectionPlan = {
  /** The fixed parts of its path: `books`, `users/posts`. */
  readonly name: string;
  /** `/books`; of a singleton its only path. */
  readonly path: string;
  /** One record alone, without an id. */
  readonly isSingleton: boolean;
  /** The names of the parameters in its path, and of the one behind it, which is the id. */
  readonly parentParameters: readonly string[];
  readonly idParameter: string | undefined;
  /** Undefined for a singleton. */
  readonly idMember: string | undefined;
  readonly idKind: IdKind;
  readonly parent: ParentPlan | undefined;
  /** How a record is read. */
  readonly record: { readonly operation: Operation; readonly response: Response; readonly media: Media };
  readonly list: ListPlan | undefined;
  readonly operations: ReadonlyMap<Operation, CollectionRole>;
};

/** The record below which a collection is. */
export type ParentPlan = {
  /** `/users/{id}`, with the names that the collection's own path has. */
  readonly path: string;
  /** Undefined for a record that this document has no collection of. */
  readonly collection: CollectionPlan | undefined;
  /** The members that parameters of the path fill. */
  readonly members: readonly ParentMember[];
  /** That of its own id. */
  readonly member: ParentMember | undefined;
};

export type ParentMember = { readonly name: string; readonly parameter: string };

export type ListPlan = {
  readonly operation: Operation;
  readonly response: Response;
  readonly media: Media;
  /** The member that has the records. Undefined: the answer is the list. */
  readonly items: string | undefined;
  readonly itemSchema: unknown;
  readonly query: QueryPlan;
};

export type QueryPlan = {
  /** Parameters that a member has to equal. */
  readonly filters: readonly { readonly parameter: string; readonly member: string }[];
  /** Parameters whose value is an object of such members. */
  readonly objects: readonly string[];
  readonly search: string | undefined;
  readonly page: { readonly parameter: string; readonly first: number } | undefined;
  readonly limit: string | undefined;
  readonly offset: string | undefined;
  readonly cursor: string | undefined;
  readonly sort: string | undefined;
  readonly direction: string | undefined;
  /** Those without an effect. */
  readonly ignored: readonly string[];
};

/** A path that looks like a collection, and why it is none. */
export type NoCollection = { readonly path: string; readonly reason: string };

/** What is wrong with an `x-atoll-collection`, or with an example that a collection would begin with. */
export type CollectionFlaw = { readonly keys: readonly (string | number)[]; readonly message: string };

/** The key of a record that is alone in its collection. An address of the control interface cannot end with an empty one. */
const onlyKey = 'only';

/** The key of a record in its collection: its id, after those of its parents. Any text is an id. */
export const keyOf = (ids: readonly string[]): string => {
  if (ids.length === 0) return onlyKey;
  return ids.length === 1 ? (ids[0] ?? '') : ids.map(encodeURIComponent).join('/');
};

/** What the keys below a parent begin with. */
export const prefixOf = (parents: readonly string[]): string =>
  parents.map((id) => `${encodeURIComponent(id)}/`).join('');

/** The ids in a key that was made of so many. */
export const idsIn = (key: string, count: number): readonly string[] =>
  count < 2 ? [key] : key.split('/').map(decodeURIComponent);
