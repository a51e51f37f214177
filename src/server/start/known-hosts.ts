/** Refuses requests for host names that do not belong to this server: a page of another site may lead its own name here. */
import { isLoopbackAuthority } from '../../core/access/loopback.ts';
import type { PlainReply } from '../../core/engine/exchange.ts';
import { messageReply } from '../../core/engine/text-reply.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';

export type KnownHosts = {
  readonly baseUrl: string;
  /** Names besides those of this machine and of the base URL, without ports. */
  readonly allowedHosts: readonly string[];
  /** Whether unknown names are refused at the moment. */
  readonly areRefused: () => boolean;
};

/** So many spellings of names that are answered are remembered. */
const mostRemembered = 100;

/** The 421 for an unknown value of `Host`. Undefined for one that is answered. */
export type HostRefusal = (host: string | undefined) => PlainReply | undefined;

/** HTTP/1.0, which no browser speaks, may name no host. */
export const hostRefusal = ({ baseUrl, allowedHosts, areRefused }: KnownHosts): HostRefusal => {
  const names = new Set([new URL(baseUrl).hostname, ...allowedHosts].map((name) => name.toLowerCase()));
  const remembered = new Set<string>();
  const isKnown = (host: string): boolean => {
    if (remembered.has(host)) return true;
    const isOwn = isLoopbackAuthority(host) || names.has(host.replace(/:\d*$/, '').toLowerCase());
    if (isOwn && remembered.size < mostRemembered) remembered.add(host);
    return isOwn;
  };
  return (host) =>
    host === undefined || isKnown(host) || !areRefused() ? undefined : messageReply(421, refusalOf(host));
};

const refusalOf = (host: string): string =>
  `The server does not answer for the host "${host.slice(0, 100)}". Use localhost, or start it with --allowed-hosts or --base-url.`;

/** Throws `ConfigurationError` for a text that is not a host name or address. */
export const checkAllowedHosts = (hosts: readonly string[]): void => {
  const wrong = hosts.find((host) => !/^(?:[a-z0-9_](?:[\w.-]*[a-z0-9_])?|\[[0-9a-f:.]+\])$/i.test(host));
  if (wrong === undefined) return;
  throw new ConfigurationError(
    `--allowed-hosts "${wrong}": a host name has no scheme, port or wildcard. Write for example atoll.test,api.test.`,
  );
};
