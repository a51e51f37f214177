/** Answers requests of the fetch standard in this process: the same answers as over HTTP, and no socket. */
import { addAbortSignal, Readable } from 'node:stream';
import type { Answer } from '../server/dispatch.ts';
import type { HeaderValues, PlainReply, PlainRequest } from '../engine/exchange.ts';
import { corsHeaders, isPreflight, preflightReply, type CorsOrigins } from '../http/cors.ts';
import { faultyBody, hungUp } from '../http/faulty-body.ts';
import { refuseLongTarget } from '../http/node-exchange.ts';
import { errorReply } from '../http/error-reply.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { malformed, Problem } from '../problem.ts';

export type FetchOptions = {
  readonly answer: Answer;
  /** Where clients think that they are: no slash at the end. */
  readonly baseUrl: string;
  readonly cors: CorsOrigins;
  readonly onError: (error: unknown) => void;
};

/** `fetch` of the standard. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` that reaches this server only. Rejects with a `TypeError` for any other address, and for what `new Request`
 * refuses; with the reason of its signal when it is aborted.
 */
export const createFetch =
  (options: FetchOptions): Fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const sent = sentBody(request.body, request.signal);
    const plain = { ...headOf(request, declaredLength(request, init), options.baseUrl), body: sent.pieces };
    const reply = await untilAborted(replyTo(plain, options), request.signal);
    await sent.end();
    return standardResponse(reply, request);
  };

/** What a client would announce as `Content-Length`; undefined where it would send pieces. */
const declaredLength = ({ body }: Request, init: RequestInit | undefined): number | undefined => {
  if (body === null) return undefined;
  const given: unknown = init?.body;
  if (typeof given === 'string') return Buffer.byteLength(given);
  if (given instanceof URLSearchParams) return Buffer.byteLength(given.toString());
  if (given instanceof Blob) return given.size;
  if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return given.byteLength;
  return undefined;
};

const headOf = (request: Request, length: number | undefined, baseUrl: string): Omit<PlainRequest, 'body'> => {
  const url = new URL(request.url);
  const base = new URL(baseUrl);
  if (url.host !== base.host && !url.host.endsWith(`.${base.host}`)) {
    throw new TypeError(`${url.origin} is not served here; ${baseUrl} is.`);
  }
  const prefix = base.pathname.replace(/\/$/, '');
  const isBelow = prefix !== '' && (url.pathname === prefix || url.pathname.startsWith(`${prefix}/`));
  const framing: Record<string, string> =
    length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) };
  return {
    method: request.method,
    path: (isBelow ? url.pathname.slice(prefix.length) : url.pathname) || '/',
    query: url.search.slice(1),
    headers: {
      host: url.host,
      accept: '*/*',
      ...(request.body === null ? {} : framing),
      ...Object.fromEntries(request.headers),
    },
    address: '127.0.0.1',
  };
};

type SentBody = {
  readonly pieces: AsyncIterable<Uint8Array>;
  /** After the reply: nobody reads on. Rejects as a broken connection would when the source itself has failed. */
  end(): Promise<void>;
};

const sentBody = (body: ReadableStream<Uint8Array> | null, signal: AbortSignal): SentBody => {
  if (body === null) return { pieces: Readable.from([]), end: async () => undefined };
  let failure: { readonly cause: unknown } | undefined;
  const reader = body.getReader();
  // The one who reads is told of it as of a connection that broke.
  const leave = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', leave, { once: true });
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    for (;;) {
      const piece = await reader.read().catch((cause: unknown) => {
        failure = { cause };
        throw malformed('The body ended before it was complete.', cause);
      });
      if (signal.aborted) throw malformed('The body ended before it was complete.', signal.reason);
      if (piece.done) return;
      yield piece.value;
    }
  };
  return {
    pieces: { [Symbol.asyncIterator]: pieces },
    end: async () => {
      signal.removeEventListener('abort', leave);
      if (failure !== undefined) throw new TypeError('The request body could not be read.', failure);
      // A refused body would keep its source open.
      await reader.cancel();
    },
  };
};

const replyTo = async (plain: PlainRequest, options: FetchOptions): Promise<PlainReply> => {
  try {
    refuseLongTarget(plain.query === '' ? plain.path : `${plain.path}?${plain.query}`);
    const reply = isPreflight(plain) ? preflightReply(plain, options.cors) : await options.answer(plain);
    return { ...reply, headers: { ...securityHeaders, ...corsHeaders(plain, options.cors), ...reply.headers } };
  } catch (error) {
    if (!(error instanceof Problem)) options.onError(error);
    return errorReply(error);
  }
};

/** An answer that comes after the client has left is let go of, with the bytes that it holds open. */
const untilAborted = async (coming: Promise<PlainReply>, signal: AbortSignal): Promise<PlainReply> => {
  const { promise: aborted, stop } = abortion(signal);
  try {
    return await Promise.race([coming, aborted]);
  } catch (error) {
    void coming.then(
      ({ body }) => typeof body === 'object' && body.stream.destroy(),
      () => undefined,
    );
    throw error;
  } finally {
    stop();
  }
};

const abortion = (signal: AbortSignal): { readonly promise: Promise<never>; readonly stop: () => void } => {
  let stop = (): void => undefined;
  const promise = new Promise<never>((_resolve, reject) => {
    // Whatever the caller gave as its reason is what it gets back.
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
    const leave = (): void => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    stop = () => signal.removeEventListener('abort', leave);
  });
  return { promise, stop };
};

/** A response whose constructor refuses a body even when it is empty. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

const standardResponse = (
  { status, headers, body, transmissionFault: disturbance }: PlainReply,
  request: Request,
): Response => {
  if (disturbance?.kind === 'reset') {
    if (typeof body === 'object') body.stream.destroy();
    throw new TypeError('fetch failed', { cause: hungUp() });
  }
  const isEmpty = request.method === 'HEAD' || bodiless.has(status) || body === undefined;
  if (typeof body === 'object') {
    if (isEmpty) body.stream.destroy();
    else addAbortSignal(request.signal, body.stream);
  }
  const sent = isEmpty ? null : sentAnswer(body, disturbance);
  const response = new Response(sent, {
    status,
    headers: headerList(headers, body === undefined && !bodiless.has(status)),
  });
  // `new Response` has no address; every answer that was fetched has.
  return Object.defineProperty(response, 'url', { value: request.url.replace(/#.*$/, '') });
};

const sentAnswer = (
  body: NonNullable<PlainReply['body']>,
  disturbance: PlainReply['transmissionFault'],
): string | ReadableStream => {
  if (disturbance !== undefined) return webStream(Readable.from(faultyBody(body, disturbance)));
  return typeof body === 'string' ? body : webStream(body.stream);
};

const webStream = (stream: Readable): ReadableStream => Readable.toWeb(stream) as ReadableStream; // the same class, named twice

const headerList = (headers: HeaderValues, isWithoutBody: boolean): Headers => {
  const list = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of typeof value === 'string' ? [value] : value) list.append(name, one);
  }
  if (isWithoutBody) list.set('Content-Length', '0');
  return list;
};
