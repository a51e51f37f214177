/** Authenticates with a session cookie: logs in and out, and sends the CSRF token that writing requests need. */
import type { components } from '../generated/contract.ts';
import { fetchFromServer, type Authentication, type Credentials, type Exchange } from './authentication.ts';
import { isAtollError } from './refusal.ts';

/** An authentication that can log out. */
export type Session = Authentication & {
  /** Ends a session that this authentication opened itself. Leaves any other session alone. */
  logout(): Promise<void>;
};

type OpenSession = {
  readonly exchange: Exchange;
  /** `name=value` in Node, where we keep the cookie. Undefined in a browser, which keeps it itself and hides it. */
  readonly cookie: string | undefined;
  readonly csrf: string;
  readonly logout: string | undefined;
};

/** The methods that need `X-CSRF-Token`. The PUT requests of uploads do not. */
const methodsWithCsrf: readonly string[] = ['POST', 'PATCH', 'DELETE'];

/**
 * With an account, logs in before the first request, and again after the session has ended. Without an account, and in a
 * browser that is logged in already, uses the browser's session. Fetches the CSRF token, and renews it when it is refused.
 */
export const session = (account?: { readonly name: string; readonly password: string }): Session => {
  let current: Promise<OpenSession> | undefined;
  const issued = new WeakMap<Credentials, Promise<OpenSession>>();

  const keep = (opening: Promise<OpenSession>): Promise<OpenSession> => {
    current = opening;
    opening.catch(() => {
      if (current === opening) current = undefined;
    });
    return opening;
  };
  const open = (exchange: Exchange): Promise<OpenSession> =>
    keep(account === undefined ? joinSession(exchange, undefined) : login(exchange, account.name, account.password));

  return {
    cookies: 'include',
    credentials: async (exchange, method) => {
      const opening = current ?? open(exchange);
      const headers = headersOf(await opening, method);
      issued.set(headers, opening);
      return headers;
    },
    renew: async (exchange, refused, message) => {
      const before = issued.get(refused);
      // Another request has renewed it meanwhile.
      if (before === undefined || before !== current) return true;
      const { cookie, ...rest } = await before;
      if (message.includes('X-CSRF-Token')) {
        const { csrf } = await joinSession(exchange, cookie);
        if (before === current) await keep(Promise.resolve({ ...rest, cookie, csrf }));
        return true;
      }
      if (account === undefined || (await isLoggedIn({ exchange, cookie }))) return false;
      if (before === current) await open(exchange);
      return true;
    },
    logout: async () => {
      const { exchange, cookie, logout } = (await current) ?? {};
      current = undefined;
      if (exchange === undefined || logout === undefined) return;
      const path = `/user/logout?_format=json&token=${encodeURIComponent(logout)}`;
      await fetchFromServer(exchange, path, { method: 'POST', headers: cookieHeader(cookie) }, 'include');
    },
  };
};

const cookieHeader = (cookie: string | undefined): Credentials => (cookie === undefined ? {} : { cookie });

const headersOf = ({ cookie, csrf }: OpenSession, method: string): Credentials => ({
  ...cookieHeader(cookie),
  ...(methodsWithCsrf.includes(method) ? { 'x-csrf-token': csrf } : {}),
});

const login = async (exchange: Exchange, name: string, pass: string): Promise<OpenSession> => {
  try {
    const response = await fetchFromServer(
      exchange,
      '/user/login?_format=json',
      { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ name, pass }) },
      'include',
    );
    const { csrf_token, logout_token } = (await response.json()) as components['schemas']['OpenedSession']; // the document says so
    const cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0] ?? '')
      .join('; ');
    return { exchange, cookie: cookie === '' ? undefined : cookie, csrf: csrf_token, logout: logout_token };
  } catch (error) {
    // "This route can only be accessed by anonymous users." The browser has a session already.
    if (isAtollError(error, 403) && error.message.includes('anonymous users')) return joinSession(exchange, undefined);
    throw error;
  }
};

/** Uses the session that a cookie belongs to. */
const joinSession = async (exchange: Exchange, cookie: string | undefined): Promise<OpenSession> => {
  const response = await fetchFromServer(exchange, '/session/token', { headers: cookieHeader(cookie) }, 'include');
  return { exchange, cookie, csrf: await response.text(), logout: undefined };
};

const isLoggedIn = async ({ exchange, cookie }: Pick<OpenSession, 'exchange' | 'cookie'>): Promise<boolean> => {
  const path = '/user/login_status?_format=json';
  const status = await fetchFromServer(exchange, path, { headers: cookieHeader(cookie) }, 'include');
  return (await status.text()) === '1';
};
