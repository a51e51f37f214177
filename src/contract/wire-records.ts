/** Makes records of exchanges with any server, as traffic, console and coverage take them. */
import {
  keptText,
  type RecordedExchange,
  headerValue,
  type HeaderLine,
  type WireBody,
  type WireExchange,
} from '../exchange/exchange.ts';
import { bareMediaType, isJsonType } from '../openapi/openapi-terms.ts';
import { emptyObservations } from '../openapi/openapi-host.ts';
import type { ContractJudge } from './contract-judge.ts';

type Judged = Pick<RecordedExchange, 'operation' | 'observations'>;

type Recording = Pick<RecordedExchange, 'id' | 'baseUrl'> & {
  /** Says which operation the request is for, and what the document does not allow. */
  readonly judge: (read: ReadMessages) => Judged;
};

/** The exchange as traffic, console and coverage take it. */
export const recordedFrom = (exchange: WireExchange, { id, baseUrl, judge }: Recording): RecordedExchange => {
  const { at, durationMs, request, reply } = exchange;
  const read = readMessages(exchange);
  return {
    ...{ ...judge(read), id, baseUrl, world: 'main', at, durationMs },
    ...{ method: request.method, path: read.path, query: read.query, headers: read.requestHeaders },
    requestBody: { bytes: request.body.bytes, text: read.requestText },
    status: reply.status,
    replyHeaders: read.replyHeaders,
    replyBody: { bytes: reply.body.bytes, text: read.replyText },
    ...{ isReused: false, transmissionFault: undefined },
  };
};

type RecordedExchangeOf = Pick<RecordedExchange, 'baseUrl' | 'operation'> & {
  readonly judge: ContractJudge | undefined;
};

/** An exchange for an operation of a document of one's own. Without one nothing is known of it. */
export const recordedBy = async (
  exchange: WireExchange,
  { baseUrl, operation, judge }: RecordedExchangeOf,
): Promise<RecordedExchange> => {
  const observations = emptyObservations();
  if (operation !== undefined && judge !== undefined) {
    const { request, reply } = await judge.check(exchange);
    observations.operation = operation;
    observations.requestViolations = request;
    observations.isLenient = exchange.reply.status < 400 && request.length > 0;
    observations.replyViolations = reply;
  }
  return recordedFrom(exchange, { id: 0, baseUrl, judge: () => ({ operation, observations }) });
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

/** The headers of a reply by the names that documents write: `Content-Type`. */
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
const mediaTypeOf = (headers: readonly HeaderLine[]): string | undefined => {
  const contentType = headerValue(headers, 'content-type');
  return contentType === undefined ? undefined : bareMediaType(contentType);
};

/** The text of a body that is whole and is JSON or text. */
const recordedText = (body: WireBody, headers: readonly HeaderLine[]): string | undefined => {
  if (!body.isWhole || body.bytes === 0) return undefined;
  const mediaType = mediaTypeOf(headers);
  return isJsonType(mediaType ?? '') || /^text\//.test(mediaType ?? '') ? keptText(body) : undefined;
};

/** An exchange as a document judges it: the path and the query, headers by their names, and bodies that are texts. */
export type ReadMessages = ReturnType<typeof readMessages>;

const readMessages = ({ request, reply }: WireExchange) => ({
  ...splitPath(request.path),
  requestHeaders: joinedValues(request.headers),
  requestText: recordedText(request.body, request.headers),
  /** Without parameters. */
  replyType: mediaTypeOf(reply.headers),
  replyHeaders: replyHeaders(reply.headers),
  replyText: recordedText(reply.body, reply.headers),
});
