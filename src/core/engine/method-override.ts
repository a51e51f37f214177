/** Reads the method that a POST names in `X-HTTP-Method-Override`, where the site reads that header. */
import { discardStream } from '../../basics/byte-streams.ts';
import type { EngineOptions } from './engine-options.ts';
import type { PlainReply, PlainRequest } from './exchange.ts';

/**
 * The request with the method that its `X-HTTP-Method-Override` names, where the site reads that header: any word, also
 * one that no path has. open: a value that is not a word is passed over.
 */
export const intended = (request: PlainRequest, { methodOverride }: EngineOptions): PlainRequest => {
  if (methodOverride !== true || request.method !== 'POST') return request;
  const method = request.headers['x-http-method-override']?.toUpperCase();
  return method !== undefined && /^[A-Z]+$/.test(method) ? { ...request, method } : request;
};

/** A POST that is answered as HEAD has no body, though HTTP would allow one. */
export const withoutBodyOfHead = (reply: PlainReply, sent: PlainRequest, options: EngineOptions): PlainReply => {
  if (sent.method !== 'POST' || intended(sent, options).method !== 'HEAD') return reply;
  if (typeof reply.body === 'object') discardStream(reply.body.stream);
  const headers = Object.entries(reply.headers).filter(([name]) => name.toLowerCase() !== 'content-length');
  return { ...reply, headers: Object.fromEntries(headers), body: undefined };
};
