/** Knows whether a browser holds a session at a server. It hides the cookie itself, so the server is asked. */
import type { Exchange } from './authentication.ts';
import { isBrowser } from './known-session.ts';
import { isLoggedIn, joinSession } from './open-session.ts';

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
