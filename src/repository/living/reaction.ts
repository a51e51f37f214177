/** Defines what a site does by itself: at once, in the transaction of a change, or some time after it. */
import type { PlainReply } from '../../openapi/openapi-host.ts';
import type { ReactionContext, StoredChange } from '../model/reactions.ts';
import type { Principal } from '../model/principal.ts';
import type { Site } from '../site/site.ts';
import type { EventLog } from './events/event-log.ts';
import type { EventSettings } from './events/event-settings.ts';
import type { Change, EntityStore, StoreView } from '../../openapi/openapi-records.ts';

/** Further changes, which follow from those that were decided. `view` shows the records as they will be, `before` as they are. */
export type TransactionReaction = (
  changes: readonly Change[],
  views: { readonly view: StoreView; readonly before: StoreView },
  context: ReactionContext,
) => readonly Change[];

/** A request that the site makes to itself, in the world where something changed. */
export type SiteRequest = {
  readonly method: string;
  /** Below the world, undecoded. */
  readonly path: string;
  readonly query?: string | undefined;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array | undefined;
};

/** What work after a commit may use. */
export type SiteTools = {
  readonly site: Site;
  readonly store: EntityStore;
  /** By the clock of the world, in milliseconds since 1970. */
  readonly now: () => number;
  /** Where clients reach the world. */
  readonly baseUrl: string;
  /** Answered as that of a client is, faults included. The traffic shows that the site asked. */
  readonly ask: (request: SiteRequest) => Promise<PlainReply>;
  /** A token for the account, valid from now. */
  readonly issueToken: (principal: Principal) => Promise<string>;
  /** Where messages go, and those that have gone. */
  readonly events: EventSettings & { readonly log: EventLog };
};

/** What follows from work that is done, and what there is to say of it. */
export type WorkResult = { readonly further?: readonly SiteWork[]; readonly note?: string | undefined };

/** Something to do after a commit. What `run` throws is the reason why it failed. */
export type SiteWork = {
  readonly name: string;
  /** The record that changed. */
  readonly about: string;
  readonly run: (tools: SiteTools) => Promise<WorkResult>;
  /** Hears that it is never done, because too much waits, and says so where its result would be looked for. */
  readonly onRefused?: ((tools: SiteTools, reason: string) => Promise<void>) | undefined;
};

export type LaterReaction = (change: StoredChange, tools: SiteTools) => readonly SiteWork[];

/** What a section of a site brings about. */
export type SectionReactions = {
  readonly inTransaction?: TransactionReaction | undefined;
  readonly later?: LaterReaction | undefined;
};
