/** Writes and reads the cookie that carries a session's id. */
import { digest } from '../../basics/digest.ts';
import { parseCookie } from 'cookie';
import type { Access, AccessAddress, CredentialSource } from './access.ts';

/** The names of session cookies, as the source of a pattern. */
export const sessionCookieNames = 'S?SESS[0-9a-f]{32}';

/**
 * The cookie of one world. Its name is derived from the base URL, so that worlds on one host do not get each other's cookies.
 * Over https the name begins with `SSESS` and `secure` is set. Recorded, with the order of the attributes:
 * test/contract/recordings/observed-terms-login-cookie-fileupload.json.
 */
export const createSessionCookie = (
  { baseUrl, cookiePath }: AccessAddress,
  lifetimeSeconds: number,
): Pick<Access, 'cookieName' | 'setCookie'> => {
  const secure = baseUrl.startsWith('https:');
  const cookieName = `${secure ? 'SSESS' : 'SESS'}${digest('sha256', baseUrl, 'hex').slice(0, 32)}`;
  const scope = [`path=${cookiePath}`, ...(secure ? ['secure'] : []), 'HttpOnly'];
  const removal = [`${cookieName}=deleted`, 'expires=Thu, 01 Jan 1970 00:00:01 GMT', 'Max-Age=0', ...scope].join('; ');
  return {
    cookieName,
    setCookie: (session) => {
      if (session === undefined) return removal;
      const expires = new Date(session.expires).toUTCString();
      const duration = [`expires=${expires}`, `Max-Age=${lifetimeSeconds}`];
      return [`${cookieName}=${session.id}`, ...duration, ...scope, 'SameSite=Lax'].join('; ');
    },
  };
};

/** The value of the first cookie of that name. */
export const readSessionCookie = ({ cookie }: CredentialSource['headers'], name: string): string | undefined =>
  cookie === undefined ? undefined : parseCookie(cookie)[name];
