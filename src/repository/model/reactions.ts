/** The port of what a site does by itself after a change. The part `living` has the reactions; most sites have none. */
import type { Advise } from '../../openapi/openapi-host.ts';
import type { Principal } from './principal.ts';
import type { Change, StoreView, Entity, FieldItems, FieldName } from '../../openapi/openapi-records.ts';
import type { JsonObject } from '../../basics/json.ts';

/** A record before and after a change: a new one has no `before`, and one that is gone has no `after`. */
export type RecordChange = { readonly before: Entity | undefined; readonly after: Entity | undefined };

/** The changes of one transaction, which are stored. */
export type StoredChange = {
  readonly records: readonly RecordChange[];
  /** Who asked for it. */
  readonly principal: Principal;
  /** Why all that follows from it fails. Only a fault says so. */
  readonly failure?: string | undefined;
};

/** What a reaction may use besides the records. `now` in seconds since 1970. */
export type ReactionContext = {
  readonly principal: Principal;
  readonly langcode: string;
  readonly now: number;
  newUuid(): string;
  /** Whether the site makes the records for itself, so that none of them may be refused. */
  readonly isOfSite?: boolean | undefined;
  /** The fields of the record that a client sent. Undefined where none did, as in an upload. */
  readonly sent?: ReadonlyMap<FieldName, FieldItems> | undefined;
  /** Takes the items that the answer shows of them, where the record keeps others. */
  readonly shown?: Record<FieldName, readonly JsonObject[]> | undefined;
  /** Hears of values that are not stored as they were sent. */
  readonly advise?: Advise;
};

export type Reactions = {
  /** The changes to store in place of those that were decided: these, and what the site does in the same transaction. Waits for nothing. */
  readonly inTransaction?:
    ((changes: readonly Change[], view: StoreView, context: ReactionContext) => readonly Change[]) | undefined;
  /** Hears of each change once it is durable. Returns at once. */
  readonly afterCommit?: ((change: StoredChange) => void) | undefined;
};
