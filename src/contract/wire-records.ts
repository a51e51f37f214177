/** Makes records of exchanges with any server, as traffic, console and coverage take them. */
import { bareMediaType, isJsonType } from '../openapi/openapi-terms.ts';
import { emptyObservations } from '../openapi/openapi-host.ts';
import type { ContractJudge } from './contract-judge.ts';
import {
  type RecordedExchange,
  headerValue,
  type HeaderLine,
  type WireBody,
  type WireExchange,
} from '../exchange/exchange.ts';

type Recording = Pick<RecordedExchange, 'id' | 'baseUrl' | 'operation' | 'observations'>;

/** The exchange as traffic, console and coverage take it. */
export const recordedFrom = (
  { at, durationMs, request, reply }: WireExchange,
  { read, ...known }: Recording & { readonly read: ReadMessages },
): RecordedExchange => ({
  ...{ ...known, world: 'main', at, durationMs },
  ...{ method: request.method, ...splitPath(request.path), headers: read.requestHeaders },
  requestBody: { bytes: request.body.bytes, text: read.requestText },
  status: reply.status,
  replyHeaders: read.replyHeaders,
  replyBody: { bytes: reply.body.bytes, text: read.replyText },
  ...{ isReused: false, transmissionFault: undefined },
});

/** An exchange for an operation of a document of one's own. Without one nothing is known of it. */
export const recordedBy = async (
  exchange: WireExchange,
  {
    baseUrl,
    operation,
    judge,
  }: Pick<Recording, 'baseUrl' | 'operation'> & { readonly judge?: ContractJudge | undefined },
): Promise<RecordedExchange> => {
  const observations = emptyObservations();
  if (operation !== undefined && judge !== undefined) {
    const { request, reply } = await judge.check(exchange);
    observations.operation = operation;
    observations.requestViolations = request;
    observations.isLenient = exchange.reply.status < 400 && request.length > 0;
    observations.replyViolations = reply;
  }
  return recordedFrom(exchange, { id: 0, baseUrl, operation, observations, read: readMessages(exchange) });
};

export const splitPath = (address: string): { readonly path: string; readonly query: string } => {
  const mark = address.indexOf('?');
  return mark < 0 ? { path: address, query: '' } : { path: address.slice(0, mark), query: address.slice(mark + 1) };
};

/** The values of each header by its name in lower case, with `, ` between several (RFC 9110 §5.3). */
export const joinedValues = (headers: readonly HeaderLine[]): Record<string, string> => {
  const values: Record<string, string> = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    const before = values[key];
    values[key] = before === undefined ? value : `${before}${key === 'cookie' ? '; ' : ', '}${value}`;
  }
  return values;
};

/** The most spellings of names to remember. */
const mostNames = 1000;
const canonicalNames = new Map<string, string>();

/** Names as the document writes them: `Content-Type`. */
const canonical = (name: string): string => {
  const known = canonicalNames.get(name);
  if (known !== undefined) return known;
  const written = name
    .toLowerCase()
    .replace(/(^|-)([a-z])/g, (_all, dash: string, letter: string) => dash + letter.toUpperCase());
  if (canonicalNames.size < mostNames) canonicalNames.set(name, written);
  return written;
};

export const replyHeaders = (headers: readonly HeaderLine[]): Record<string, string | string[]> => {
  const values: Record<string, string | string[]> = {};
  for (const [name, value] of headers) {
    const key = canonical(name);
    const before = values[key];
    values[key] = before === undefined ? value : [before, value].flat();
  }
  return values;
};

/** That of the headers, without parameters. */
export const mediaTypeOf = (headers: readonly HeaderLine[]): string | undefined => {
  const contentType = headerValue(headers, 'content-type');
  return contentType === undefined ? undefined : bareMediaType(contentType);
};

/** The text of a body that is whole and is JSON or text. */
const recordedText = (body: WireBody, headers: readonly HeaderLine[]): string | undefined => {
  if (!body.isWhole || body.bytes === 0) return undefined;
  const mediaType = mediaTypeOf(headers);
  return isJsonType(mediaType ?? '') || /^text\//.test(mediaType ?? '') ? bodyText(body) : undefined;
};

/** The bytes as text. */
export const bodyText = ({ kept }: WireBody): string =>
  Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength).toString();

/** What the check and the record both need of an exchange. */
export type ReadMessages = ReturnType<typeof readMessages>;

/** The headers and texts of both messages. */
export const readMessages = ({ request, reply }: WireExchange) => ({
  requestHeaders: joinedValues(request.headers),
  requestText: recordedText(request.body, request.headers),
  replyHeaders: replyHeaders(reply.headers),
  replyText: recordedText(reply.body, reply.headers),
});
