/** Checks the `X-CSRF-Token` of a request with a session cookie. The engine calls it for operations that need the token. */
import { forbidden } from '../problem.ts';
import type { Access, CredentialSource } from './access.ts';
import type { Identity } from '../model/principal.ts';
import { isSameSecret } from '../../basics/digest.ts';

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
