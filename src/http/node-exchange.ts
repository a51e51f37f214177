/** Between Node's HTTP and the plain forms: reads a request's head, writes a reply. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { HeaderValues, PlainReply, PlainRequest } from '../engine/exchange.ts';
import { malformed, Problem } from '../problem.ts';
import { arrivingBody, dropRest, hasUnreadBody, keepForReader, type BodyLimits } from './arriving-body.ts';
import { writeFaultyReply } from './faulty-reply.ts';
import { startWriting } from './write-head.ts';

/** Longest request target, in characters (cases 4.1); the whole head is bounded by `server.ts`. */
const longestTarget = 4096;

/**
 * The plain form of a request. Throws 400 for heads that two readers could understand differently (cases I29, U24, A21)
 * and 414 for targets that are too long.
 */
export const plainRequest = (request: IncomingMessage, response: ServerResponse, limits: BodyLimits): PlainRequest => {
  refuseRepeated(request);
  refuseStrangeHost(request.headers.host);
  const target = pathAndQuery(request.url ?? '/');
  refuseLongTarget(target);
  const mark = target.indexOf('?');
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    headers: request.headers as Record<string, string | undefined>, // only `set-cookie` is ever a list, and no client sends it
    body: arrivingBody(request, response, limits),
    address: request.socket.remoteAddress ?? '',
    connection: request.socket,
  };
};

/** Throws 414 for a request target, path and query, that is too long. */
export const refuseLongTarget = (target: string): void => {
  if (target.length > longestTarget) {
    throw new Problem(414, `The address is longer than ${longestTarget} characters.`);
  }
};

/** Of these Node would silently take the first, or join them. */
const onceOnly: ReadonlySet<string> = new Set([
  ...['host', 'authorization', 'content-type', 'content-encoding', 'content-location', 'x-csrf-token'],
]);

const onceOnlyLengths: ReadonlySet<number> = new Set([...onceOnly].map(({ length }) => length));

const refuseRepeated = ({ rawHeaders }: IncomingMessage): void => {
  const seen: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    // Every header of every request comes by here; a name of another length needs no closer look.
    if (!onceOnlyLengths.has(sent.length)) continue;
    const name = sent.toLowerCase();
    if (!onceOnly.has(name)) continue;
    if (seen.includes(name)) throw malformed(`The header "${name}" was sent more than once.`);
    seen.push(name);
  }
};

/** `uri-host [ ":" port ]`, or nothing (RFC 9112 §3.2, RFC 3986 §3.2.2). */
const hostPattern = /^(?:[\w.~!$&'()*+,;=%-]*|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i;

/** The host is never used: links begin with the base URL. A broken one is refused all the same. */
const refuseStrangeHost = (host: string | undefined): void => {
  if (host !== undefined && !hostPattern.test(host)) throw malformed('The header "host" is not valid.');
};

/** A target in absolute form, as proxies get it, means its path (RFC 9112 §3.2.2). Throws 400 when its host is none. */
const pathAndQuery = (target: string): string => {
  if (target.startsWith('/')) return target;
  const [origin, host] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
  if (origin === undefined || host === undefined) return target;
  if (host === '' || !hostPattern.test(host)) throw malformed('The address has no valid host.');
  const rest = target.slice(origin.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
};

/** Writes a reply with the headers that every answer has; HEAD gets every header and no body (house 1.6). */
export const writeReply = async (
  request: IncomingMessage,
  response: ServerResponse,
  reply: PlainReply,
  everywhere: HeaderValues,
): Promise<void> => {
  const { body, status } = reply;
  const isUnread = hasUnreadBody(request);
  const head = rawHeaders(reply, everywhere);
  // What is left of the body is not waited for (decisions: Defaults).
  if (isUnread) {
    head.push('Connection', 'close');
    keepForReader(request);
  }
  // An answer without a body says so, that the connection can go on being used.
  if (body === undefined && status !== 204 && status !== 304) head.push('Content-Length', '0');
  if (reply.transmissionFault !== undefined) {
    await writeFaultyReply(request, response, { status, head, body }, reply.transmissionFault);
    if (isUnread) dropRest(request);
    return;
  }
  startWriting(response, status, head);
  const isHead = request.method === 'HEAD';
  if (isHead && typeof body === 'object') body.stream.destroy();
  if (typeof body === 'object' && !isHead) await pipeline(body.stream, response).catch(clientHasLeft);
  else response.end(isHead ? undefined : body);
  if (isUnread) dropRest(request);
};

/** A download may be broken off, or its connection closed as soon as the last byte has come: no fault of ours. */
const clientHasLeft = (error: unknown): void => {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error; // an error of the streams
};

/** The lines of replies that are sent again and again, with the headers they were joined to. */
const remembered = new WeakMap<
  HeaderValues,
  { readonly everywhere: HeaderValues; readonly lines: readonly string[] }
>();

/** Names and values in turn, as Node takes them with the least work: a list that the caller may add to. */
const rawHeaders = ({ headers, isReused: isLasting }: PlainReply, everywhere: HeaderValues): string[] => {
  if (isLasting !== true) return linesOf(headers, everywhere);
  const before = remembered.get(headers);
  if (before?.everywhere === everywhere) return before.lines.slice();
  const lines = linesOf(headers, everywhere);
  remembered.set(headers, { everywhere, lines });
  return lines.slice();
};

/** Of a name that is in both, what the reply itself says. No object is made of the two: that took longer than the rest. */
const linesOf = (headers: HeaderValues, everywhere: HeaderValues): string[] => {
  const lines: string[] = [];
  for (const name in everywhere) if (headers[name] === undefined) pushLines(lines, name, everywhere[name]);
  for (const name in headers) pushLines(lines, name, headers[name]);
  return lines;
};

const pushLines = (lines: string[], name: string, value: HeaderValues[string] = []): void => {
  if (typeof value === 'string') lines.push(name, value);
  else for (const one of value) lines.push(name, one);
};
