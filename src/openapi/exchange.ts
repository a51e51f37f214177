/** Defines the requests and replies of the engine, independent of any server. */

/** A body while it arrives. */
export type ArrivingBody = AsyncIterable<Uint8Array>;

export type EngineRequest = {
  /** Upper case. */
  readonly method: string;
  /** The undecoded path, without the query. */
  readonly path: string;
  /** The undecoded text after the question mark; empty when there is none. */
  readonly query: string;
  /** Names in lower case; values with one character for each byte. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: ArrivingBody;
};

/** Path and query as they were sent. */
export const targetOf = ({ path, query }: Pick<EngineRequest, 'path' | 'query'>): string =>
  query === '' ? path : `${path}?${query}`;

export type HeaderValues = Readonly<Record<string, string | readonly string[]>>;

/** The only or first value of a header, by its name in lower case. */
export const headerNamed = (headers: HeaderValues, wanted: string): string | undefined => {
  const value = Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
  return typeof value === 'string' ? value : value?.[0];
};

/** One character for each byte, as headers have them, and no end of a line. */
export const headerLine = (text: string): string =>
  Buffer.from(text.replaceAll(/[\0-\x08\n-\x1f\x7f]+/g, ' '), 'utf8').toString('latin1');

/** `length` bytes, or undefined where the end is not known. The stream is to be read or cancelled. */
export type SentBytes = { readonly stream: ReadableStream<Uint8Array>; readonly length: number | undefined };

/** A reply ready to be written. */
export type EngineReply = {
  readonly status: number;
  readonly headers: HeaderValues;
  readonly body: string | SentBytes | undefined;
};
