/** The last station of a reply in the engine: held to the document, told to who listens, its body written as text. */
import type { ContractViolation } from '../document/contract-violation.ts';
import type { Backend } from './backend.ts';
import {
  isSentBytes,
  type HeaderValues,
  type OutgoingReply,
  type PlainReply,
  type PlainRequest,
  type SentBytes,
} from './exchange.ts';
import type { Operation } from '../document/operation.ts';
import { messageReply } from './text-reply.ts';

/** What happens to a reply that the document does not allow. `fail` turns it into a 500 that names the fault. */
export type ReplyChecks = 'off' | 'log' | 'fail';

/** What the engine tells its owner: for logs, coverage, traffic. */
export type EngineEvent =
  | {
      readonly kind: 'answered';
      readonly operation: string;
      readonly status: number;
    }
  | {
      readonly kind: 'reply-breaks-contract';
      readonly operation: string;
      readonly status: number;
      readonly faults: readonly ContractViolation[];
    }
  | { readonly kind: 'lenient-body'; readonly operation: string; readonly faults: readonly ContractViolation[] }
  | { readonly kind: 'failed'; readonly operation: string | undefined; readonly error: unknown };

export type FinishOptions = {
  readonly backend: Backend;
  readonly checkReplies: ReplyChecks;
  readonly onEvent: (event: EngineEvent) => void;
};

/** Checks a reply against the document, tells who listens, and writes its body as text. */
export const finish = (
  options: FinishOptions,
  operation: Operation | undefined,
  request: PlainRequest,
  reply: OutgoingReply,
): PlainReply => {
  const { status, mediaType, body } = reply;
  const text = textOf(body, mediaType);
  const length = text === undefined ? undefined : lengthOf(text);
  const headers: HeaderValues = {
    ...reply.headers,
    ...(mediaType === undefined ? {} : { 'Content-Type': isSentBytes(body) ? mediaType : withCharset(mediaType) }),
    ...(length === undefined ? {} : { 'Content-Length': String(length) }),
  };
  if (operation === undefined) return { status, headers, body: text };
  const judged = tellAnswered(options, operation, request, status);
  if (options.checkReplies === 'fail') {
    const faults = faultsOf(options, judged, reply, headers);
    if (faults.length > 0) {
      if (request.observations !== undefined) request.observations.replyViolations = faults;
      options.onEvent({ kind: 'reply-breaks-contract', operation: judged.id, status, faults });
      if (isSentBytes(body)) body.stream.destroy();
      return brokenReply(judged, status, faults);
    }
  }
  // What is only logged keeps nobody waiting, least of all the first reply of an operation, whose schemas are still to be compiled.
  if (options.checkReplies === 'log') setImmediate(() => logFaults(options, judged, request, reply, headers));
  return { status, headers, body: text };
};

const logFaults = (
  options: FinishOptions,
  operation: Operation,
  { observations: findings }: PlainRequest,
  reply: OutgoingReply,
  headers: HeaderValues,
): void => {
  try {
    const faults = faultsOf(options, operation, reply, headers);
    if (faults.length === 0) return;
    if (findings !== undefined) findings.replyViolations = faults;
    options.onEvent({ kind: 'reply-breaks-contract', operation: operation.id, status: reply.status, faults });
  } catch (error) {
    options.onEvent({ kind: 'failed', operation: operation.id, error });
  }
};

/** Tells that an operation has been answered; the result is the operation that the document means by the request. */
export const tellAnswered = (
  { backend, onEvent }: FinishOptions,
  operation: Operation,
  { method, observations: findings }: PlainRequest,
  status: number,
): Operation => {
  // HEAD has an operation of its own in the document, though no handler (house 1.6).
  const meant = method === 'HEAD' ? (backend.headOf(operation) ?? operation) : operation;
  if (findings !== undefined) findings.operation = meant;
  onEvent({ kind: 'answered', operation: meant.id, status });
  return meant;
};

/** A text is sent as it is, but where JSON is promised it is a value like any other: a proposal may answer with one. */
const textOf = (body: OutgoingReply['body'], mediaType: string | undefined): PlainReply['body'] => {
  if (body === undefined || isSentBytes(body)) return body;
  return typeof body === 'string' && !/[/+]json$/.test(mediaType ?? '') ? body : JSON.stringify(body);
};

/** Texts of our own say their charset, JSON does not, stored bytes are what their record says (recordings: "status", "session token"; R 1.1). */
const withCharset = (mediaType: string): string =>
  mediaType === 'text/plain' ? 'text/plain; charset=UTF-8' : mediaType;

const lengthOf = (body: string | SentBytes): number | undefined =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.length;

const faultsOf = (
  options: FinishOptions,
  operation: Operation,
  reply: OutgoingReply,
  headers: HeaderValues,
): readonly ContractViolation[] =>
  options.backend.replyViolations(operation, {
    status: reply.status,
    mediaType: reply.mediaType,
    headers,
    body: isSentBytes(reply.body) ? undefined : reply.body,
  });

const brokenReply = (operation: Operation, status: number, faults: readonly ContractViolation[]): PlainReply => {
  const where = faults.map(({ pointer, message }) => `${pointer} ${message}`).join('; ');
  const message = `The ${status} of ${operation.id} breaks the contract: ${where}`;
  return messageReply(500, message);
};
