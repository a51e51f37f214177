/** Defines the types of the plain requests and replies that the engine takes and returns, independent of any server. */
import type { RequestObservations } from './observations.ts';
import type { AnyReply, AnyRequest, FileBody } from './handler.ts';
import type { Operation } from '../document/operation.ts';
import type { Problem } from '../../openapi/openapi-terms.ts';

/** A body while it arrives. */
export type RequestBody = AsyncIterable<Uint8Array> & {
  /**
   * Takes the whole body where all of it has arrived, as that of a short JSON text nearly always has. Undefined otherwise, and
   * then the body is iterated. Nothing else may have read the body.
   */
  readonly takeWhole?: () => Uint8Array | undefined;
};

/** The body of a request without one. */
export const emptyBody: RequestBody = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
};

/** Reads a body to its end, for those who observe it. */
export const readToEnd = async (body: RequestBody): Promise<void> => {
  if (body.takeWhole?.() !== undefined) return;
  const pieces = body[Symbol.asyncIterator]();
  while ((await pieces.next()).done !== true);
};

export type PlainRequest = {
  /** Upper case. */
  readonly method: string;
  /** The undecoded path, without the query and the world's prefix. */
  readonly path: string;
  /** The undecoded text after the question mark; empty when there is none. */
  readonly query: string;
  /** Names in lower case; values with one character for each byte, as Node decodes them. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: RequestBody;
  readonly address: string;
  /** The same object for all requests of a connection; undefined for a request without a connection. */
  readonly connection?: object | undefined;
  /** What is observed of it. Only requests of clients have it. */
  readonly observations?: RequestObservations | undefined;
};

/** Whether a request announces a body, by its length or its transfer coding (RFC 9112 §6.3). */
export const hasBody = (headers: {
  readonly 'content-length'?: string | undefined;
  readonly 'transfer-encoding'?: string | undefined;
}): boolean => headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;

/** Whether a request only reads (RFC 9110 §9.2.1). */
export const isRead = ({ method }: Pick<PlainRequest, 'method'>): boolean => method === 'GET' || method === 'HEAD';

/** `length` bytes to send; undefined for events, which go on until the client disconnects. The stream is to be read or cancelled. */
type SentBytes = { readonly stream: ReadableStream<Uint8Array>; readonly length: number | undefined };

export type HeaderValues = Readonly<Record<string, string | readonly string[]>>;

/** A reply ready to be written, `Content-Length` included where there is a body. */
export type PlainReply = {
  readonly status: number;
  readonly headers: HeaderValues;
  readonly body: string | SentBytes | undefined;
  /** The reply comes from the reply cache. The same object answers many requests, so `http` caches its header lines. */
  readonly isReused?: boolean;
  /** A fault on demand that is applied while the reply is sent. */
  readonly transmissionFault?: TransmissionFault;
};

/**
 * A fault in sending a reply. `reset`: the connection ends before a byte is sent. `cut`: the head promises the whole body,
 * and the connection ends after `afterBytes` of it (half by default). `trickle`: the body is sent at `bytesPerSecond`.
 */
export type TransmissionFault =
  | { readonly kind: 'reset' }
  | { readonly kind: 'cut'; readonly afterBytes?: number | undefined }
  | { readonly kind: 'trickle'; readonly bytesPerSecond: number };

/** The request of a reply, for response middleware. */
export type Exchange = {
  readonly operation: Operation;
  readonly request: AnyRequest;
  /** May be `HEAD` where the operation is a GET. */
  readonly method: string;
};

/** A handler's reply on its way through middleware. A body of bytes is a `FileBody` until middleware opens it as a stream. */
export type OutgoingReply = Omit<AnyReply, 'body'> & {
  /** The handler of a proposed operation may answer the JSON value null. */
  readonly body?: AnyReply['body'] | SentBytes | null;
};

export const isFileBody = (body: unknown): body is FileBody =>
  typeof body === 'object' && body !== null && 'file' in body && 'scheme' in body && !('stream' in body);

export const isSentBytes = (body: unknown): body is SentBytes =>
  typeof body === 'object' && body !== null && 'stream' in body && 'length' in body;

/** A refusal as a reply with the single member `message`. */
export const problemReply = (
  problem: Problem,
  mediaType = 'application/json',
): OutgoingReply & { mediaType: string } => ({
  status: problem.status,
  headers: problem.headers,
  mediaType,
  body: { [problem.member]: problem.message },
});

/** A reply with a JSON body. */
export const jsonReply = <const Body, const Status extends 200 | 201 = 200>(body: Body, status = 200 as Status) =>
  ({ status, mediaType: 'application/json', body }) as const;
