/** Serves a repository from a service worker: requests below its prefix are answered here, all others go to the network. */
import { createAtoll, type BrowserAtoll } from '../create-atoll.ts';
import type { BrowserOptions } from '../browser-options.ts';
import { consoleFilesAt } from './files-of-host.ts';
import type { PreparedSite } from '../prepared-site/prepared-site.ts';
import { createExchanges, type Exchanges } from './exchanges.ts';
import type { PageMessage, PageNews, Welcome } from './messages.ts';
import { isServed, settingsOf, type WorkerSettings } from './settings.ts';
import type { MessageEventOfPage, WorkerScope } from './worker-scope.ts';

export type { PreparedSite } from '../prepared-site/prepared-site.ts';

/** What the script of a worker may add to the settings of the page. */
export type ServeOptions = Pick<
  BrowserOptions,
  'clock' | 'onEvent' | 'onError' | 'readConsoleFile' | 'readSwaggerFile'
> & {
  /** Default: those in the address of the script, and with them a database for each model. */
  readonly settings?: WorkerSettings | undefined;
};

/** Written by the build. */
declare const ATOLL_VERSION: string;

/**
 * Call it once, while the script of the service worker is read: browsers accept no listeners later. The settings come from the
 * address of the script, which `startServiceWorker` writes. Returns the repository, for further listeners of the script.
 */
export const serveRepository = (
  site: PreparedSite,
  { settings: given, ...options }: ServeOptions = {},
): ServedRepository => {
  const scope = globalThis as unknown as WorkerScope; // this runs in a service worker only
  const settings = given ?? settingsOf(scope.location.href);
  const exchanges = createExchanges();
  const repository = createRepository(async () =>
    createAtoll({
      ...atollOptions(site, settings, scope, options),
      persist: given === undefined ? await databaseName(site, settings) : given.persist,
    }),
  );
  scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));
  scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));
  scope.addEventListener('fetch', (event) => {
    const { origin, pathname } = new URL(event.request.url);
    const isOwn = origin === scope.location.origin && isServed(pathname, settings);
    if (isOwn && !repository.isStopped()) event.respondWith(answer(event.request, repository, exchanges));
  });
  // Once redundant, this worker has been replaced, and its successor may keep the repository in the same database.
  scope.serviceWorker?.addEventListener('statechange', () => {
    if (scope.serviceWorker?.state === 'redundant') void repository.stop();
  });
  scope.addEventListener('message', (event) => {
    const news = newsOf(event.data);
    if (news?.kind === 'sent') exchanges.sent(news.exchange);
    if (news?.kind === 'aborted') exchanges.aborted(news.exchange);
    if (news?.kind === 'hello') event.waitUntil(welcome(event, repository, scope));
    if (news?.kind === 'alive' && !repository.isStopped()) event.waitUntil(welcome(event, repository, scope));
    if (news?.kind === 'stop') event.waitUntil(repository.stop().then(() => event.ports[0]?.postMessage(true)));
  });
  return repository;
};

const atollOptions = (
  site: PreparedSite,
  { prefix, fixture, seed, caches, advice, pages, traffic, console }: WorkerSettings,
  { location }: WorkerScope,
  options: Omit<ServeOptions, 'settings'>,
): BrowserOptions => ({
  ...(console === undefined ? {} : { readConsoleFile: consoleFilesAt(new URL(console, location.href)) }),
  ...options,
  ...{ site, fixture, seed, caches, advice, pages, traffic },
  baseUrl: location.origin + prefix,
});

/** Content that was kept for one model is not read under another one. */
const databaseName = async ({ siteFiles }: PreparedSite, { persist }: WorkerSettings): Promise<string | undefined> => {
  if (persist === undefined) return undefined;
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(siteFiles)));
  return `${persist} ${Buffer.from(digest).toString('hex').slice(0, 16)}`;
};

/** The one repository of this worker. */
export type ServedRepository = {
  /** Opens it on the first call, and again after it could not be opened or was stopped. */
  open(): Promise<BrowserAtoll>;
};

type Repository = ServedRepository & {
  stop(): Promise<void>;
  isStopped(): boolean;
  /** Names this start of the worker. */
  readonly start: string;
};

const createRepository = (make: () => Promise<BrowserAtoll>): Repository => {
  let opening: Promise<BrowserAtoll> | undefined;
  let isStopped = false;
  return {
    start: crypto.randomUUID(),
    isStopped: () => isStopped,
    open: () => {
      isStopped = false;
      if (opening === undefined) {
        // The second time, because an earlier worker may need longer to let go of the database than opening waits.
        const made = make().catch(() => make());
        opening = made;
        made.catch(() => {
          if (opening === made) opening = undefined;
        });
      }
      return opening;
    },
    stop: async () => {
      isStopped = true;
      const open = opening;
      opening = undefined;
      await open?.then((atoll) => atoll.close()).catch(() => undefined);
    },
  };
};

/** What another script of the page posts is none of these. */
const newsOf = (data: unknown): PageNews | undefined =>
  typeof data === 'object' && data !== null && 'atoll' in data ? (data as PageMessage).atoll : undefined;

/** Claims the page, too: after a reload that passes the worker by, nothing else would. */
const welcome = async (
  { ports: [port] }: MessageEventOfPage,
  repository: Repository,
  scope: WorkerScope,
): Promise<void> => {
  const greeting = { version: ATOLL_VERSION, start: repository.start };
  try {
    const { accounts } = await repository.open();
    await scope.clients.claim();
    port?.postMessage({ ...greeting, accounts } satisfies Welcome);
  } catch (error) {
    port?.postMessage({ ...greeting, accounts: [], refusal: messageOf(error) } satisfies Welcome);
  }
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A page of another site can send a form to the control interface, which trusts everyone who asks the worker. */
const isFormToControl = ({ mode, method, url }: Request): boolean =>
  mode === 'navigate' && method === 'POST' && url.includes('/_atoll');

const answer = async (asked: Request, repository: Repository, exchanges: Exchanges): Promise<Response> => {
  if (isFormToControl(asked)) return Response.json({ message: 'A form may change nothing here.' }, { status: 403 });
  const { request, end } = exchanges.followed(asked);
  try {
    const atoll = await repository.open();
    return await atoll.fetch(request).catch(() => Response.error()); // it rejects for a broken connection only
  } catch (error) {
    return Response.json({ message: `The repository cannot be opened: ${messageOf(error)}` }, { status: 503 });
  } finally {
    end();
  }
};
