/** What the repository knows of the callers of operations that overlays add: its own schemes, and what its handlers ask of a request. */
import { repositoryWorld, type Identity, providerNames } from '../../repository/repository.ts';
import { authenticate, readSessionCookie, basicChallenge } from '../../repository/repository-engine.ts';
import type { HostedWorld, PlainRequest } from '../../openapi/openapi-host.ts';
import type { Callers } from '../../openapi/openapi.ts';
import { notFound, Problem } from '../../openapi/openapi-terms.ts';

/** The header that a session sends with writes belongs to no provider. */
const csrf = 'csrf';

/** `realm` is the name of the site. */
export const repositoryCallers = (realm: string): Callers<HostedWorld> => ({
  schemes: new Set([...providerNames, csrf]),
  realm,
  identify: async (request, hosted) => {
    const world = repositoryWorld(hosted);
    const { headers, address, connection } = request as PlainRequest; // those of the server
    const identity = await authenticate({ headers, address, connection }, world.access);
    const isCsrf = headers['x-csrf-token'] !== undefined;
    const isGood = identity.credentials === 'accepted';
    return {
      identity,
      met: new Set([
        ...(identity.provider !== undefined && isGood ? [identity.provider] : []),
        ...(isCsrf ? [csrf] : []),
      ]),
    };
  },
  errorOf: (error, { security }, identity) => {
    const isAnonymous = (identity as Identity | undefined)?.credentials === 'none';
    const isDenied = error instanceof Problem && error.kind === 'denied';
    if (!isDenied || !isAnonymous || !security.some((each) => each.has('basic_auth'))) return error;
    return new Problem(401, 'No authentication credentials provided.', {
      headers: basicChallenge(realm),
      cause: error,
    });
  },
  requestOf: (asked, request, world) => {
    const { headers, address } = request as PlainRequest;
    const { identity } = asked as { readonly identity: Identity };
    return {
      ...{ ...asked, identity, format: 'json', address },
      session:
        headers['cookie'] === undefined
          ? undefined
          : readSessionCookie(headers, repositoryWorld(world).access.cookieName),
      absent: (name: string) => notFound(`There is no ${name} "${String(asked.path[name])}".`),
    };
  },
});
