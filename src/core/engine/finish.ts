/** Finishes a reply: checks it against the document, reports it, writes its body as text. It is the last station of the engine. */
import type { ContractViolation } from '../document/contract-violation.ts';
import type { Backend } from './backend.ts';
import { isSentBytes, type HeaderValues, type OutgoingReply, type PlainReply, type PlainRequest } from './exchange.ts';
import type { Operation } from '../document/operation.ts';
import type { RequestObservations } from './observations.ts';
import { messageReply } from './text-reply.ts';

/** What happens to a reply that violates the document. `fail` turns it into a 500 that names the violations. */
export type ReplyChecks = 'off' | 'log' | 'fail';

/** Which request an event concerns: its world, and its place in the trace of its client. */
export type LogContext = Readonly<Pick<RequestObservations, 'world' | 'trace'>>;

export const logContextOf = (observations: RequestObservations | undefined): LogContext | undefined =>
  observations && { world: observations.world, trace: observations.trace };

/** An event of the engine, for logs. */
export type EngineEvent = { readonly logContext?: LogContext | undefined } & EventOfKind;

type EventOfKind =
  | { readonly kind: 'answered'; readonly operation: string; readonly status: number }
  | {
      readonly kind: 'reply-breaks-contract';
      readonly operation: string;
      readonly status: number;
      readonly faults: readonly ContractViolation[];
    }
  | { readonly kind: 'lenient-body'; readonly operation: string; readonly faults: readonly ContractViolation[] }
  | {
      /** Any other answer from 500 on that no fault on demand and no mock has made. */
      readonly kind: 'answered-with-failure';
      readonly operation: string | undefined;
      readonly status: number;
      /** What the answer says to the client. */
      readonly message: string | undefined;
    }
  | {
      /** The server could not keep a write: 503 or 507. `cause` says why, if the answer does not. */
      readonly kind: 'write-refused';
      readonly operation: string | undefined;
      readonly status: number;
      readonly message: string;
      readonly cause: unknown;
    }
  | {
      /** A command of the control interface that changes something, done or refused. */
      readonly kind: 'commanded';
      readonly operation: string;
      readonly status: number;
      /** The name of the control token, `--control-token` for the server's own, `loopback` without one, or `anonymous`. */
      readonly who: string;
      /** The world on which it acted. */
      readonly world: string;
      /** The real time, as ISO 8601. */
      readonly at: string;
      /** From the request's `traceparent`. */
      readonly traceId?: string;
    }
  | { readonly kind: 'failed'; readonly operation: string | undefined; readonly error: unknown };

export type FinishOptions = {
  readonly backend: Backend;
  /** Headers of every reply that does not have them already. An empty list leaves one out. */
  readonly headers?: HeaderValues | undefined;
  readonly checkReplies: ReplyChecks;
  readonly onEvent: (event: EngineEvent) => void;
  /** Whether each answer is an event, too. Default: true. */
  readonly areAnswersHeard?: boolean | undefined;
};

/** Checks a reply against the document, reports it, and writes its body as text. */
export const finish = (
  options: FinishOptions,
  operation: Operation | undefined,
  request: PlainRequest,
  reply: OutgoingReply,
): PlainReply => {
  const { status, mediaType, body } = reply;
  const text = textOf(body, mediaType);
  const length = typeof text === 'string' ? Buffer.byteLength(text) : text?.length;
  const headers: HeaderValues = {
    ...options.headers,
    ...reply.headers,
    ...(mediaType === undefined ? {} : { 'Content-Type': reply.headers?.['Content-Type'] ?? typeOf(body, mediaType) }),
    ...(length === undefined ? {} : { 'Content-Length': String(length) }),
  };
  if (operation === undefined) return { status, headers, body: text };
  const documented = reportAnswered(options, operation, request, status);
  if (options.checkReplies === 'fail') {
    const violations = reportViolations(options, documented, request, reply, headers);
    if (violations.length > 0) {
      if (isSentBytes(body)) body.stream.destroy();
      return violationReply(documented, status, violations);
    }
  }
  // A check for the log runs after the reply is sent. The first one of an operation compiles its schemas, which is slow.
  if (options.checkReplies === 'log') setImmediate(() => logViolations(options, documented, request, reply, headers));
  return { status, headers, body: text };
};

/** Finishes a 200 whose JSON text and headers have been checked. */
export const finishText = (
  options: FinishOptions,
  operation: Operation,
  request: PlainRequest,
  { headers, text }: { readonly headers: HeaderValues; readonly text: string },
): PlainReply => {
  reportAnswered(options, operation, request, 200);
  return { status: 200, headers, body: text };
};

const logViolations = (...parameters: Parameters<typeof reportViolations>): void => {
  const [{ onEvent }, { id }, { observations }] = parameters;
  try {
    reportViolations(...parameters);
  } catch (error) {
    onEvent({ kind: 'failed', operation: id, error, logContext: logContextOf(observations) });
  }
};

/** Finds the violations of a reply, and reports them if there are any. */
const reportViolations = (
  { backend, onEvent }: FinishOptions,
  operation: Operation,
  { observations }: PlainRequest,
  { status, mediaType, body }: OutgoingReply,
  headers: HeaderValues,
): readonly ContractViolation[] => {
  const sent = { status, mediaType, headers, body: isSentBytes(body) ? undefined : body };
  const violations = backend.replyViolations(operation, sent);
  if (violations.length === 0) return violations;
  if (observations !== undefined) {
    observations.replyViolations = violations;
    observations.isReported = true;
  }
  const { id } = operation;
  onEvent({
    kind: 'reply-breaks-contract',
    operation: id,
    status,
    faults: violations,
    logContext: logContextOf(observations),
  });
  return violations;
};

/** Reports the answer of an operation. Returns the operation that the document has for the method: for HEAD not that of GET. */
export const reportAnswered = (
  { backend, onEvent, areAnswersHeard }: FinishOptions,
  operation: Operation,
  { method, observations }: PlainRequest,
  status: number,
): Operation => {
  // The handler of a GET answers HEAD too, but the document has an operation for each method.
  const documented = method === 'HEAD' ? (backend.headOf(operation) ?? operation) : operation;
  if (observations !== undefined) observations.operation = documented;
  if (areAnswersHeard !== false)
    onEvent({ kind: 'answered', operation: documented.id, status, logContext: logContextOf(observations) });
  return documented;
};

/** A text is sent unchanged. With a JSON media type it is a JSON value, as the handler of a proposed operation may answer. */
const textOf = (body: OutgoingReply['body'], mediaType: string | undefined): PlainReply['body'] => {
  if (body === undefined || isSentBytes(body)) return body;
  return typeof body === 'string' && !/[/+]json$/.test(mediaType ?? '') ? body : JSON.stringify(body);
};

const typeOf = (body: OutgoingReply['body'], mediaType: string): string =>
  isSentBytes(body) ? mediaType : withCharset(mediaType);

/** The real site adds a charset to texts and pages and none to JSON. Stored bytes have the media type of their record. */
const withCharset = (mediaType: string): string =>
  mediaType === 'text/plain' || mediaType === 'text/html' ? `${mediaType}; charset=UTF-8` : mediaType;

const violationReply = (operation: Operation, status: number, violations: readonly ContractViolation[]): PlainReply => {
  const where = violations.map(({ pointer, message }) => `${pointer} ${message}`).join('; ');
  const message = `The ${status} of ${operation.id} breaks the contract: ${where}`;
  return messageReply(500, message);
};
