/** The plain forms of a request and a reply, without any server's types: what the engine takes and gives. */
import type { Readable } from 'node:stream';
import type { Problem } from '../problem.ts';
import type { RequestObservations } from './observations.ts';
import type { AnyReply, AnyRequest, SentFile } from './handler.ts';
import type { Operation } from '../document/operation.ts';

/** A request as it arrives. */
export type PlainRequest = {
  /** Upper case. */
  readonly method: string;
  /** Path as it came, undecoded, without the query and without the world's prefix. */
  readonly path: string;
  /** After the question mark, undecoded; empty when there is none. */
  readonly query: string;
  /** Names in lower case; text one character a byte, as Node gives it. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
  readonly address: string;
  /** The same object for all requests of a connection; undefined for a request that came without one. */
  readonly connection?: object | undefined;
  /** Where the engine notes what it finds out; only for requests that are watched. */
  readonly observations?: RequestObservations;
};

/** Whether a request asks to be shown something and changes nothing (RFC 9110 §9.2.1). */
export const isRead = ({ method }: PlainRequest): boolean => method === 'GET' || method === 'HEAD';

/**
 * Bytes to send, `length` of them; undefined for events that go on until the client leaves. They are opened already:
 * sending cannot fail for want of them.
 */
export type SentBytes = { readonly stream: Readable; readonly length: number | undefined };

export type HeaderValues = Readonly<Record<string, string | readonly string[]>>;

/** A reply ready to be written, `Content-Length` included where there is a body. */
export type PlainReply = {
  readonly status: number;
  readonly headers: HeaderValues;
  readonly body: string | SentBytes | undefined;
  /** The very same object answers again and again: what is made of it is worth remembering. */
  readonly isReused?: boolean;
  /** What goes wrong while it is sent: a fault on demand. */
  readonly transmissionFault?: TransmissionFault;
};

/**
 * How the sending of a reply is spoiled. `reset`: the connection ends with nothing sent. `cut`: the head promises the whole
 * body, the connection ends after `afterBytes` of it (half, when left out). `trickle`: so many bytes a second and no more.
 */
export type TransmissionFault =
  | { readonly kind: 'reset' }
  | { readonly kind: 'cut'; readonly afterBytes?: number | undefined }
  | { readonly kind: 'trickle'; readonly bytesPerSecond: number };

/** What a reply on its way out is about: response middleware reads this. */
export type Exchange = {
  readonly operation: Operation;
  readonly request: AnyRequest;
  /** `HEAD` where the operation is a GET. */
  readonly method: string;
};

/** A reply between handler and writer: what the handler gave, with bytes still a name or already a stream. */
export type OutgoingReply = Omit<AnyReply, 'body'> & {
  /** Null as JSON has it: a proposal may answer so. */
  readonly body?: AnyReply['body'] | SentBytes | null;
};

export const isSentFile = (body: OutgoingReply['body']): body is SentFile =>
  typeof body === 'object' && body !== null && 'file' in body && 'scheme' in body && !('stream' in body);

export const isSentBytes = (body: OutgoingReply['body']): body is SentBytes =>
  typeof body === 'object' && body !== null && 'stream' in body && 'length' in body;

/** A refusal as a reply: one member `message`, in the media type of the request's format (decisions: Readings). */
export const problemReply = (
  problem: Problem,
  mediaType = 'application/json',
): OutgoingReply & { mediaType: string } => ({
  status: problem.status,
  headers: problem.headers,
  mediaType,
  body: { message: problem.message },
});
