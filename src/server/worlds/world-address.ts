/** Reads which world a request names by its path prefix, host, header or cookie, and writes the addresses of worlds. */
import { mainName, type PlainRequest } from '../../openapi/openapi-host.ts';
import { parseCookie } from 'cookie';
import { isLoopbackAuthority } from '../../basics/formats/loopback.ts';

/** The address that a world's replies are written for. `cookiePath` is the path of its session cookie. */
export type WorldAddress = { readonly baseUrl: string; readonly basePath: string; readonly cookiePath: string };

/** How a request names its world. `plain`: not at all. */
export type AddressKind = 'plain' | 'prefix' | 'host' | 'header-or-cookie';

/** The name of the world that a request is for, how the request names it, and the path without the prefix. */
export type AddressOfRequest = { readonly name: string; readonly kind: AddressKind; readonly path: string };

export type WorldAddresses = {
  read(request: PlainRequest): AddressOfRequest;
  of(name: string, kind: AddressKind): WorldAddress;
};

/**
 * The addresses below a base URL. The prefix wins over the host, the host over the header `Atoll-World`, and the header over
 * the cookie `atoll_world`. The host counts only when the base URL is on this machine. Only the world's name is taken from
 * the host, so that no client can put an address of its choice into links.
 */
export const createWorldAddresses = (baseUrl: string): WorldAddresses => {
  const base = new URL(baseUrl);
  const basePath = base.pathname.replace(/\/$/, '');
  const hostOf = isLoopbackAuthority(base.host) ? namedByHost(base.host) : () => undefined;
  const hostPort = base.port === '' ? '' : `:${base.port}`;
  const plain: WorldAddress = { baseUrl, basePath, cookiePath: basePath === '' ? '/' : basePath };
  const prefixed = (name: string): WorldAddress => ({
    baseUrl: `${baseUrl}/~${name}`,
    basePath: `${basePath}/~${name}`,
    cookiePath: `${basePath}/~${name}`,
  });
  const addressOf: { readonly [kind in AddressKind]: (name: string) => WorldAddress } = {
    plain: () => plain,
    prefix: prefixed,
    host: (name) => ({ ...plain, baseUrl: `${base.protocol}//${name}.localhost${hostPort}${basePath}` }),
    // Links carry the prefix, so that a client stays in the world without the header or cookie. The session cookie must
    // also be sent to addresses without the prefix.
    'header-or-cookie': (name) => (name === mainName ? plain : { ...prefixed(name), cookiePath: plain.cookiePath }),
  };
  return {
    read: (request) => {
      const { path, headers } = request;
      const prefix = path.startsWith('/~') || path.startsWith('/%7') ? prefixPattern.exec(path) : null;
      if (prefix !== null) return { name: prefix[1] ?? '', kind: 'prefix', path: prefix[2] || '/' };
      const host = hostOf(headers['host']);
      if (host !== undefined) return { name: host, kind: 'host', path };
      const named = headers['atoll-world'] || namedByCookie(headers['cookie']);
      return named === undefined
        ? { name: mainName, kind: 'plain', path }
        : { name: named, kind: 'header-or-cookie', path };
    },
    of: (name, kind) => addressOf[kind](name),
  };
};

/** The tilde may be percent-encoded: the address is equivalent (RFC 3986 §6.2.2.2). */
const prefixPattern = /^\/(?:~|%7[Ee])([^/]*)(.*)$/s;

/** The label before `.localhost`, with any port. Undefined for the server's own host. */
const namedByHost =
  (own: string) =>
  (host: string | undefined): string | undefined =>
    host === undefined || host === own
      ? undefined
      : /^([a-z0-9-]+)\.localhost(?::\d*)?$/i.exec(host)?.[1]?.toLowerCase();

const namedByCookie = (cookie: string | undefined): string | undefined =>
  cookie?.includes('atoll_world=') === true ? parseCookie(cookie)['atoll_world'] || undefined : undefined;
