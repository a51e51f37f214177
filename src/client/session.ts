/** Authenticates with a session cookie: logs in and out, and sends the CSRF token that writing requests need. */
import type { AuthenticatedRequest, Authentication, Credentials, Exchange } from './authentication.ts';
import {
  type BrowserStatus,
  createBrowserStatus,
  type Account,
  cookieHeader,
  endSession,
  isLoggedIn,
  joinSession,
  openSession,
  type OpenSession,
} from './open-session.ts';
import { forgetKnownSession, isBrowser, knownSession } from './known-session.ts';

/** Whether the browser holds a session. When an answer is late, a recent answer to this question no longer counts. */
type HasSession = (isLate: boolean) => Promise<boolean>;

/** How long an answer may take before the client asks whether a dialog of the browser holds it up, in milliseconds. */
const lateMs = 2000;

/** Sends a request with cookies where there is a session, and without them where there is none. */
const sendWithoutDialog = async (
  { method, isRepeatable, attempt }: AuthenticatedRequest,
  credentials: Credentials,
  hasSession: HasSession,
): Promise<Response> => {
  // Where the question itself fails, as behind a proxy that blocks it, the request is sent as without this client.
  if (!(await hasSession(false).catch(() => true))) return attempt({ credentials, cookies: 'omit' });
  const giveUp = new AbortController();
  const answer = attempt({ credentials, cookies: 'include', signal: giveUp.signal });
  const isRead = method === 'GET' || method === 'HEAD';
  while (await isPending(answer, lateMs)) {
    if (!(await hasSession(true).catch(() => true))) {
      // The session ended after it was asked for, and perhaps a dialog is open. The refusal of a read comes without cookies, too.
      giveUp.abort(sessionEnded());
      // A write may have been carried out all the same, so it is never sent twice.
      return isRead && isRepeatable ? attempt({ credentials, cookies: 'omit' }) : answer;
    }
    // The server has taken a write with this session. A later end of the session must not break a long upload off.
    if (!isRead) break;
  }
  return answer;
};

const sessionEnded = (): Error =>
  new Error('The session ended before the request was answered. Whether a write was carried out is not known.');

/** Whether a promise is still unsettled after so many milliseconds. */
const isPending = (promise: Promise<unknown>, ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), ms);
    const settled = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    promise.then(settled, settled);
  });

/** An authentication that can log out. */
export type Session = Authentication & {
  /** Ends a session that this authentication opened itself. Leaves any other session alone. */
  logout(): Promise<void>;
};

/** The methods that need `X-CSRF-Token`. The PUT requests of uploads do not. */
const methodsWithCsrf: readonly string[] = ['POST', 'PATCH', 'DELETE'];

/**
 * With an account, logs in before the first request, and again after the session has ended. A browser has one session for all
 * pages: if it is that of another account, logs that account out first, or throws when it cannot. Without an account, uses the
 * browser's session, whosever it is. Fetches the CSRF token, and renews it when it is refused.
 */
export const session = (account?: Account): Session => {
  const status = createBrowserStatus();
  const held = createHolder(account, status);
  const issued = new WeakMap<Credentials, Promise<OpenSession>>();

  /** Whether the browser still holds the session that we opened. Other pages may have changed it. */
  const isStillOurs = async (exchange: Exchange, { cookie, token }: OpenSession): Promise<boolean> =>
    account === undefined ||
    cookie !== undefined ||
    !isBrowser() ||
    (knownSession(exchange)?.token === token && (await status.holds(exchange, token)));

  return {
    cookies: 'include',
    credentials: async (exchange, method) => {
      let opening = held.current() ?? held.open(exchange);
      // Another request may have opened a session meanwhile.
      if (!(await isStillOurs(exchange, await opening))) opening = held.openUnlessNewer(exchange, opening);
      const headers = headersOf(await opening, method);
      issued.set(headers, opening);
      return headers;
    },
    send: async (exchange, request, credentials) => {
      // No dialog opens for a cookie that we keep: it is always sent.
      if (credentials['cookie'] !== undefined) return request.attempt({ credentials, cookies: 'include' });
      return sendWithoutDialog(request, credentials, (isLate) => status.hasSession(exchange, isLate));
    },
    renew: async (exchange, refused, message) => {
      const before = issued.get(refused);
      // Another request has renewed it meanwhile.
      if (before === undefined || before !== held.current()) return true;
      const opened = await before;
      const { cookie } = opened;
      const isOfToken = message.includes('X-CSRF-Token');
      if (isOfToken && (account === undefined || cookie !== undefined)) {
        const { csrf } = await joinSession(exchange, cookie);
        held.replace(before, { ...opened, csrf });
        return true;
      }
      // With a wrong CSRF token there is a session, but in a browser it may be that of another account by now.
      if (!isOfToken && (account === undefined || (await isLoggedIn({ exchange, cookie }).catch(() => true))))
        return false;
      await held.openUnlessNewer(exchange, before);
      return true;
    },
    logout: async () => {
      const { exchange, cookie, logout } = (await held.current()) ?? {};
      held.clear();
      if (exchange === undefined || logout === undefined) return;
      await endSession(exchange, cookie, logout);
      if (cookie === undefined) forgetKnownSession(exchange);
    },
  };
};

/** Keeps the session in use. It is opened once for all requests that wait for it. */
const createHolder = (account: Account | undefined, status: BrowserStatus) => {
  let current: Promise<OpenSession> | undefined;
  const open = (exchange: Exchange): Promise<OpenSession> => {
    const opening = account === undefined ? joinSession(exchange, undefined) : openSession(exchange, account);
    current = opening;
    opening.then(
      () => account !== undefined && status.confirm(),
      () => {
        if (current === opening) current = undefined;
      },
    );
    return opening;
  };
  return {
    current: () => current,
    open,
    openUnlessNewer: (exchange: Exchange, before: Promise<OpenSession>): Promise<OpenSession> =>
      current === undefined || current === before ? open(exchange) : current,
    replace: (before: Promise<OpenSession>, next: OpenSession): void => {
      if (current === before) current = Promise.resolve(next);
    },
    clear: (): void => {
      current = undefined;
      status.forget();
    },
  };
};

const headersOf = ({ cookie, csrf }: OpenSession, method: string): Credentials => ({
  ...cookieHeader(cookie),
  ...(methodsWithCsrf.includes(method) ? { 'x-csrf-token': csrf } : {}),
});
