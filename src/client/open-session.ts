/** Opens sessions for `session.ts`: logs in, uses the session that is there, or ends it because it is that of another account. */
import type { components } from './generated/contract.ts';
import { type Credentials, type Exchange, fetchFromServer } from './authentication.ts';
import { claimsOf } from './bearer.ts';
import { forgetKnownSession, isBrowser, keepKnownSession, knownSession } from './known-session.ts';
import { isAtollError } from './refusal.ts';

/** For so long a session that was seen counts as there, in milliseconds, so that not every request is preceded by a question. */
const recentMs = 2000;

export type BrowserStatus = {
  /** True outside browsers, which have no dialogs and no cookies of their own. `isLate` asks in any case. */
  hasSession(exchange: Exchange, isLate: boolean): Promise<boolean>;
  /** Whether the browser holds the session with this answer of `GET /session/token`. Every session has its own. */
  holds(exchange: Exchange, token: string | undefined): Promise<boolean>;
  /** A session has just been opened. */
  confirm(): void;
  /** The session has ended. */
  forget(): void;
};

export const createBrowserStatus = (): BrowserStatus => {
  // Whether anybody is logged in, and whether it is this client's account, are two questions.
  let anySeenAt = -Infinity;
  let ownSeenAt = -Infinity;
  const isRecent = (seenAt: number): boolean => performance.now() - seenAt < recentMs;
  const asking = new Map<string, Promise<boolean>>();
  /** Asks each question once for all requests that wait for its answer. */
  const ask = (name: string, question: () => Promise<boolean>, note: (seenAt: number) => void): Promise<boolean> => {
    const asked =
      asking.get(name) ??
      question()
        .then((isThere) => {
          note(isThere ? performance.now() : -Infinity);
          return isThere;
        })
        .finally(() => asking.delete(name));
    asking.set(name, asked);
    return asked;
  };
  return {
    hasSession: async (exchange, isLate) =>
      !isBrowser() ||
      (isRecent(anySeenAt) && !isLate) ||
      ask(
        'any session',
        () => isLoggedIn({ exchange, cookie: undefined }),
        (seenAt) => {
          anySeenAt = seenAt;
        },
      ),
    holds: async (exchange, token) =>
      isRecent(ownSeenAt) ||
      ask(
        `session ${token}`,
        async () => (await joinSession(exchange, undefined)).token === token,
        (seenAt) => {
          ownSeenAt = seenAt;
        },
      ),
    confirm: () => {
      anySeenAt = ownSeenAt = performance.now();
    },
    forget: () => {
      anySeenAt = ownSeenAt = -Infinity;
    },
  };
};

export type Account = { readonly name: string; readonly password: string };

export type OpenSession = {
  readonly exchange: Exchange;
  /** `name=value` in Node, where we keep the cookie. Undefined in a browser, which keeps it itself and hides it. */
  readonly cookie: string | undefined;
  readonly csrf: string;
  /** What `GET /session/token` answers, where the browser keeps the cookie. It tells sessions apart. */
  readonly token: string | undefined;
  /** Undefined for a session that somebody else has opened. */
  readonly logout: string | undefined;
};

/** Uses the session that a cookie belongs to. */
export const joinSession = async (exchange: Exchange, cookie: string | undefined): Promise<OpenSession> => {
  const csrf = await sessionToken(exchange, cookie);
  return { exchange, cookie, csrf, token: csrf, logout: undefined };
};

/** The session of an account: a new one, or the browser's when it belongs to the account. Throws when it cannot be had. */
export const openSession = async (exchange: Exchange, account: Account): Promise<OpenSession> => {
  const opened = await login(exchange, account);
  if (opened !== undefined) return opened;
  // The browser has a session already.
  const joined = await joinSession(exchange, undefined);
  const known = knownSession(exchange);
  const { name: owner, logout } =
    known?.token === joined.csrf ? known : { name: await ownerOfSession(exchange), logout: undefined };
  if (owner !== undefined && isSameName(owner, account.name)) {
    if (known?.token !== joined.csrf) keepKnownSession(exchange, { name: owner, token: joined.csrf });
    return joined;
  }
  if (logout !== undefined) await endSession(exchange, undefined, logout);
  forgetKnownSession(exchange);
  const reopened = logout === undefined ? undefined : await login(exchange, account);
  if (reopened !== undefined) return reopened;
  const whose = owner === undefined ? 'an unknown account' : `"${owner}"`;
  throw new Error(
    `The browser holds a session of ${whose}, not of "${account.name}", and only who opened it can end it. Log out there first.`,
  );
};

/** Undefined when the browser has a session already: "This route can only be accessed by anonymous users." */
const login = async (exchange: Exchange, { name, password }: Account): Promise<OpenSession | undefined> => {
  try {
    const response = await fetchFromServer(
      exchange,
      '/user/login?_format=json',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, pass: password }),
      },
      'include',
    );
    const { csrf_token: csrf, logout_token: logout } =
      (await response.json()) as components['schemas']['OpenedSession']; // the document says so
    const cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0] ?? '')
      .join('; ');
    if (cookie !== '' || !isBrowser()) return { exchange, cookie: cookie || undefined, csrf, token: undefined, logout };
    // Where the question fails, nothing is known against the cookie.
    if (!(await isLoggedIn({ exchange, cookie: undefined }).catch(() => true))) throw new Error(cookieRefused);
    const token = await sessionToken(exchange, undefined);
    keepKnownSession(exchange, { name, token, logout });
    return { exchange, cookie: undefined, csrf, token, logout };
  } catch (error) {
    if (isAtollError(error, 403) && error.message.includes('anonymous users')) return undefined;
    throw error;
  }
};

const cookieRefused =
  'The browser does not keep the cookie of the login, as when the page and the server are of different sites. Use bearer(basic(…)).';

/** Ends a session, which may have ended already. */
export const endSession = async (exchange: Exchange, cookie: string | undefined, logout: string): Promise<void> => {
  const path = `/user/logout?_format=json&token=${encodeURIComponent(logout)}`;
  await fetchFromServer(exchange, path, { method: 'POST', headers: cookieHeader(cookie) }, 'include');
};

/** Whether a cookie, or the browser, has a session. */
export const isLoggedIn = async ({ exchange, cookie }: Pick<OpenSession, 'exchange' | 'cookie'>): Promise<boolean> => {
  const path = '/user/login_status?_format=json';
  const status = await fetchFromServer(exchange, path, { headers: cookieHeader(cookie) }, 'include');
  return (await status.text()) === '1';
};

/** The header with a cookie that we keep. */
export const cookieHeader = (cookie: string | undefined): Credentials => (cookie === undefined ? {} : { cookie });

const sessionToken = async (exchange: Exchange, cookie: string | undefined): Promise<string> =>
  (await fetchFromServer(exchange, '/session/token', { headers: cookieHeader(cookie) }, 'include')).text();

/** Whose session the browser has, by a token for it. Undefined where the site issues none. */
const ownerOfSession = async (exchange: Exchange): Promise<string | undefined> => {
  try {
    const response = await fetchFromServer(exchange, '/jwt/token?_format=json', {}, 'include');
    const { token } = (await response.json()) as components['schemas']['Token']; // the document says so
    const { sub } = claimsOf(token);
    return typeof sub === 'string' ? sub : undefined;
  } catch {
    // A site without tokens answers a 404, or a page.
    return undefined;
  }
};

/** A site takes `Editor` for `editor`. */
const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
