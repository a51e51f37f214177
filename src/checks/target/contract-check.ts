/** Checks an exchange with any server against a document, in both directions. */
import { keptText, type RecordedExchange, type WireBody, type WireExchange } from '../../exchange/exchange.ts';
import {
  recordedFrom,
  type ReadMessages,
  explainReply,
  explainRequest,
  type ExplainedViolation,
} from '../../contract/contract.ts';
import { parsedJson } from '../../basics/json.ts';
import {
  createPathRouter,
  operationFor,
  type PathMatch,
  type SourceLines,
  type Violation,
} from '../../openapi/openapi-parts.ts';
import { type DocumentObject, isJsonType } from '../../openapi/openapi-terms.ts';
import { type Operation, createBackend, type Backend } from '../../repository/repository-engine.ts';
import { type HostedOperation, emptyObservations, type RequestObservations } from '../../openapi/openapi-host.ts';

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
  const recorded: ContractCheck['recorded'] = (exchange, id) =>
    recordedFrom(exchange, {
      ...{ id, baseUrl },
      judge: (read) => {
        const found = find(exchange.request.method, read.path);
        return { operation: found?.operation, observations: observe(exchange, found, { backend, read }) };
      },
    });
  return {
    operations: backend.operations,
    backend,
    operationOf: (method, path) => find(method, path)?.operation,
    recorded,
    check: (exchange) => {
      const seen = recorded(exchange, 1);
      const context = { lines, router };
      return { operation: seen.operation, request: explainRequest(seen, context), reply: explainReply(seen, context) };
    },
  };
};

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
  const { query, requestHeaders: headers } = read;
  const { violations } = backend.readParameters(operation, { path: match.pieces, query, headers });
  return [...bodyViolations(request.body, operation, { backend, read }), ...violations];
};

const missingBody: Violation = { pointer: '/requestBody', message: 'is required' };

/** A body that was not kept whole, or is no JSON, has no value to judge. */
const bodyViolations = (body: WireBody, operation: Operation, { backend, read }: Reading): readonly Violation[] => {
  if (operation.body !== 'json' || !body.isWhole) return [];
  if (body.bytes === 0) return operation.isBodyOptional ? [] : [missingBody];
  const value = parsedJson(read.requestText ?? keptText(body));
  return value === undefined ? [] : backend.bodyViolations(operation, value);
};

const replyViolations = ({ request, reply }: WireExchange, operation: Operation, { backend, read }: Reading) => {
  // A cut body is not a violation of the document, and neither is an answer to a condition (RFC 9110 §15.4.5).
  if (reply.status === 304 && !operation.responses.has(304)) return [];
  const mediaType = read.replyType;
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
  if (!isJsonType(mediaType ?? '')) return /^text\//.test(mediaType ?? '') ? (text ?? keptText(body)) : undefined;
  const json = text ?? keptText(body);
  const value = parsedJson(json);
  return value === undefined ? json : value;
};
