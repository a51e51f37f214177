/** The package's entry `atoll-server/browser`: a repository in a page, a worker or any other place without Node. */
import { parseSetCookie, stringifyCookie } from 'cookie';
import { type DemoAccount, demoAccountsOf, demoPasswordOf } from '../exchange/demo-accounts.ts';
import { type AtollServer, serverAt } from '../exchange/worlds/server-at.ts';
import { type Cookies, createFetch } from '../server/in-process/fetch.ts';
import type { BrowserOptions } from './browser-options.ts';
import { openRepository } from './open-repository.ts';
import { exportRepository, importRepository } from './persistence/archive.ts';

/** Keeps cookies where the platform keeps none: scripts of pages and workers may neither send `Cookie` nor read `Set-Cookie`. */
type Kept = { readonly name: string; readonly value: string; readonly path: string; readonly expires: number };

/** An empty jar for one origin. `now` is the real time in milliseconds. */
export const createCookieJar = (now: () => number): Cookies => {
  const kept = new Map<string, Kept>();
  return {
    valueFor: ({ url, credentials }) => {
      const { origin, pathname } = new URL(url);
      if (!areSent(credentials, origin)) return undefined;
      for (const [key, { expires }] of kept) if (expires <= now()) kept.delete(key);
      const matching = [...kept.values()].filter(({ path }) => isBelow(pathname, path));
      if (matching.length === 0) return undefined;
      // A name with several paths: the longest path goes last, so that its value stays.
      const pairs = matching.sort((a, b) => a.path.length - b.path.length).map(({ name, value }) => [name, value]);
      return stringifyCookie(Object.fromEntries(pairs) as Record<string, string>);
    },
    keep: ({ url, credentials }, lines) => {
      const { origin, pathname } = new URL(url);
      if (!areSent(credentials, origin)) return;
      for (const line of lines) {
        const { name, value = '', path = defaultPath(pathname), expires, maxAge } = parseSetCookie(line);
        const ends = maxAge === undefined ? (expires?.getTime() ?? Number.POSITIVE_INFINITY) : now() + maxAge * 1000;
        kept.set(`${name} ${path}`, { name, value, path, expires: ends });
      }
    },
  };
};

/** The value of `credentials` decides, as for cookies of the browser (Fetch standard, "request's credentials mode"). */
const areSent = (credentials: Request['credentials'], origin: string): boolean => {
  if (credentials !== 'same-origin') return credentials === 'include';
  const { location } = globalThis as { readonly location?: { readonly origin: string } }; // edge runtimes have none
  return location === undefined || location.origin === origin;
};

/** RFC 6265 §5.1.4. */
const isBelow = (pathname: string, path: string): boolean =>
  pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);

/** RFC 6265 §5.1.4: up to the last slash. */
const defaultPath = (pathname: string): string => pathname.slice(0, Math.max(1, pathname.lastIndexOf('/')));

/** Whether scripts may set the header: not where the platform itself keeps cookies (Fetch standard, "forbidden request-header"). */
export const canSendCookies = (): boolean =>
  new Request('http://localhost/', { headers: { cookie: 'a=b' } }).headers.has('cookie');

export type * from '../exchange/worlds/controlled-world.ts';
export type { BrowserOptions } from './browser-options.ts';
export type { DemoAccount } from '../exchange/demo-accounts.ts';
export type { Fetch } from '../exchange/worlds/controlled-world.ts';
export type { AtollServer } from '../exchange/worlds/server-at.ts';
export { deleteRepository } from './persistence/delete-repository.ts';
export { askToKeep, readRoom, type Room } from './persistence/storage-quota.ts';
export type { PreparedSite } from './prepared-site/prepared-site.ts';

/** A repository without a server: `fetch` answers, and the commands act on its main world. `world` makes further ones. */
export type BrowserAtoll = AtollServer & {
  readonly accounts: readonly DemoAccount[];
  /** All records and bytes of the main world, as one tar with the files of `atoll export`. */
  exportArchive(): Promise<Blob>;
  /**
   * Replaces everything in the main world by such an archive. Rejects with `ConfigurationError` when it cannot be read or does not
   * fit the site, and changes nothing then.
   */
  importArchive(archive: Blob): Promise<void>;
  /** Ends timers and event streams. */
  close(): Promise<void>;
};

/**
 * Makes a repository. Its `fetch` answers requests to `baseUrl` and below, as the server would over HTTP. Rejects with
 * `ConfigurationError` when the site was prepared by another version, or has no such fixture.
 */
export const createAtoll = async (options: BrowserOptions): Promise<BrowserAtoll> => {
  const { baseUrl = defaultBaseUrl(), onError = logError } = options;
  const { answer, site, worlds, close } = await openRepository({ ...options, baseUrl, onError });
  const accounts = demoAccountsOf(site);
  const cookies = canSendCookies() ? undefined : createCookieJar(Date.now);
  const fetch = createFetch({ answer, baseUrl, cors: 'loopback', onError, cookies });
  return {
    ...serverAt(baseUrl, {
      fetch,
      headers: { host: 'localhost' },
      passwordOf: (account) => demoPasswordOf(accounts, account),
    }),
    ...{ accounts, close },
    exportArchive: async () => (await exportRepository(worlds.main)).archive,
    importArchive: async (archive) => {
      await importRepository(worlds.main, archive, site);
    },
  };
};

const defaultBaseUrl = (): string => {
  const { location } = globalThis as { readonly location?: { readonly origin: string } }; // there is none in Node and on edge runtimes
  return location === undefined || location.origin === 'null' ? 'http://localhost' : location.origin;
};

const logError = (error: unknown): void => {
  // eslint-disable-next-line no-console -- a page has no other place for it
  console.error('atoll:', error);
};
