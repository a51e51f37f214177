/** Defines the plain requests that a host gives to the engines of its applications, and the plain replies that they return, independent of any server. */
import type { ArrivingBody, EngineReply, EngineRequest, SentBytes } from '../exchange.ts';
import type { RequestObservations } from './observations.ts';

/** A body while it arrives, or all of it at once. */
export type RequestBody = ArrivingBody & {
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

/** Its `path` is without the prefix of the world. */
export type PlainRequest = EngineRequest & {
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

/** A reply ready to be written, `Content-Length` included where there is a body. */
export type PlainReply = EngineReply & {
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

export const isSentBytes = (body: unknown): body is SentBytes =>
  typeof body === 'object' && body !== null && 'stream' in body && 'length' in body;

/** A reply with a JSON body. */
export const jsonReply = <const Body, const Status extends 200 | 201 = 200>(body: Body, status = 200 as Status) =>
  ({ status, mediaType: 'application/json', body }) as const;
