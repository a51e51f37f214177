/** Makes text replies outside of operations: documents, pages, refusals. */
import type { PlainReply } from './exchange.ts';
import { Problem, unexpectedErrorMessage } from '../problem.ts';

export type TextReply = PlainReply & { readonly body: string };

/** 200 with a text in UTF-8. */
export const textReply = (
  mediaType: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): TextReply => ({
  status: 200,
  headers: { 'Content-Type': mediaType, ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
  body,
});

/** A refusal: JSON with the single member `message`. */
export const messageReply = (status: number, message: string): TextReply => ({
  ...textReply('application/json', JSON.stringify({ message })),
  status,
});

/** The reply for a `Problem`. Any other error is a 500 that does not name its cause. */
export const errorReply = (error: unknown, otherwise = unexpectedErrorMessage): TextReply => {
  const { status, message, headers } = error instanceof Problem ? error : new Problem(500, otherwise);
  const reply = messageReply(status, message);
  return { ...reply, headers: { ...reply.headers, ...headers } };
};
