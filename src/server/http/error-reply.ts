/** Makes the replies to errors outside the engine: an invalid request head, an answer that cannot be written, a server that shuts down, a target that is too long. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasBody } from '../../core/engine/exchange.ts';
import { messageReply, type TextReply } from '../../core/engine/text-reply.ts';
import { Problem } from '../../core/problem.ts';
import { discardRest, hasUnreadBody, keepSocketForReply } from './arriving-body.ts';
import { securityHeaders } from './security-headers.ts';

/** The longest request target, path and query, in characters. `listener.ts` limits the whole head. */
export const longestTarget = 4096;

/** The refusal of a longer one. */
export const longTargetProblem = (): Problem =>
  new Problem(414, `The address is longer than ${longestTarget} characters.`);

/** The reply for a `Problem`. Any other error is a 500 that does not name its cause. */
export const errorReply = (error: unknown): TextReply => {
  const problem = error instanceof Problem ? error : new Problem(500, 'The answer could not be written.');
  const { status, message } = problem;
  const reply = messageReply(status, message);
  return { ...reply, headers: { ...securityHeaders, ...reply.headers, ...problem.headers } };
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
