/** The package's entry `atoll-server/browser`: a repository in a page, a worker or any other place without Node. */
import type { BrowserOptions } from './browser-options.ts';
import { compiledBackend } from './compiled-backend.ts';
import { preparedContent, preparedFolder, preparedIcon } from './prepared-content.ts';
import { generatedSigningKey } from './signing-key.ts';
import type { SigningKeySource } from '../access/signing-key.ts';
import { createWorldObserver } from '../coverage/world-observer.ts';
import { dereference } from '../document/dereference.ts';
import type { DocumentObject } from '../document/document.ts';
import { createFaultsByWorld } from '../faults/faults-by-world.ts';
import { demoAccountsOf, demoPasswordOf, type DemoAccount } from '../library/demo-accounts.ts';
import { createFetch } from '../library/fetch.ts';
import { serverAt, type AtollServer } from '../library/server-at.ts';
import type { PreparedDocument, PreparedSite } from '../prepared-site/prepared-site.ts';
import { createDispatch } from '../server/dispatch.ts';
import { createReloads } from '../server/reloads.ts';
import { loadSiteFolder } from '../site/load-site.ts';
import { ConfigurationError } from '../site/read-yaml.ts';
import type { Site } from '../site/site.ts';
import { stateOfFixture } from '../worlds/fixture-state.ts';
import type { SavedState } from '../worlds/saved-state.ts';
import { systemClock, systemIds } from '../worlds/system-clock.ts';
import { createWorldClock } from '../worlds/world-clock.ts';
import { createMemoryWorldData } from '../worlds/world-data.ts';
import { createWorlds, type MainWorld } from '../worlds/worlds.ts';

export type * from '../library/controlled-world.ts';
export type { BrowserOptions } from './browser-options.ts';
export type { DemoAccount } from '../library/demo-accounts.ts';
export type { Fetch } from '../library/fetch.ts';
export type { AtollServer } from '../library/server-at.ts';
export type { PreparedSite } from '../prepared-site/prepared-site.ts';

/** A repository without a server: `fetch` answers, and the commands act on its main world. `world` makes further ones. */
export type BrowserAtoll = AtollServer & {
  readonly accounts: readonly DemoAccount[];
  /** Ends timers and event streams. */
  close(): Promise<void>;
};

/**
 * Makes a repository. Its `fetch` answers requests to `baseUrl` and below, as the server would over HTTP. Rejects with
 * `ConfigurationError` when the site was prepared by another version, or has no such fixture.
 */
export const createAtoll = async (options: BrowserOptions): Promise<BrowserAtoll> => {
  const { site: prepared, baseUrl = defaultBaseUrl(), traffic, onError = logError } = options;
  refuseOtherVersion(prepared);
  const site = await loadSiteFolder(preparedFolder(prepared));
  const observer = createWorldObserver({ entries: traffic });
  const faults = createFaultsByWorld();
  const worlds = createWorlds({
    ...(await worldParts(options, site)),
    baseUrl,
    intercept: [observer.intercept, faults.intercept],
  });
  const dispatch = await createDispatch({
    ...documentParts(prepared, baseUrl),
    ...{ site, baseUrl, worlds, observer, faults, replyCacheBytes, version },
    locate: (request) => worlds.locate(request),
    health: () => Promise.resolve([]),
    reloads: createReloads({ load: async () => [], now: () => Date.now(), report: () => undefined }),
    readConsoleFile: options.readConsoleFile,
    checkReplies: 'off',
    advice: options.advice,
    pages: options.pages,
    onEvent: (event) => {
      options.onEvent?.(event);
      if (event.kind === 'failed') onError(event.error);
    },
  });
  const accounts = demoAccountsOf(site);
  const fetch = createFetch({ answer: dispatch.answer, baseUrl, cors: 'loopback', onError });
  return {
    ...serverAt(baseUrl, {
      fetch,
      headers: { host: 'localhost' },
      passwordOf: (account) => demoPasswordOf(accounts, account),
    }),
    accounts,
    close: async () => {
      observer.end();
      worlds.close();
    },
  };
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

const defaultBaseUrl = (): string => {
  const { location } = globalThis as { readonly location?: { readonly origin: string } }; // there is none in Node and on edge runtimes
  return location === undefined || location.origin === 'null' ? 'http://localhost' : location.origin;
};

/** The documents of the site, resolved, and the backend that has their validators. */
const documentParts = (prepared: PreparedSite, baseUrl: string) => {
  const document = parsed(prepared.document);
  const controlDocument = parsed(prepared.controlDocument);
  const served = { ...document, servers: [{ url: baseUrl }] };
  const resolved = dereference(served);
  const resolvedControl = dereference(controlDocument);
  const backends = new Map([
    [resolved, compiledBackend(prepared.document.validators)],
    [resolvedControl, compiledBackend(prepared.controlDocument.validators)],
  ]);
  return {
    document,
    controlDocument,
    documentOfSite: async () => ({ document: served, resolved, slow: new Set<string>(), warnings: [] }),
    resolveControlDocument: async () => resolvedControl,
    createBackend: (of: DocumentObject, operationIds: readonly string[]) =>
      (backends.get(of) ?? compiledBackend({}))(of, operationIds),
    documentText: async () => prepared.document.text,
  };
};

const parsed = ({ text }: PreparedDocument): DocumentObject => JSON.parse(text) as DocumentObject; // the build wrote it

/** What the worlds are made from: the content of the main world, its clock and ids, and the fixtures for further worlds. */
const worldParts = async ({ site: prepared, seed, clock = systemClock, ...options }: BrowserOptions, site: Site) => {
  const [firstFixture = ''] = Object.keys(prepared.fixtures);
  const own = options.fixture ?? firstFixture;
  const states = new Map<string, Promise<SavedState>>();
  const stateOf = (name: string): Promise<SavedState> => {
    const known = states.get(name) ?? stateOfFixture(preparedContent(prepared, site, name), { site, seed });
    states.set(name, known);
    return known;
  };
  const dataFrom = (state: SavedState) => createMemoryWorldData(state, seed === undefined ? systemIds : undefined);
  const main: MainWorld = {
    data: dataFrom(await stateOf(own)),
    replaceData: async (state, publish) => publish(dataFrom(state)),
    clock: createWorldClock(clock),
    durability: 'memory',
  };
  const signingKey = generatedSigningKey(async () => undefined);
  return {
    main,
    clock,
    settings: {
      site,
      // The bundle has `signing-key.ts` of this folder in place of the one of `access`.
      signingKey: signingKey as unknown as SigningKeySource,
      readIcon: async (name: string) => preparedIcon(prepared, name),
      caches: options.caches,
    },
    fixture: (name: string | undefined) =>
      name === undefined || Object.hasOwn(prepared.fixtures, name) ? stateOf(name ?? own) : Promise.resolve(undefined),
    ownFixtureName: () => own,
    schedule: (ms: number, run: () => void) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
};

const logError = (error: unknown): void => {
  // eslint-disable-next-line no-console -- a page has no other place for it
  console.error('atoll:', error);
};
