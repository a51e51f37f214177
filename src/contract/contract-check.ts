/** Checks an exchange with any server against a document, in both directions. */
import { parsedJson } from '../basics/json.ts';
import { bareMediaType } from '../core/engine/negotiation.ts';
import type { DocumentObject } from '../openapi/openapi-terms.ts';
import type { Operation } from '../core/document/operation.ts';
import { createBackend, type Backend } from '../core/engine/backend.ts';
import {
  createPathRouter,
  operationFor,
  type PathMatch,
  type SourceLines,
  type Violation,
} from '../openapi/openapi-parts.ts';
import { type HostedOperation, emptyObservations, type RequestObservations } from '../openapi/openapi-host.ts';
import { explainReply, explainRequest } from './violations.ts';
import type { ContractJudge, ExplainedViolation } from './contract-judge.ts';
import type { RecordedExchange } from '../exchange/recorded-exchange.ts';
import { valueOf, type HeaderLine, type WireBody, type WireExchange } from '../exchange/wire-exchange.ts';

type ContractCheckOptions = {
  /** The document without references. */
  readonly document: DocumentObject;
  /** The base URL that traffic shows. */
  readonly baseUrl: string;
  /** The lines of the document that explanations name. */
  readonly lines?: SourceLines | undefined;
  /** Patterns that may take long: they look at a text for a bounded time. */
  readonly slowPatterns?: ReadonlySet<string> | undefined;
};

/** Empty lists: the exchange keeps the document. A body that was not kept whole is not judged. */
type ExchangeVerdict = {
  /** Undefined for a path or a method that the document does not have. */
  readonly operation: HostedOperation | undefined;
  readonly request: readonly ExplainedViolation[];
  readonly reply: readonly ExplainedViolation[];
};

export type ContractCheck = {
  readonly operations: readonly Operation[];
  readonly backend: Backend;
  /** The operation of a method and an undecoded path; of HEAD the one that the document has for HEAD, or else that of GET. */
  operationOf(method: string, path: string): Operation | undefined;
  /** The exchange as traffic, console and coverage take it. */
  recorded(exchange: WireExchange, id: number): RecordedExchange;
  check(exchange: WireExchange): ExchangeVerdict;
};

export const createContractCheck = ({
  document,
  baseUrl,
  lines,
  slowPatterns,
}: ContractCheckOptions): ContractCheck => {
  const backend = createBackend(document, [], slowPatterns);
  const router = createPathRouter(backend.operations);
  const find = (method: string, path: string) => {
    const match = router.match(path);
    const operation = operationFor(match, method);
    if (match === undefined || operation === undefined) return undefined;
    return { match, operation: method === 'HEAD' ? (backend.headOf(operation) ?? operation) : operation };
  };
  const recorded: ContractCheck['recorded'] = (exchange, id) => {
    const { path } = splitPath(exchange.request.path);
    const found = find(exchange.request.method, path);
    const read = readMessages(exchange);
    const observations = observe(exchange, found, { backend, read });
    return recordedFrom(exchange, { id, baseUrl, operation: found?.operation, observations, read });
  };
  return {
    operations: backend.operations,
    backend,
    operationOf: (method, path) => find(method, path)?.operation,
    recorded,
    check: (exchange) => {
      const seen = recorded(exchange, 1);
      const context = { lines, router, backend };
      return { operation: seen.operation, request: explainRequest(seen, context), reply: explainReply(seen, context) };
    },
  };
};

type Recording = Pick<RecordedExchange, 'id' | 'baseUrl' | 'operation' | 'observations'>;

const recordedFrom = (
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

const mediaTypeOf = (headers: readonly HeaderLine[]): string | undefined => {
  const contentType = valueOf(headers, 'content-type');
  return contentType === undefined ? undefined : bareMediaType(contentType);
};

const isJson = (mediaType: string | undefined): boolean => /[/+]json$/.test(mediaType ?? '');

/** The text of a body that is whole and is JSON or text. */
const recordedText = (body: WireBody, headers: readonly HeaderLine[]): string | undefined => {
  if (!body.isWhole || body.bytes === 0) return undefined;
  const mediaType = mediaTypeOf(headers);
  return isJson(mediaType) || /^text\//.test(mediaType ?? '') ? textOf(body) : undefined;
};

const textOf = ({ kept }: WireBody): string => Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength).toString();

/** What the check and the record both need of an exchange. */
type ReadMessages = ReturnType<typeof readMessages>;

const readMessages = ({ request, reply }: WireExchange) => ({
  requestHeaders: joinedValues(request.headers),
  requestText: recordedText(request.body, request.headers),
  replyHeaders: replyHeaders(reply.headers),
  replyText: recordedText(reply.body, reply.headers),
});

type Found = { readonly match: PathMatch<Operation>; readonly operation: Operation };

type Reading = { readonly backend: Backend; readonly read: ReadMessages };

const observe = (exchange: WireExchange, found: Found | undefined, reading: Reading): RequestObservations => {
  const observations = emptyObservations();
  if (found === undefined) return observations;
  const { operation } = found;
  observations.operation = operation;
  observations.requestViolations = requestViolations(exchange, found, reading);
  const accepted = exchange.reply.status < 400;
  observations.isLenient = accepted && observations.requestViolations.length > 0;
  observations.replyViolations = replyViolations(exchange, operation, reading);
  return observations;
};

const requestViolations = ({ request }: WireExchange, { match, operation }: Found, { backend, read }: Reading) => {
  const { query } = splitPath(request.path);
  const { violations } = backend.readParameters(operation, { path: match.pieces, query, headers: read.requestHeaders });
  return [...bodyViolations(request.body, operation, { backend, read }), ...violations];
};

const missingBody: Violation = { pointer: '/requestBody', message: 'is required' };

/** A body that was not kept whole, or is no JSON, has no value to judge. */
const bodyViolations = (body: WireBody, operation: Operation, { backend, read }: Reading): readonly Violation[] => {
  if (operation.body !== 'json' || !body.isWhole) return [];
  if (body.bytes === 0) return operation.isBodyOptional ? [] : [missingBody];
  const value = parsedJson(read.requestText ?? textOf(body));
  return value === undefined ? [] : backend.bodyViolations(operation, value);
};

const replyViolations = ({ request, reply }: WireExchange, operation: Operation, { backend, read }: Reading) => {
  // A cut body is not a violation of the document, and neither is an answer to a condition (RFC 9110 §15.4.5).
  if (reply.status === 304 && !operation.responses.has(304)) return [];
  const mediaType = mediaTypeOf(reply.headers);
  const hasBody = request.method !== 'HEAD' && reply.body.bytes > 0;
  const violations = backend.replyViolations(operation, {
    status: reply.status,
    mediaType: hasBody ? mediaType : operation.method === 'HEAD' || request.method !== 'HEAD' ? undefined : mediaType,
    headers: read.replyHeaders,
    body: hasBody ? replyValue(reply.body, mediaType, read.replyText) : undefined,
  });
  const isJudged = reply.body.isWhole && request.method !== 'HEAD';
  return isJudged ? violations : violations.filter(({ pointer }) => /^\/(status|headers)/.test(pointer));
};

/** A body that says it is JSON and is none is given as its text, which no schema of an object takes. */
const replyValue = (body: WireBody, mediaType: string | undefined, text: string | undefined): unknown => {
  if (!isJson(mediaType)) return /^text\//.test(mediaType ?? '') ? (text ?? textOf(body)) : undefined;
  const json = text ?? textOf(body);
  const value = parsedJson(json);
  return value === undefined ? json : value;
};
