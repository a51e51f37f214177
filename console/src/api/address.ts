/** Says where the console was opened: the server, and the world in whose prefix the console is. */

/** The absolute base URL of the world, without a slash at its end. */
export const baseUrl = location.origin + location.pathname.replace(/\/_atoll(?:\/.*)?$/, '');

/** The path of the world's prefix: empty for the main world, or like `/~w7`. */
const prefix = baseUrl.slice(location.origin.length);

/**
 * A cookie can choose the world too. Requests of an account leave cookies out, so they name the world by this header.
 */
export const worldHeaders = (): Record<string, string> => {
  const [, name] = /(?:^|;\s*)atoll_world=([^;]+)/.exec(document.cookie) ?? [];
  return name === undefined || prefix !== '' ? {} : { 'Atoll-World': decodeURIComponent(name) };
};

/** The base URL as the server itself writes it, in links and lists. */
let serverUrl = baseUrl;

/** Tells what the server calls itself. The console may have been opened at another name of it, such as `127.0.0.1`. */
export const nameServer = (url: string): void => {
  serverUrl = url.replace(/\/+$/, '');
};

/** The path within the world of an absolute address below its base URL, with the query. Undefined for any other address. */
export const pathInWorld = (address: string): string | undefined => {
  const { href } = new URL(address, `${baseUrl}/`);
  const base = [baseUrl, serverUrl].find((each) => href === each || href.startsWith(`${each}/`));
  return base === undefined ? undefined : href.slice(base.length);
};

/** The same address at the name of the server at which the console was opened. Other servers' addresses stay. */
export const addressFromHere = (address: string): string => {
  const path = pathInWorld(address);
  return path === undefined ? address : baseUrl + path;
};

/** The address of the console of another world, from that world's base URL. */
export const consoleOf = (worldUrl: string): string => {
  const { pathname } = new URL(worldUrl);
  return `${location.origin}${pathname.replace(/\/+$/, '')}/_atoll/`;
};
