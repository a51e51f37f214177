/** The handler that issues tokens (JWT) for later requests. */
import type { Handler } from '../src/engine/handler.ts';
import { denied } from '../src/problem.ts';

/** `GET /jwt/token`: for every authenticated account, also for one that authenticates by a token. */
export const getToken: Handler<'getToken'> = async ({ identity }, { access }) => {
  if (identity.principal.uid === 0) throw denied('This route can only be accessed by authenticated users.');
  return async () => ({
    status: 200,
    mediaType: 'application/json',
    body: { token: await access.issueToken(identity.principal) },
  });
};

/** The same by POST, which the real site's route takes, too. */
export const postToken: Handler<'postToken'> = (request, world) => getToken(request, world);
