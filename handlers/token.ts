/** Tokens for later requests. How they are signed is not known here. */
import type { Handler } from '../src/engine/handler.ts';
import { denied } from '../src/problem.ts';

/** `GET /jwt/token`: for whoever any provider accepted, also by a token (contract: Authentication 3; decisions: Defaults). */
export const getToken: Handler<'getToken'> = async ({ identity }, { access }) => {
  if (identity.principal.uid === 0) throw denied('This route can only be accessed by authenticated users.');
  return Promise.resolve(async () => ({
    status: 200,
    mediaType: 'application/json',
    body: { token: await access.issueToken(identity.principal) },
  }));
};
