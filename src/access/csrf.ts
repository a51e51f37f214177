/** Whether a writing request that carries a session cookie was meant: its `X-CSRF-Token`. Which operations ask is not decided here. */
import { forbidden } from '../problem.ts';
import type { Access, CredentialSource } from './access.ts';
import type { Identity } from '../model/principal.ts';
import { sameSecret } from './secret.ts';

/** What of a request the check looks at. `session` is the session cookie's value, when one was sent. */
export type CsrfSubject = {
  readonly headers: CredentialSource['headers'];
  readonly identity: Identity;
  readonly session: string | undefined;
};

/**
 * Throws a 403 when the header is missing or is not the token of the cookie's session, also where an Authorization
 * header decided who asks (recording: "cookie + basic"). An anonymous visitor is not asked: a stale cookie gets the
 * refusal for want of a permission (reference 1.3).
 */
export const checkCsrf = (access: Pick<Access, 'session'>, request: CsrfSubject): void => {
  if (request.session === undefined || request.identity.principal.uid === 0) return;
  const token = request.headers['x-csrf-token'];
  if (token === undefined) throw forbidden('X-CSRF-Token request header is missing');
  const expected = access.session(request.session)?.csrfToken;
  if (expected === undefined || !sameSecret(token, expected)) {
    throw forbidden('X-CSRF-Token request header is invalid');
  }
};
