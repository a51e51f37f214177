/** Converts Node's requests to plain requests, and writes plain replies to Node's responses. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { chunksOf, discardStream } from '../../basics/byte-streams.ts';
import { errorCode } from '../../basics/error-code.ts';
import { nextTurn } from '../../basics/long-work.ts';
import { hasBody, type PlainReply, type PlainRequest, type HeaderValues } from '../../openapi/openapi-host.ts';
import { isBytesChanged } from '../../storage/storage.ts';
import {
  arrivingBody,
  discardRest,
  hasUnreadBody,
  keepSocketForReply,
  noBody,
  type BodyLimits,
} from './arriving-body.ts';
import { writeFaultyReply } from './faulty-reply.ts';
import { endWhenUnread } from './unread-answer.ts';
import { longestTarget, longTargetProblem } from './error-reply.ts';
import { malformed, Problem } from '../../openapi/openapi-terms.ts';

/** The plain form of a request. Throws 400 for an ambiguous head, such as one with two hosts, 414 for a long target, and 415. */
export const plainRequest = (request: IncomingMessage, response: ServerResponse, limits: BodyLimits): PlainRequest => {
  refuseRepeated(request);
  refuseInvalidHost(request.headers.host);
  refuseMissingHost(request);
  refuseTransferCoding(request.headers['transfer-encoding']);
  const target = pathAndQuery(request.url ?? '/');
  if (target.length > longestTarget) throw longTargetProblem();
  const mark = target.indexOf('?');
  return {
    method: request.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    headers: request.headers as Record<string, string | undefined>, // only `set-cookie` can be a list, and requests do not have it
    body: hasBody(request.headers) ? arrivingBody(request, response, limits) : noBody,
    address: request.socket.remoteAddress ?? '',
    connection: request.socket,
  };
};

/** Headers that may be sent once. Of several, Node would silently take the first or join them. */
const singleHeaders: ReadonlySet<string> = new Set([
  ...['host', 'authorization', 'content-type', 'content-encoding', 'content-location', 'x-csrf-token'],
]);

const singleHeaderLengths: ReadonlySet<number> = new Set([...singleHeaders].map(({ length }) => length));

const refuseRepeated = ({ rawHeaders }: IncomingMessage): void => {
  const seen: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    // This runs for every header of every request. Most names have another length and need no look-up.
    if (!singleHeaderLengths.has(sent.length)) continue;
    const name = sent.toLowerCase();
    if (!singleHeaders.has(name)) continue;
    if (seen.includes(name)) throw malformed(`The header "${name}" was sent more than once.`);
    seen.push(name);
  }
};

