/** The handlers that issue tokens (JWT) for later requests, and publish the key that verifies them. */
import { jsonReply } from '../src/openapi/openapi-host.ts';
import type { Handler } from '../src/repository/repository-engine.ts';
import { denied } from '../src/openapi/openapi-terms.ts';

/** `GET /jwt/token`: for every authenticated account, also for one that authenticates by a token. */
export const getToken: Handler<'getToken'> = async ({ identity }, { access }) => {
  if (identity.principal.uid === 0) throw denied('This route can only be accessed by authenticated users.');
  return async () => jsonReply({ token: await access.issueToken(identity.principal) });
};

/** The same by POST, which the real site's route takes, too. */
export const postToken: Handler<'postToken'> = (request, world) => getToken(request, world);

/** `GET /oauth/discovery/keys`: the key set by which microservices verify tokens (RFC 7517 §5). Only the public key is in it. */
export const getTokenKeys: Handler<'getTokenKeys'> =
  async (_request, { access }) =>
  async () =>
    jsonReply({ keys: await access.publishedKeys() });
