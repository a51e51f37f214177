/** Puts together what a site does by itself, for one world. */
import type { FollowUps } from '../../basics/follow-ups.ts';
import type { KeptEvents } from '../../openapi/openapi-host.ts';
import type { ReactionContext, Reactions } from '../model/reactions.ts';
import type { Site } from '../site/site.ts';
import { aliasSettings } from './aliases/alias-settings.ts';
import { loadTransliteration } from './aliases/transliteration.ts';
import { aliasReactions } from './aliases/alias-reactions.ts';
import { changedView, lastChanges } from './changed-view.ts';
import { derivativeReactions } from './derivatives/derivative-reactions.ts';
import { createEventLog } from './events/event-log.ts';
import type { EventSettings } from './events/event-settings.ts';
import { hashReactions } from './hashes/file-hashes.ts';
import { createFollowUps } from './follow-ups.ts';
import type { SectionReactions, SiteTools, TransactionReaction } from './reaction.ts';
import type { Clock, Change, StoreView } from '../../openapi/openapi-records.ts';

/** The sections whose sites react to writes. Their order is the one in which they react. */
const sections: readonly ((site: Site) => SectionReactions | undefined)[] = [
  aliasReactions,
  hashReactions,
  derivativeReactions,
];

/** Throws `ConfigurationError` for a section that cannot be read. */
export const sectionReactions = (site: Site): readonly SectionReactions[] => {
  const known = bySite.get(site) ?? sections.flatMap((section) => section(site) ?? []);
  bySite.set(site, known);
  return known;
};

/** Loads what the site needs to react, which then waits for nothing. Throws `ConfigurationError` for a section that cannot be read. */
export const loadLiving = async (site: Site): Promise<Site> => {
  sectionReactions(site);
  if (aliasSettings(site)?.cleaning.transliterate === true) await loadTransliteration();
  return site;
};

const bySite = new WeakMap<Site, readonly SectionReactions[]>();

/** What a site does in the transaction of a change. Undefined where it does nothing then. */
export const transactionReactions = (site: Site): Pick<Reactions, 'inTransaction'> | undefined => {
  const all = sectionReactions(site).flatMap(({ inTransaction }) => inTransaction ?? []);
  return all.length === 0
    ? undefined
    : { inTransaction: (changes, view, context) => reacted(all, { changes, view }, context) };
};

/** Each reaction sees the records as those before it leave them. */
const reacted = (
  all: readonly TransactionReaction[],
  { changes: decided, view: before }: { readonly changes: readonly Change[]; readonly view: StoreView },
  context: ReactionContext,
): readonly Change[] =>
  all.reduce((changes, react) => {
    const further = react(changes, { view: changedView(before, changes), before }, context);
    return further.length === 0 ? changes : lastChanges([...changes, ...further]);
  }, decided);

type ReactionOptions = {
  readonly clock: Clock;
  /** From a commit to what follows from it, by the clock of the world. */
  readonly delayMs: number;
  readonly tools: Omit<SiteTools, 'events'>;
  readonly events: EventSettings;
  /** How much may wait when a write adds more. Undefined: as much as usual. */
  readonly mostWaiting?: number | undefined;
  /** What the end of the server ends: streams of messages, and what would still be done. */
  readonly ends: Set<() => void>;
};

export type WorldReactions = {
  readonly reactions: Reactions;
  readonly followUps: FollowUps | undefined;
  readonly events: KeptEvents | undefined;
  /** Nothing that waits is done any more. */
  readonly end: () => void;
};

/** Undefined where the site does nothing by itself. Throws `ConfigurationError` for a section that cannot be read. */
export const createReactions = (site: Site, options: ReactionOptions): WorldReactions | undefined => {
  const transactional = transactionReactions(site);
  const later = sectionReactions(site).flatMap((section) => section.later ?? []);
  if (later.length === 0) {
    return transactional && { reactions: transactional, followUps: undefined, events: undefined, end: () => undefined };
  }
  const log = createEventLog();
  const tools: SiteTools = { ...options.tools, events: { ...options.events, log } };
  const queue = createFollowUps({ ...options, tools });
  const end = (): void => {
    options.ends.delete(end);
    queue.end();
    log.end();
  };
  options.ends.add(end);
  return {
    reactions: {
      ...transactional,
      afterCommit: (change) => {
        for (const react of later) queue.add(react(change, tools), change.failure);
      },
    },
    followUps: queue,
    events: log,
    end,
  };
};
