/** Keeps cookies where the platform keeps none: scripts of pages and workers may neither send `Cookie` nor read `Set-Cookie`. */
import { parseSetCookie, stringifyCookie } from 'cookie';
import type { Cookies } from '../server/server-start.ts';

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
