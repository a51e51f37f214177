/** Finishes a reply: checks it against the document, reports it, writes its body as text. It is the last station of the engine. */
import { discardStream } from '../../basics/byte-streams.ts';
import type { Violation } from '../../openapi/openapi-parts.ts';
import type { Backend } from './backend.ts';
import {
  type EngineEvent,
  isSentBytes,
  logContextOf,
  type PlainReply,
  type PlainRequest,
  type HeaderValues,
  type ReplyChecks,
  messageReply,
} from '../../openapi/openapi-host.ts';
import type { OutgoingReply } from './exchange.ts';
import type { Operation } from '../document/operation.ts';
import { JsonBody } from '../representations/represent.ts';
import type { TextChecks } from './reply-checks.ts';
import type { Json } from '../../basics/json.ts';

export type FinishOptions = {
  readonly backend: Backend;
  /** Headers of every reply that does not have them already. An empty list leaves one out. */
  readonly headers?: HeaderValues | undefined;
  readonly checkReplies: ReplyChecks;
  readonly onEvent: (event: EngineEvent) => void;
  /** Whether each answer is an event, too. Default: true. */
  readonly areAnswersHeard?: boolean | undefined;
};

/** JSON that was checked while it was written. */
class CheckedText {
  readonly text: string;
  readonly checks: TextChecks;
  constructor(text: string, checks: TextChecks) {
    this.text = text;
    this.checks = checks;
  }
}

type WrittenReply = Omit<OutgoingReply, 'body'> & { readonly body?: OutgoingReply['body'] | CheckedText };

/** Writes the JSON of records: as text where it can be checked on the way, else as an object. It is a part of the read. */
export const write = (
  options: FinishOptions,
  operation: Operation,
  { method }: PlainRequest,
  reply: OutgoingReply,
): WrittenReply => {
  const { body, mediaType = '' } = reply;
  if (!(body instanceof JsonBody)) return reply;
  // The document says nothing of what a HEAD does not send.
  const isChecked =
    options.checkReplies !== 'off' && (method !== 'HEAD' || options.backend.headOf(operation) === undefined);
  const checks = isChecked ? options.backend.textChecks?.(operation, mediaType, body.shape) : unchecked;
  const text = checks && body.text(checks);
  return { ...reply, body: checks === undefined || text === undefined ? body.value() : new CheckedText(text, checks) };
};

const isAccepted = (): boolean => true;

const unchecked: TextChecks = { mayHave: isAccepted, checkOf: () => isAccepted, headersAreRight: isAccepted };

/** Checks a written reply against the document, reports it, and writes its body as text. */
export const finish = (
  options: FinishOptions,
  operation: Operation | undefined,
  request: PlainRequest,
  reply: WrittenReply,
): PlainReply => {
  const { status, mediaType } = reply;
  const body = reply.body instanceof JsonBody ? reply.body.value() : reply.body;
  const text = body instanceof CheckedText ? body.text : textOf(body, mediaType);
  const length = typeof text === 'string' ? Buffer.byteLength(text) : text?.length;
  const headers: HeaderValues = {
    ...options.headers,
    ...reply.headers,
    ...(mediaType === undefined ? {} : { 'Content-Type': reply.headers?.['Content-Type'] ?? typeOf(body, mediaType) }),
    ...(length === undefined ? {} : { 'Content-Length': String(length) }),
  };
  if (operation === undefined) return { status, headers, body: text };
  const documented = reportAnswered(options, operation, request, status);
  const isRight = body instanceof CheckedText && documented === operation && body.checks.headersAreRight(headers);
  if (options.checkReplies === 'off' || isRight) return { status, headers, body: text };
  const sent = {
    status,
    mediaType,
    headers,
    body: body instanceof CheckedText ? (JSON.parse(body.text) as Json) : body,
  };
  if (options.checkReplies === 'fail') {
    const violations = reportViolations(options, documented, request, sent);
    if (violations.length > 0) {
      if (isSentBytes(body)) discardStream(body.stream);
      return violationReply(documented, status, violations);
    }
  }
  // A check for the log runs after the reply is sent. The first one of an operation compiles its schemas, which is slow.
  if (options.checkReplies === 'log') setImmediate(() => logViolations(options, documented, request, sent));
  return { status, headers, body: text };
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
  { body, ...sent }: Parameters<Backend['replyViolations']>[1],
): readonly Violation[] => {
  const { status } = sent;
  const violations = backend.replyViolations(operation, { ...sent, body: isSentBytes(body) ? undefined : body });
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
const textOf = (body: Exclude<OutgoingReply['body'], JsonBody>, mediaType: string | undefined): PlainReply['body'] => {
  if (body === undefined || isSentBytes(body)) return body;
  return typeof body === 'string' && !/[/+]json$/.test(mediaType ?? '') ? body : JSON.stringify(body);
};

const typeOf = (body: WrittenReply['body'], mediaType: string): string =>
  isSentBytes(body) ? mediaType : withCharset(mediaType);

/** The real site adds a charset to texts and pages and none to JSON. Stored bytes have the media type of their record. */
const withCharset = (mediaType: string): string =>
  /^text\/(plain|html|xml)$/.test(mediaType) ? `${mediaType}; charset=UTF-8` : mediaType;

const violationReply = (operation: Operation, status: number, violations: readonly Violation[]): PlainReply => {
  const where = violations.map(({ pointer, message }) => `${pointer} ${message}`).join('; ');
  const message = `The ${status} of ${operation.id} breaks the contract: ${where}`;
  return messageReply(500, message);
};

/** Reports a body that was accepted although the document does not allow it. */
export const reportLenient = (
  options: Pick<FinishOptions, 'onEvent'>,
  { id }: Operation,
  { observations }: PlainRequest,
  faults: readonly Violation[],
): void => {
  if (faults.length === 0) return;
  options.onEvent({ kind: 'lenient-body', operation: id, faults, logContext: logContextOf(observations) });
};
