/** The package's entry `atoll-server/browser`: a repository in a page, a worker or any other place without Node. */
import type { BrowserOptions } from './browser-options.ts';
import { canSendCookies, createCookieJar } from './cookie-jar.ts';
import { openRepository } from './open-repository.ts';
import { exportRepository, importRepository } from './persistence/archive.ts';
import { demoAccountsOf, demoPasswordOf, type DemoAccount, serverAt } from '../exchange/exchange.ts';
export type { DemoAccount } from '../exchange/exchange.ts';
import { checkedOptions } from '../basics/options/option-rows.ts';
import { startOptions } from '../server/server.ts';
import { createFetch } from '../server/server-start.ts';
import type { AtollServer } from '../exchange/exchange-worlds.ts';

export type * from '../exchange/exchange-worlds.ts';
export type { BrowserOptions } from './browser-options.ts';
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
  const { baseUrl = defaultBaseUrl(), ...values } = checkedOptions(startOptions, 'createAtoll', options);
  const { onError = logError } = options;
  const { answer, site, worlds, close } = await openRepository({ ...options, ...values, baseUrl, onError });
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
    exportArchive: () => exportRepository(worlds.main),
    importArchive: (archive) => importRepository(worlds, archive, site),
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
