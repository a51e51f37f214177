/**
 * Sends requests with the cookies of a browser so that none of its dialogs holds them up. A browser answers a 401 with a Basic
 * challenge by a dialog, and `fetch` waits for it, where cookies may go with the request. So without a session they may not.
 */
import type { AuthenticatedRequest, Credentials } from './authentication.ts';

/** Whether the browser holds a session. When an answer is late, a recent answer to this question no longer counts. */
type HasSession = (isLate: boolean) => Promise<boolean>;

/** How long an answer may take before the client asks whether a dialog of the browser holds it up, in milliseconds. */
const lateMs = 2000;

/** Sends a request with cookies where there is a session, and without them where there is none. */
export const sendWithoutDialog = async (
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
