/** How a session's id travels: the cookie's name, its attributes and its reading. What a session is, is not known here. */
import { createHash } from 'node:crypto';
import { parseCookie } from 'cookie';
import type { CredentialSource, Session } from './access.ts';

export type SessionCookie = {
  readonly name: string;
  /** The whole `Set-Cookie` value of a session, or the one that removes the cookie. */
  write(session: Session | undefined): string;
};

export type SessionCookieOptions = {
  readonly baseUrl: string;
  /** Where it is sent: `/` or the world's prefix. */
  readonly path: string;
  readonly lifetimeSeconds: number;
};

/**
 * The cookie of one world, named after its base URL so that neighbours on one host do not take each other's. Attributes in the
 * order of the recordings "login ok" and "old cookie GET"; over https the name begins with `SSESS` and `secure` is set.
 */
export const createSessionCookie = (options: SessionCookieOptions): SessionCookie => {
  const { baseUrl, path, lifetimeSeconds } = options;
  const secure = baseUrl.startsWith('https:');
  const name = `${secure ? 'SSESS' : 'SESS'}${createHash('sha256').update(baseUrl).digest('hex').slice(0, 32)}`;
  const scope = [`path=${path}`, ...(secure ? ['secure'] : []), 'HttpOnly'];
  const removal = [`${name}=deleted`, 'expires=Thu, 01 Jan 1970 00:00:01 GMT', 'Max-Age=0', ...scope].join('; ');
  return {
    name,
    write: (session) => {
      if (session === undefined) return removal;
      const expires = new Date(session.expires).toUTCString();
      const life = [`expires=${expires}`, `Max-Age=${lifetimeSeconds}`];
      return [`${name}=${session.id}`, ...life, ...scope, 'SameSite=Lax'].join('; ');
    },
  };
};

/** The value of the session cookie of that name, when the request carries one; of several, the first. */
export const readSessionCookie = ({ cookie }: CredentialSource['headers'], name: string): string | undefined =>
  cookie === undefined ? undefined : parseCookie(cookie)[name];
