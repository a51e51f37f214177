/** Defines an exchange with any server as it was on the wire: request, reply, and the kept part of their bodies. */

/** A header line as it was sent: the name in its own case, the value with one character for each byte. */
export type HeaderLine = readonly [name: string, value: string];

/** `kept` holds the first bytes, at most the limit of who read them. `isWhole` says whether that is all of them. */
export type WireBody = {
  readonly bytes: number;
  readonly kept: Uint8Array;
  readonly isWhole: boolean;
  /** Of all bytes, in hexadecimal digits. */
  readonly sha256: string;
};

/** The kept bytes as a text in UTF-8. */
export const keptText = ({ kept }: Pick<WireBody, 'kept'>): string =>
  Buffer.from(kept.buffer, kept.byteOffset, kept.byteLength).toString();

export type WireRequest = {
  /** Upper case. */
  readonly method: string;
  /** Path and query as they were sent, relative to the target's base URL. Begins with a slash. */
  readonly path: string;
  readonly headers: readonly HeaderLine[];
  readonly body: WireBody;
};

export type WireReply = {
  readonly status: number;
  /** The words after the status. */
  readonly reason: string;
  readonly headers: readonly HeaderLine[];
  readonly trailers: readonly HeaderLine[];
  readonly body: WireBody;
};

export type WireExchange = {
  /** When the request was sent, in milliseconds since 1970. */
  readonly at: number;
  /** Until the last byte of the reply. */
  readonly durationMs: number;
  /** The account whose credentials were sent. Undefined when none were, or when they are unknown. */
  readonly account: string | undefined;
  readonly request: WireRequest;
  readonly reply: WireReply;
};

/** The values of a header, by its name in lower case. */
export const headerValues = (headers: readonly HeaderLine[], name: string): string[] =>
  headers.filter(([own]) => own.toLowerCase() === name).map(([, value]) => value);

/** The only or first value of a header, by its name in lower case. */
export const headerValue = (headers: readonly HeaderLine[], name: string): string | undefined =>
  headerValues(headers, name)[0];
