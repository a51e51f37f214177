/** Makes the views of world data: one `World` for each address, made on first use. */
import {
  createAccess,
  createAccessState,
  type AccessState,
  createCachesByOwner,
} from '../../repository/repository-engine.ts';
import {
  Repository,
  createReactions,
  type WorldReactions,
  hashingBlobs,
  type SiteTools,
} from '../../repository/repository-content.ts';
import { repositorySite, type World } from '../../repository/repository.ts';
import { once } from '../../basics/once.ts';
import { collectionNamed, collectionsIn } from '../../storage/storage.ts';
import { createSiteRequests, type SiteRequests } from '../events/site-requests.ts';
import type {
  Application,
  ServedData,
  ViewSources,
  WorldSettings,
  WorldViews,
  WorldAddress,
} from '../../server/server-application.ts';

/** All views share records, bytes, sessions and counters. They differ in the addresses they write and in their cookie. */
const createWorldViews = (
  settings: WorldSettings,
  { store, blobs, ids, released }: ServedData,
  { state, baseUrlOf }: ViewSources,
): WorldViews => {
  const { name, durability, readIcon, signingKey, caches: mode, uploads, clock } = settings;
  const site = repositorySite(settings.site);
  const views = new Map<WorldAddress, World>();
  const shared = once(() => {
    const cachesOf = createCachesByOwner(store, clock);
    const accessAt = createAccess({
      ...{ site, store, clock, ids, signingKey, world: name },
      state: state() as AccessState, // of `createState` below
    });
    const baseUrl = baseUrlOf();
    const collections = collectionsIn(store);
    const issueToken: SiteTools['issueToken'] = (principal) =>
      accessAt({ baseUrl, cookiePath: '/' }).issueToken(principal);
    const living = reactionsIn(settings, { store, baseUrl, issueToken });
    const reactions = living?.reactions;
    return {
      accessAt,
      end: () => living?.end(),
      parts: {
        repository: new Repository({
          ...{ site, store, released, clock, ids, readIcon, uploads, reactions, collections },
          blobs: hashingBlobs(site, blobs),
        }),
        collections,
        collection: collectionNamed(collections),
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
  { name, clock, ownWork = undelayedRequests, ...settings }: WorldSettings,
  tools: Pick<SiteTools, 'store' | 'baseUrl' | 'issueToken'>,
): WorldReactions | undefined => {
  const site = repositorySite(settings.site);
  const siteRequests = ownWork as SiteRequests; // of `createSiteRequests`, wherever this application runs
  const { delayMs, events, mostWaiting, ends } = siteRequests;
  const ask: SiteTools['ask'] = (request) => siteRequests.ask({ name, baseUrl: tools.baseUrl }, request);
  return createReactions(site, {
    ...{ clock, delayMs, events, mostWaiting, ends },
    tools: { ...tools, site, now: () => clock.now(), ask },
  });
};

/** Its state are new sessions and counters for world data. */
export const worldsOfRepository: Pick<Application, 'createState' | 'createViews'> = {
  createState: ({ site, clock }, { ids, store }, state) =>
    once(() => createAccessState({ site: repositorySite(site), store, clock, ids, state })),
  createViews: createWorldViews,
};