/** `uri-host [ ":" port ]`, or an empty text (RFC 9112 §3.2, RFC 3986 §3.2.2). */
const hostPattern = /^(?:[\w.~!$&'()*+,;=%-]*|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i;

/** Links begin with the base URL, so the host is not used. An invalid one is refused all the same. */
const refuseInvalidHost = (host: string | undefined): void => {
  if (host !== undefined && !hostPattern.test(host)) throw malformed('The header "host" is not valid.');
};

/** Only HTTP/1.0 may leave it out (RFC 9112 §3.2). Node's own refusal has no body. */
const refuseMissingHost = ({ headers, httpVersion }: IncomingMessage): void => {
  if (headers.host === undefined && httpVersion === '1.1') throw malformed('The header "host" is missing.');
};

/** Node undoes only `chunked`: bytes under another coding would be stored as they come. Its parser refuses a body without an end. */
const refuseTransferCoding = (coding: string | undefined): void => {
  if (coding === undefined || !/,\s*chunked$/i.test(coding)) return;
  throw new Problem(415, `The transfer coding "${coding.slice(0, 100)}" is not supported.`);
};

/** The path and query of a target, which may be in absolute form (RFC 9112 §3.2.2). Throws 400 for an invalid host. */
const pathAndQuery = (target: string): string => {
  if (target.startsWith('/')) return target;
  const [origin, host] = /^https?:\/\/([^/?#]*)/i.exec(target) ?? [];
  if (origin === undefined || host === undefined) return target;
  if (host === '' || !hostPattern.test(host)) throw malformed('The address has no valid host.');
  const rest = target.slice(origin.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
};

type WriteOptions = {
  /** The common headers of every answer. */
  readonly commonHeaders: HeaderValues;
  /** See `unread-answer.ts`. */
  readonly readerIdleMs: number;
};

/** From this many characters a text is written in a turn of the event loop of its own. */
const longText = 128 * 1024;

/** Writes a reply. A HEAD gets every header and no body. */
export const writeReply = async (
  request: IncomingMessage,
  response: ServerResponse,
  reply: PlainReply,
  { commonHeaders, readerIdleMs }: WriteOptions,
): Promise<void> => {
  const { body, status } = reply;
  const isUnread = hasBody(request.headers) && hasUnreadBody(request);
  const head = rawHeaders(reply, commonHeaders);
  if (isUnread) {
    head.push('Connection', 'close');
    keepSocketForReply(request);
  }
  // Without a length the client would wait for the end of the connection.
  if (body === undefined && status !== 204 && status !== 304 && !hasLength(reply)) head.push('Content-Length', '0');
  if (typeof body === 'object') endWhenUnread(request, response, readerIdleMs);
  if (reply.transmissionFault !== undefined) {
    const faulty = { body, startWriting: () => startWriting(response, status, head) };
    await writeFaultyReply(request, response, faulty, reply.transmissionFault);
    if (isUnread) discardRest(request);
    return;
  }
  // The system needs milliseconds to take it over. Other requests are read before the next one.
  if (typeof body === 'string' && body.length > longText) await nextTurn();
  startWriting(response, status, head);
  const isHead = request.method === 'HEAD';
  if (isHead && typeof body === 'object') discardStream(body.stream);
  if (typeof body === 'object' && !isHead)
    await pipeline(Readable.from(chunksOf(body.stream), { objectMode: false }), response).catch(ignoreDisconnect);
  else response.end(isHead || typeof body === 'object' ? undefined : written(status, body));
  // Nearly every text is with the system at once, and needs no timer.
  if (typeof body === 'string' && request.socket.writableLength > 0) endWhenUnread(request, response, readerIdleMs);
  if (isUnread) discardRest(request);
};

/** The answer to HEAD has the length of what GET sends. */
const hasLength = ({ headers }: PlainReply): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'content-length');

/** Node writes headers that go with a text as UTF-8, and the name of a site in a challenge is bytes already. */
const written = (status: number, body: string | undefined): string | Buffer | undefined =>
  status === 401 && body !== undefined ? Buffer.from(body) : body;

/**
 * Ignores a client that cancels a download, or closes its connection at the last byte. Bytes that are not the stored ones
 * have ended the connection, and the storage has reported them.
 */
const ignoreDisconnect = (error: unknown): void => {
  if (errorCode(error) !== 'ERR_STREAM_PREMATURE_CLOSE' && !isBytesChanged(error)) throw error;
};

/**
 * `head` holds names and values in turn. Express middleware may have set other headers before. Node then merges `head` by
 * name and would keep only the last of several lines, so those are set as lists.
 */
export const startWriting = (response: ServerResponse, status: number, head: readonly string[]): void => {
  if (response.getHeaderNames().length === 0) {
    response.writeHead(status, head as string[]); // Node does not change it
    return;
  }
  const lines = new Map<string, string[]>();
  for (let index = 0; index < head.length; index += 2) {
    const name = head[index] ?? '';
    lines.set(name, [...(lines.get(name) ?? []), head[index + 1] ?? '']);
  }
  for (const [name, values] of lines) response.setHeader(name, values.length === 1 ? (values[0] ?? '') : values);
  response.writeHead(status);
};

/** The header lines of cached replies, with the common headers that they contain. */
const cachedLines = new WeakMap<
  HeaderValues,
  { readonly commonHeaders: HeaderValues; readonly lines: readonly string[] }
>();

/** Names and values in turn, which Node writes fastest. The caller may add to the list. */
const rawHeaders = ({ headers, isReused }: PlainReply, commonHeaders: HeaderValues): string[] => {
  if (isReused !== true) return linesOf(headers, commonHeaders);
  const before = cachedLines.get(headers);
  if (before?.commonHeaders === commonHeaders) return before.lines.slice();
  const lines = linesOf(headers, commonHeaders);
  cachedLines.set(headers, { commonHeaders, lines });
  return lines.slice();
};

/** The reply's own headers replace common ones. Two loops, because merging the objects took longer than the rest. */
const linesOf = (headers: HeaderValues, commonHeaders: HeaderValues): string[] => {
  const lines: string[] = [];
  for (const name in commonHeaders) if (headers[name] === undefined) pushLines(lines, name, commonHeaders[name]);
  for (const name in headers) pushLines(lines, name, headers[name]);
  return lines;
};

const pushLines = (lines: string[], name: string, value: HeaderValues[string] = []): void => {
  if (typeof value === 'string') lines.push(name, value);
  else for (const one of value) lines.push(name, one);
};
