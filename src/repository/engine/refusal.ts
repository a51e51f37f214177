/** Makes the reply of a refusal, and of any error. */
import type { Operation } from '../document/operation.ts';
import type { Identity } from '../model/principal.ts';
import type { World } from '../world.ts';
import type { EngineOptions, MatchedRequest } from './engine-options.ts';
import { type PlainReply, logContextOf } from '../../openapi/openapi-host.ts';
import { problemReply } from './exchange.ts';
import { finish } from './finish.ts';
import { problemMediaType } from './negotiation.ts';
import { Problem, unexpectedErrorMessage } from '../../openapi/openapi-terms.ts';

type RefusedRequest = Pick<MatchedRequest, 'request' | 'formatName'> & { readonly operation: Operation | undefined };

type Refused = Pick<RefusedRequest, 'request' | 'operation'>;

/** The last station for a refusal, or for any other error. */
export const refusalReply = (
  options: EngineOptions,
  { request, operation, formatName }: RefusedRequest,
  error: unknown,
): PlainReply => {
  const problem = toProblem(error, { request, operation }, options);
  const mediaType = problemMediaType(operation, formatName, problem.status);
  return finish(options, operation, request, problemReply(problem, mediaType));
};

const toProblem = (error: unknown, refused: Refused, options: EngineOptions): Problem => {
  if (error instanceof Problem) {
    reportRefusedWrite(error, refused, options);
    return error;
  }
  const { observations } = refused.request;
  if (observations !== undefined) observations.isReported = true;
  options.onEvent({ kind: 'failed', operation: refused.operation?.id, error, logContext: logContextOf(observations) });
  return new Problem(500, unexpectedErrorMessage, { cause: error });
};

/** Once for each write that the server should have been able to keep. Of refusals that the client causes, those of a body alone are reported. */
const reportRefusedWrite = (
  { status, message, cause }: Problem,
  { operation, request: { observations } }: Refused,
  options: EngineOptions,
): void => {
  if (status === 422)
    options.onEvent({
      kind: 'refused-body',
      operation: operation?.id,
      message,
      logContext: logContextOf(observations),
    });
  if (operation?.method === 'GET' || !(status === 503 || status === 507)) return;
  if (observations !== undefined) observations.isReported = true;
  const place = { operation: operation?.id, logContext: logContextOf(observations) };
  options.onEvent({ kind: 'write-refused', status, message, cause, ...place });
};

/**
 * The challenge of HTTP Basic (RFC 7617 §2). The real site sends its name in UTF-8. The values of headers are bytes here, one in a
 * character, as in the Fetch standard.
 */
export const basicChallenge = (realm: string): Readonly<Record<string, string>> => ({
  'WWW-Authenticate': `Basic realm="${Buffer.from(realm).toString('latin1')}"`,
});

/** The error of a handler. A denial is a 401 with a challenge, when no credentials were sent and the operation accepts HTTP Basic. */
export const challenged = (error: unknown, operation: Operation, identity: Identity, { site }: World): unknown => {
  const mayChallenge = identity.credentials === 'none' && operation.providers.includes('basic_auth');
  if (!(error instanceof Problem) || error.kind !== 'denied' || !mayChallenge) return error;
  return new Problem(401, 'No authentication credentials provided.', {
    headers: basicChallenge(site.name),
    cause: error,
  });
};
