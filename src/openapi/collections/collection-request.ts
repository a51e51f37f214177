/** Defines a request for a collection, what it needs of its world, and its answer. */
import type { MadeReply } from '../answers/answer.ts';
import type { Operation } from '../document/operation.ts';
import type { EngineRequest } from '../exchange.ts';
import type { CollectionStore } from './collection-store.ts';
import type { CollectionPlan, CollectionRole } from './plan.ts';

/** What the collections of a document need of the world that a request is for. */
export type CollectionHost = {
  readonly store: CollectionStore;
  /** In milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
  /** Where clients reach the server, without a slash at the end. */
  readonly baseUrl: string;
  /** Rejects with a refusal where the client may not see the record above, which is none of the document: `/node/5`. */
  readonly requireParent?: ((path: string, request: EngineRequest) => Promise<void>) | undefined;
};

export type CollectionRequest = {
  readonly plan: CollectionPlan;
  readonly role: CollectionRole;
  readonly operation: Operation;
  readonly request: EngineRequest;
  /** By name. */
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly host: CollectionHost;
};

/** A request whose parents are there. */
export type OpenedRequest = CollectionRequest & {
  /** The ids of the records above, outermost first. */
  readonly parents: readonly string[];
  /** The key of the record that it names. That of a request to the list is empty. */
  readonly key: string;
};

/** A body with the schema that it was checked against. */
export type SentValue = { readonly value: unknown; readonly schema: unknown; readonly mediaType: string };

/** A reply, or why nothing was stored: then the mock answers. `isFit` looks whether the records in it are as the document says. */
export type CollectionAnswer =
  { readonly made: MadeReply; readonly isFit: () => boolean } | { readonly reason: string };
