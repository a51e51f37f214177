/** Makes the views of world data: one `World` for each address, made on first use. */
import { createAccess, type AccessState } from '../../core/access/create-access.ts';
import type { SigningKeySource } from '../../basics/secrets/signing-key.ts';
import { createCachesByOwner } from '../../core/caches/site-caches.ts';
import { Repository } from '../../core/content/repository.ts';
import type { RepositoryParts } from '../../core/content/repository-parts.ts';
import type { Clock } from '../../core/model/clock.ts';
import type { UploadTally } from '../../basics/work-tally.ts';
import type { CacheMode, Site } from '../../core/site/site.ts';
import type { World } from '../../core/world.ts';
import { once } from '../../basics/once.ts';
import { createReactions, type WorldReactions } from '../../living/create-reactions.ts';
import { hashingBlobs } from '../../living/hashes/file-hashes.ts';
import type { SiteTools } from '../../living/reaction.ts';
import { createSiteRequests, type SiteRequests } from './site-requests.ts';
import type { WorldAddress } from './world-address.ts';

/** The settings that a reset keeps. All worlds share the signing key: a token names its world, and is valid there alone. */
export type WorldSettings = {
  readonly name: string;
  readonly site: Site;
  readonly durability: World['durability'];
  /** How reads are answered. When left out: as the site says. */
  readonly caches?: CacheMode | undefined;
  readonly clock: Clock;
  readonly signingKey: SigningKeySource;
  /** Reads a generic icon of the site by its file name. */
  readonly readIcon: (name: string) => Promise<Uint8Array>;
  /** Counts each upload to any world. */
  readonly uploads?: UploadTally | undefined;
  /** How what the site does by itself after a write is done. When left out: at once, without requests. */
  readonly siteRequests?: SiteRequests | undefined;
};

/** The views of world data. */
export type WorldViews = {
  readonly at: (address: WorldAddress) => World;
  /** Others take their place: what the site would still do by itself is not done. */
  readonly end: () => void;
};

/** What a request reads and writes. */
export type ServedData = Pick<World, 'store' | 'blobs' | 'ids'> & Pick<RepositoryParts, 'released'>;

/** Called when the first view is made. */
type ViewSources = {
  /** The sessions and counters. */
  readonly accessState: () => AccessState;
  /** Where clients reach the world. */
  readonly baseUrlOf: () => string;
};

/** All views share records, bytes, sessions and counters. They differ in the addresses they write and in their cookie. */
export const createWorldViews = (
  settings: WorldSettings,
  { store, blobs, ids, released }: ServedData,
  { accessState, baseUrlOf }: ViewSources,
): WorldViews => {
  const { name, site, durability, readIcon, signingKey, caches: mode, uploads, clock } = settings;
  const views = new Map<WorldAddress, World>();
  const shared = once(() => {
    const cachesOf = createCachesByOwner(store, clock);
    const accessAt = createAccess({ site, store, clock, ids, signingKey, world: name, state: accessState() });
    const baseUrl = baseUrlOf();
    const issueToken: SiteTools['issueToken'] = (principal) =>
      accessAt({ baseUrl, cookiePath: '/' }).issueToken(principal);
    const living = reactionsIn(settings, { store, baseUrl, issueToken });
    const reactions = living?.reactions;
    return {
      accessAt,
      end: () => living?.end(),
      parts: {
        repository: new Repository({
          site,
          store,
          blobs: hashingBlobs(site, blobs),
          released,
          clock,
          ids,
          readIcon,
          uploads,
          reactions,
        }),
        followUps: living?.followUps,
        events: living?.events,
        cachesOf,
        caches: (mode ?? site.caches) === 'reference' ? cachesOf(views) : undefined,
      },
    };
  });
  const at = (address: WorldAddress): World => {
    const known = views.get(address);
    if (known !== undefined) return known;
    const { baseUrl, basePath } = address;
    const { accessAt, parts } = shared();
    const own = { name, site, durability, clock, baseUrl, basePath };
    const view: World = { ...own, ...parts, store, blobs, ids, access: accessAt(address) };
    views.set(address, view);
    return view;
  };
  return { at, end: () => (views.size === 0 ? undefined : shared().end()) };
};

const undelayedRequests = createSiteRequests();

const reactionsIn = (
  { name, site, clock, siteRequests = undelayedRequests }: WorldSettings,
  tools: Pick<SiteTools, 'store' | 'baseUrl' | 'issueToken'>,
): WorldReactions | undefined => {
  const { delayMs, events, mostWaiting, ends } = siteRequests;
  const ask: SiteTools['ask'] = (request) => siteRequests.ask({ name, baseUrl: tools.baseUrl }, request);
  return createReactions(site, {
    ...{ clock, delayMs, events, mostWaiting, ends },
    tools: { ...tools, site, now: () => clock.now(), ask },
  });
};
