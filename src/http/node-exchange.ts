/** Between Node's HTTP and the plain forms: reads a request's head, writes a reply. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { HeaderValues, PlainReply, PlainRequest } from '../contract/exchange.ts';
import { malformed } from '../problem.ts';
import { arrivingBody, dropRest, hasBody, type BodyLimits } from './arriving-body.ts';

/** The plain form of a request. Throws 400 for heads that two readers could understand differently (cases I29, U24). */
export const plainRequest = (request: IncomingMessage, response: ServerResponse, limits: BodyLimits): PlainRequest => {
  for (const name of ['host', 'content-location']) {
    if (timesSent(request, name) > 1) throw malformed(`The header "${name}" was sent more than once.`);
  }
  const target = request.url ?? '/';
  const mark = target.indexOf('?');
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    headers: request.headers as Record<string, string | undefined>, // only `set-cookie` is ever a list, and no client sends it
    body: arrivingBody(request, response, limits),
    address: request.socket.remoteAddress ?? '',
  };
};

const timesSent = ({ rawHeaders }: IncomingMessage, name: string): number =>
  rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;

/** A short rest is read so that the connection can be used again; a long one is not worth it. */
const worthReading = 64 * 1024;

/** Writes a reply; HEAD gets every header and no body (house 1.6). */
export const writeReply = async (
  request: IncomingMessage,
  response: ServerResponse,
  reply: PlainReply,
  headers: HeaderValues,
): Promise<void> => {
  const { body, status } = reply;
  const isUnread = hasBody(request) && !request.complete && !request.readableEnded;
  const mustClose = isUnread && !(Number(request.headers['content-length'] ?? Infinity) <= worthReading);
  for (const [name, value] of Object.entries({ ...headers, ...reply.headers })) {
    response.setHeader(name, typeof value === 'string' ? value : [...value]);
  }
  if (mustClose) response.setHeader('Connection', 'close');
  // An answer without a body says so, that the connection can go on being used.
  if (body === undefined && status !== 204 && status !== 304) response.setHeader('Content-Length', 0);
  response.statusCode = status;
  const isHead = request.method === 'HEAD';
  if (isHead && typeof body === 'object') body.stream.destroy();
  if (typeof body === 'object' && !isHead) await pipeline(body.stream, response);
  else response.end(isHead ? undefined : body);
  if (isUnread) dropRest(request);
};
