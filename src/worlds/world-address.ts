/** By which addresses a world is met: path prefix, host, header or cookie. Which worlds there are is not known here. */
import { parseCookie } from 'cookie';
import { isLoopbackAuthority } from '../access/loopback.ts';
import type { PlainRequest } from '../engine/exchange.ts';

/** The name of the world that every server has, and that needs none in the address. */
export const mainName = 'main';

/** A label of a host name, so that every world can be met by host (RFC 1123 §2.1). */
export const worldNamePattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** What a world's answers are written for. `cookiePath` is where its session cookie is sent. */
export type WorldAddress = { readonly baseUrl: string; readonly basePath: string; readonly cookiePath: string };

/** `named`: by header or cookie. */
export type AddressKind = 'plain' | 'prefix' | 'host' | 'named';

/** What a request's address says. `path` is without the prefix. */
export type ReadAddress = { readonly name: string; readonly way: AddressKind; readonly path: string };

export type WorldAddresses = {
  read(request: PlainRequest): ReadAddress;
  of(name: string, way: AddressKind): WorldAddress;
};

/**
 * The addresses below a base URL. The prefix wins over the host, the host over the header `Atoll-World`, that over the
 * cookie `atoll_world`. Hosts are looked at only where the base URL is one of this machine; of a host nothing but the
 * world's name is used, so that no client can put an address of its choice into links.
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
  const ways: { readonly [way in AddressKind]: (name: string) => WorldAddress } = {
    plain: () => plain,
    prefix: prefixed,
    host: (name) => ({ ...plain, baseUrl: `${base.protocol}//${name}.localhost${hostPort}${basePath}` }),
    // Links with the prefix stay inside the world whether or not who follows them names it again; the session cookie
    // has to come back under the addresses without a prefix too.
    named: (name) => (name === mainName ? plain : { ...prefixed(name), cookiePath: plain.cookiePath }),
  };
  return {
    read: (request) => {
      const { path, headers } = request;
      const prefix = path.startsWith('/~') || path.startsWith('/%7') ? prefixPattern.exec(path) : null;
      if (prefix !== null) return { name: prefix[1] ?? '', way: 'prefix', path: prefix[2] || '/' };
      const host = hostOf(headers['host']);
      if (host !== undefined) return { name: host, way: 'host', path };
      const named = headers['atoll-world'] || namedByCookie(headers['cookie']);
      return named === undefined ? { name: mainName, way: 'plain', path } : { name: named, way: 'named', path };
    },
    of: (name, way) => ways[way](name),
  };
};

/** The tilde may come encoded: it is the same address (RFC 3986 §6.2.2.2). */
const prefixPattern = /^\/(?:~|%7[Ee])([^/]*)(.*)$/s;

/** The label before `.localhost`, whatever the port; none in the server's own host. */
const namedByHost =
  (own: string) =>
  (host: string | undefined): string | undefined =>
    host === undefined || host === own
      ? undefined
      : /^([a-z0-9-]+)\.localhost(?::\d*)?$/i.exec(host)?.[1]?.toLowerCase();

const namedByCookie = (cookie: string | undefined): string | undefined =>
  cookie?.includes('atoll_world=') === true ? parseCookie(cookie)['atoll_world'] || undefined : undefined;
