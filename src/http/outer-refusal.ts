/** The refusal of what goes wrong around the engine: a head that cannot be read, an answer that cannot be written. */
import type { PlainReply } from '../contract/exchange.ts';
import { messageReply } from '../contract/text-reply.ts';
import { Problem } from '../problem.ts';
import { securityHeaders } from './security-headers.ts';

/** What a `Problem` says; 500 and nothing about the cause for anything else. */
export const outerRefusal = (error: unknown): PlainReply & { readonly body: string } => {
  const { status, message } = error instanceof Problem ? error : new Problem(500, 'The answer could not be written.');
  const reply = messageReply(status, message);
  return { ...reply, headers: { ...securityHeaders, ...reply.headers } };
};
