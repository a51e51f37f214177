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
  let seenAt = -Infinity;
  const isRecent = (): boolean => performance.now() - seenAt < recentMs;
  let asking: Promise<boolean> | undefined;
  /** One question for all requests that wait for its answer. */
  const ask = (question: () => Promise<boolean>): Promise<boolean> => {
    asking ??= question()
      .then((isThere) => {
        seenAt = isThere ? performance.now() : -Infinity;
        return isThere;
      })
      .finally(() => {
        asking = undefined;
      });
    return asking;
  };
  return {
    hasSession: async (exchange, isLate) =>
      !isBrowser() || (isRecent() && !isLate) || ask(() => isLoggedIn({ exchange, cookie: undefined })),
    holds: async (exchange, token) =>
      isRecent() || ask(async () => (await joinSession(exchange, undefined)).token === token),
    confirm: () => {
      seenAt = performance.now();
    },
    forget: () => {
      seenAt = -Infinity;
    },
  };
};
