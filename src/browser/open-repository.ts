/** Opens a repository where there is no Node: its worlds, and what answers plain requests. `create-atoll.ts` puts a `fetch` before it. */
import type { BrowserOptions } from './browser-options.ts';
import { compiledBackend, compiledSchemas } from './compiled-backend.ts';
import { fixturesOf, openMainWorld } from './main-world.ts';
import { preparedFolder, preparedIcon } from './prepared-content.ts';
import type { SigningKeySource as OwnSigningKeySource } from './signing-key.ts';
import type { SigningKeySource } from '../basics/secrets/signing-key.ts';
import {
  createWorldObserver,
  createFaultsByWorld,
  createDispatch,
  type Answer,
  createReloads,
} from '../server/server-start.ts';
import { dereference } from '../openapi/openapi-parts.ts';
import type { DocumentObject } from '../openapi/openapi-terms.ts';
import type { Handlers } from '../repository/repository-engine.ts';
import { pageServices } from './page-services.ts';
import type { PreparedDocument, PreparedSite } from './prepared-site/prepared-site.ts';
import { loadSiteFolder } from '../repository/repository-sites.ts';
import { loadLiving } from '../repository/repository-content.ts';
import { ConfigurationError } from '../basics/configuration-error.ts';
import type { Site } from '../repository/repository.ts';
import { systemClock } from '../server/server.ts';
import { archivesInPool, createWorlds, type LocalWorlds } from '../server/server-worlds.ts';
import { createSiteRequests, repositoryApplication, repositoryLoader } from '../application/application.ts';
import type { Identifiers } from '../openapi/openapi-records.ts';

/** Parts that tests replace. */
type RepositoryParts = {
  /** The site that is served, made from the prepared one. Its document must be the prepared one's. */
  readonly changeSite?: ((site: Site) => Site) | undefined;
  readonly ids?: Identifiers | undefined;
  readonly signingKey?: OwnSigningKeySource | undefined;
  readonly handlers?: Partial<Handlers> | undefined;
  /** Whether all requests come from the page itself. Otherwise the control interface refuses those of others. */
  readonly isPrivate?: boolean | undefined;
};

export type Repository = {
  readonly answer: Answer;
  readonly site: Site;
  readonly worlds: LocalWorlds;
  /** Ends timers and event streams. */
  readonly close: () => Promise<void>;
};

/**
 * Rejects with `ConfigurationError` when the site was prepared by another version, has no such fixture, or is open in another tab
 * with the same `persist`.
 */
export const openRepository = async (
  options: BrowserOptions & { readonly baseUrl: string },
  parts: RepositoryParts = {},
): Promise<Repository> => {
  const { baseUrl, traffic } = options;
  const site = await siteOf(options, parts);
  const { followAddress, faults: ofApplication } = repositoryApplication;
  const observer = createWorldObserver({ entries: traffic, followAddress });
  const faults = createFaultsByWorld({ ofApplication });
  const fixtures = fixturesOf(options, site);
  const { documentOfSite, createBackend, ...documents } = documentParts(options.site, baseUrl);
  const opened = await openMainWorld(options, site, fixtures, parts);
  const siteRequests = createSiteRequests(options.reactionsDelay, { send: undefined, services: pageServices });
  const worlds = createWorlds({
    ...{ main: opened.main, pool: opened.pool },
    ...worldSettings(options, site, opened.signingKey, siteRequests),
    ...{ baseUrl, fixture: fixtures.named, ownFixtureName: () => fixtures.ownName },
    intercept: [observer.intercept, faults.intercept],
  });
  const close = async (): Promise<void> => {
    for (const each of [observer, siteRequests]) each.end();
    worlds.close();
    await opened.close();
  };
  const answering = createDispatch({
    ...{ ...options, ...documents, openArchiveStorage: archivesInPool(opened.pool) },
    ...{ site, baseUrl, worlds, observer, faults, replyCacheBytes, version },
    application: {
      ...repositoryApplication,
      load: repositoryLoader({ documentOfSite, createBackend, handlers: parts.handlers }),
    },
    locate: (request) => worlds.locate(request),
    health: opened.health,
    reloads: createReloads({ load: async () => [], now: () => Date.now(), report: () => undefined }),
    isPrivate: parts.isPrivate ?? true,
    checkReplies: 'off',
    onEvent: (event) => {
      options.onEvent?.(event);
      if (event.kind === 'failed') options.onError?.(event.error);
    },
  });
  try {
    const { answer, answerSite } = await answering;
    siteRequests.use(answerSite);
    return { answer, site, worlds, close };
  } catch (error) {
    // Otherwise the database stays in use, and the next attempt fails with that instead of the real reason.
    await close();
    throw error;
  }
};

const siteOf = async ({ site: prepared }: BrowserOptions, { changeSite }: RepositoryParts): Promise<Site> => {
  refuseOtherVersion(prepared);
  const loaded = await loadLiving(await loadSiteFolder(preparedFolder(prepared)));
  return changeSite?.(loaded) ?? loaded;
};

/** Written by the build. */
declare const ATOLL_VERSION: string;
const version = ATOLL_VERSION;

/** Room for some thousands of replies. */
const replyCacheBytes = 8 * 1024 * 1024;

const refuseOtherVersion = ({ name, version: made }: PreparedSite): void => {
  if (made === version) return;
  throw new ConfigurationError(
    `The site "${name}" was prepared by atoll-server ${made}, and this is ${version}. Prepare it again.`,
  );
};

/** The documents of the site, resolved, and the backend that has their validators. */
const documentParts = (prepared: PreparedSite, baseUrl: string) => {
  const document = parsed(prepared.document);
  const controlDocument = parsed(prepared.controlDocument);
  const served = { ...document, servers: [{ url: baseUrl }] };
  const resolved = dereference(served);
  const resolvedControl = dereference(controlDocument);
  return {
    document,
    controlDocument,
    documentOfSite: async () => ({ document: served, resolved, slow: undefined, warnings: [] }),
    resolveControlDocument: async () => resolvedControl,
    createBackend: (of: DocumentObject, operationIds: readonly string[]) =>
      compiledBackend(of === resolved ? prepared.document.validators : {})(of, operationIds),
    controlSchemas: () => compiledSchemas(resolvedControl, prepared.controlDocument.validators),
    documentText: async () => prepared.document.text,
  };
};

const parsed = ({ text }: PreparedDocument): DocumentObject => JSON.parse(text) as DocumentObject; // the build wrote it

/** Runs a function after so many milliseconds. */
const schedule = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

const worldSettings = (
  { site: prepared, clock = systemClock, caches }: BrowserOptions,
  site: Site,
  signingKey: OwnSigningKeySource,
  siteRequests: ReturnType<typeof createSiteRequests>,
) => ({
  clock,
  schedule,
  settings: {
    application: repositoryApplication,
    site,
    // The bundle has `signing-key.ts` of this folder in place of the one of `access`.
    signingKey: signingKey as unknown as SigningKeySource,
    readIcon: async (name: string) => preparedIcon(prepared, name),
    caches,
    ownWork: siteRequests,
  },
});
