/** Where clients reach the server: its base URL, and what is checked because of who can reach it. */
import { networkInterfaces } from 'node:os';
import { isLoopbackHost, isLoopbackUrl } from '../../basics/formats/loopback.ts';
import { fileOrigin, originFault, type CorsOrigins } from '../http/cors.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { HostedSite } from '../../openapi/openapi-host.ts';
import type { PassedOptions } from '../options/start-options.ts';
import { systemIds } from '../worlds/world-clock.ts';
import { checkAllowedHosts, type KnownHosts } from './express-app.ts';

export type ReachOptions = Pick<PassedOptions, 'allowedHosts' | 'controlOrigins' | 'controlToken'> & {
  /** `localhost` listens on both loopback families. */
  readonly host: string;
  /** The URL that clients use, when it differs from where the server listens. */
  readonly baseUrl: string | undefined;
  readonly cors: CorsOrigins;
  /** Whether other machines may reach accounts with published passwords. */
  readonly demoAccounts: boolean;
  readonly warn: (message: string) => void;
};

/** Throws `ConfigurationError` for origins and host names that no request could have. */
export const checkReach = ({ cors, controlOrigins = [], allowedHosts = [] }: ReachOptions): void => {
  checkAllowedHosts(allowedHosts);
  const origins = typeof cors === 'string' ? [] : cors.filter((origin) => origin !== fileOrigin);
  checkOrigins('--cors', origins, '; or say loopback, off, or null for pages opened as files');
  checkOrigins('--control-origins', controlOrigins);
};

const checkOrigins = (option: string, origins: readonly string[], otherWords?: string): void => {
  for (const origin of origins) {
    const fault = originFault(origin, otherWords);
    if (fault !== undefined) throw new ConfigurationError(`${option} "${origin}": ${fault}`);
  }
};

/** The base URL without a slash at its end. `port` is 0 for a server that does not listen. */
export const baseUrlOf = ({ baseUrl, host, warn }: ReachOptions, port: number): string => {
  if (baseUrl !== undefined) return baseUrl.replace(/\/$/, '');
  const url = `http://${urlHost(host)}${port === 0 ? '' : `:${port}`}`;
  if (isEveryAddress(host)) warn(`Links begin with ${url}. If clients use another address, name it with --base-url.`);
  return url;
};

/** An address to listen on that stands for all addresses of the machine, and that no client can ask for. */
const isEveryAddress = (host: string): boolean => /^(?:0\.0\.0\.0|[0:]+)$/.test(host);

const urlHost = (host: string): string => {
  if (isLoopbackHost(host)) return 'localhost';
  if (isEveryAddress(host)) return outsideAddress() ?? 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

/** The first address at which other machines reach this one. */
const outsideAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

/** Behind a proxy on this machine every caller has a loopback address. A random token then keeps everybody out. */
export const controlTokenOf = ({ controlToken, baseUrl, warn }: ReachOptions): string | undefined => {
  if (controlToken !== undefined || baseUrl === undefined || isLoopbackUrl(baseUrl)) return controlToken;
  warn(
    `The control interface answers nobody, since ${baseUrl} is not this machine and there is no control token. ` +
      'Named control tokens that were made before are answered.',
  );
  return systemIds.secret();
};

/** Throws `ConfigurationError` when other machines can reach accounts with published passwords. */
export const refuseOpenDemoAccounts = (site: HostedSite, { host, baseUrl, demoAccounts }: ReachOptions): void => {
  const demo = demoNames(site);
  const outside = [host, ...(baseUrl === undefined ? [] : [new URL(baseUrl).hostname])].find(
    (name) => !isLoopbackHost(name.replace(/^\[|\]$/g, '')),
  );
  if (demo.length === 0 || demoAccounts || outside === undefined) return;
  throw new ConfigurationError(
    `The accounts ${demo.join(', ')} have published passwords and ${outside} can be reached from elsewhere. ` +
      'Add --demo-accounts to allow that, or name a --site with accounts of your own.',
  );
};

/**
 * Which host names the listener answers. Unknown ones are refused where names are listed, and on loopback as long as the
 * site has accounts with published passwords: a browser on this machine could otherwise be led here by a foreign name.
 */
export const knownHostsOf = (
  { host, allowedHosts }: ReachOptions,
  { baseUrl, site }: { readonly baseUrl: string; readonly site: () => HostedSite },
): KnownHosts => ({
  baseUrl,
  allowedHosts: allowedHosts ?? [],
  areRefused: () => allowedHosts !== undefined || (isLoopbackHost(host) && demoNames(site()).length > 0),
});

const demoNames = (site: HostedSite): string[] =>
  site.accounts.filter(({ demoPassword }) => demoPassword !== undefined).map(({ name }) => name);
