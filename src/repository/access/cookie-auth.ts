/** The provider `cookie`: authenticates requests by the cookie of a session, writes and reads that cookie, and checks the `X-CSRF-Token`. */
import { parseCookie } from 'cookie';
import { digest, isSameSecret } from '../../basics/secrets/digest.ts';
import type { Identity } from '../model/principal.ts';
import type { Access, AccessAddress, CredentialSource, Provider } from './access.ts';
import { type Accounts, isActive } from './accounts.ts';
import type { Sessions } from './sessions.ts';
import { forbidden } from '../../openapi/openapi-terms.ts';

/**
 * Every cookie with the world's cookie name counts as credentials. A stale or foreign cookie is therefore refused (403)
 * instead of being ignored (401), as on the real site. A session ends when its account is blocked, is deleted or gets a new password.
 */
export const createCookieAuth = (accounts: Accounts, sessions: Sessions, cookieName: string): Provider => {
  const authenticate = async (id: string): Promise<Identity> => {
    const session = sessions.find(id);
    if (session === undefined) return accounts.refused('cookie');
    const account = await accounts.byId(session.uid);
    if (isActive(account) && sessions.belongsTo(session, account)) return accounts.accepted(account, 'cookie');
    sessions.end(session.id);
    return accounts.refused('cookie');
  };
  return {
    name: 'cookie',
    recognise: ({ headers }) => {
      const id = readSessionCookie(headers, cookieName);
      return id === undefined ? undefined : authenticate(id);
    },
  };
};

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

/** `session` is the value of the session cookie, if the client sent one. */
type CsrfRequest = {
  readonly headers: CredentialSource['headers'];
  readonly identity: Identity;
  readonly session: string | undefined;
};

/**
 * Throws a 403 when the header is missing or is not the token of the cookie's session. The real site does so even when an
 * Authorization header identifies the client. An anonymous client, such as one with a stale cookie, needs no token: it gets
 * the 403 of the missing permission.
 */
export const checkCsrf = (access: Pick<Access, 'session'>, request: CsrfRequest): void => {
  if (request.session === undefined || request.identity.principal.uid === 0) return;
  const token = request.headers['x-csrf-token'];
  if (token === undefined) throw forbidden('X-CSRF-Token request header is missing');
  const expected = access.session(request.session)?.csrfToken;
  if (expected === undefined || !isSameSecret(token, expected)) {
    throw forbidden('X-CSRF-Token request header is invalid');
  }
};
