/** The refusal of what goes wrong around the engine: a head that cannot be read, an answer that cannot be written, the end. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlainReply } from '../engine/exchange.ts';
import { messageReply } from '../engine/text-reply.ts';
import { Problem } from '../problem.ts';
import { dropRest, hasUnreadBody, keepForReader } from './arriving-body.ts';
import { securityHeaders } from './security-headers.ts';

type Refusal = PlainReply & { readonly body: string };

/** What a `Problem` says; 500 and nothing about the cause for anything else. */
export const errorReply = (error: unknown): Refusal => {
  const { status, message } = error instanceof Problem ? error : new Problem(500, 'The answer could not be written.');
  const reply = messageReply(status, message);
  return { ...reply, headers: { ...securityHeaders, ...reply.headers } };
};

/** Writes a refusal and ends the connection, when the client has had time to read it. */
export const sendErrorAndClose = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Refusal,
): void => {
  const isUnread = hasUnreadBody(request);
  if (isUnread) keepForReader(request);
  response.writeHead(status, { ...headers, Connection: 'close' }).end(body);
  if (isUnread) dropRest(request);
};
