/** The port of what a site does by itself after a change. The part `living` has the reactions; most sites have none. */
import type { Change, StoreView } from './entity-store.ts';
import type { Advise } from './advice.ts';
import type { Entity, FieldItems, FieldName, JsonObject } from './entity.ts';
import type { Principal } from './principal.ts';

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

/** What follows from a change, as a world remembers it. Times in milliseconds since 1970, by the clock of the world. */
export type FollowUp = {
  readonly id: number;
  /** What the site does, in a few words. */
  readonly name: string;
  /** The record that changed, such as `media:12`. */
  readonly about: string;
  readonly due: number;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  /** Why it failed. */
  readonly message?: string;
};

export type FollowUps = {
  /** The last ones, in the order in which they are done. */
  list(): readonly FollowUp[];
  /** Resolves when none waits or runs, those included that others bring about. */
  settled(): Promise<void>;
};
