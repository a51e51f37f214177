/** Names the headers of every answer, and makes the replies to errors outside the engine: an invalid request head, an answer that cannot be written, a server that shuts down, a target that is too long. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody, type HeaderValues, errorReply, type TextReply } from '../../openapi/openapi-host.ts';
import { refusalHeader, Problem } from '../../openapi/openapi-terms.ts';
import { discardRest, hasUnreadBody, keepSocketForReply } from './arriving-body.ts';

/** The security headers of every answer, as on the real site. */
export const securityHeaders: HeaderValues = {
  'Cache-Control': 'must-revalidate, no-cache, private',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
};

/** The longest request target, path and query, in characters. `listener.ts` limits the whole head. */
export const longestTarget = 4096;

/** The refusal of a longer one. */
export const longTargetProblem = (): Problem =>
  new Problem(414, `The address is longer than ${longestTarget} characters.`, {
    headers: { [refusalHeader]: 'undocumented' },
  });

/** The reply to an error of which no engine knows. */
export const plainErrorReply = (error: unknown): TextReply => {
  const reply = errorReply(error, 'The answer could not be written.');
  return { ...reply, headers: { ...securityHeaders, ...reply.headers } };
};

/** Writes a refusal, and ends the connection after the client has had time to read it. */
export const sendErrorAndClose = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: TextReply,
): void => {
  const isUnread = hasBody(request.headers) && hasUnreadBody(request);
  if (isUnread) keepSocketForReply(request);
  response.writeHead(status, { ...headers, Connection: 'close' }).end(body);
  if (isUnread) discardRest(request);
};
