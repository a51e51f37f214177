/** The last station of a reply in the engine: held to the document, told to who listens, its body written as text. */
import type { Backend, Fault } from './backend.ts';
import {
  isSentBytes,
  type HeaderValues,
  type OutgoingReply,
  type PlainReply,
  type PlainRequest,
  type SentBytes,
} from './exchange.ts';
import type { Operation } from './operation.ts';

/** What happens to a reply that the document does not allow. `fail` turns it into a 500 that names the fault. */
export type ReplyChecks = 'off' | 'log' | 'fail';

/** What the engine tells its owner: for logs, coverage, traffic. */
export type EngineEvent =
  | {
      readonly kind: 'answered';
      readonly operation: string;
      readonly status: number;
      readonly mediaType: string | undefined;
    }
  | {
      readonly kind: 'reply-breaks-contract';
      readonly operation: string;
      readonly status: number;
      readonly faults: readonly Fault[];
    }
  | { readonly kind: 'lenient-body'; readonly operation: string; readonly faults: readonly Fault[] }
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
  const text = body === undefined || typeof body === 'string' || isSentBytes(body) ? body : JSON.stringify(body);
  const headers: HeaderValues = {
    ...reply.headers,
    ...(mediaType === undefined ? {} : { 'Content-Type': withCharset(mediaType) }),
    ...(text === undefined ? {} : { 'Content-Length': String(lengthOf(text)) }),
  };
  if (operation === undefined) return { status, headers, body: text };
  // HEAD has an operation of its own in the document, though no handler (house 1.6).
  const judged = request.method === 'HEAD' ? (options.backend.headOf(operation) ?? operation) : operation;
  options.onEvent({ kind: 'answered', operation: judged.id, status, mediaType });
  const faults = options.checkReplies === 'off' ? [] : faultsOf(options, judged, reply, headers);
  if (faults.length > 0) {
    options.onEvent({ kind: 'reply-breaks-contract', operation: judged.id, status, faults });
    if (options.checkReplies === 'fail') {
      if (isSentBytes(body)) body.stream.destroy();
      return brokenReply(judged, status, faults);
    }
  }
  return { status, headers, body: text };
};

/** Texts say their charset, JSON does not (recordings: "status", "session token"; R 1.1). */
const withCharset = (mediaType: string): string =>
  mediaType === 'text/plain' ? 'text/plain; charset=UTF-8' : mediaType;

const lengthOf = (body: string | SentBytes): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.length;

const faultsOf = (
  options: FinishOptions,
  operation: Operation,
  reply: OutgoingReply,
  headers: HeaderValues,
): readonly Fault[] =>
  options.backend.replyFaults(operation, {
    status: reply.status,
    mediaType: reply.mediaType,
    headers,
    body: isSentBytes(reply.body) ? undefined : reply.body,
  });

const brokenReply = (operation: Operation, status: number, faults: readonly Fault[]): PlainReply => {
  const where = faults.map(({ pointer, message }) => `${pointer} ${message}`).join('; ');
  const message = `The ${status} of ${operation.id} breaks the contract: ${where}`;
  const body = JSON.stringify({ message });
  return {
    status: 500,
    headers: { 'Content-Type': 'application/json', 'Content-Length': String(lengthOf(body)) },
    body,
  };
};
