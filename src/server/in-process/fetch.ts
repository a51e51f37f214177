/** Makes a `fetch` that this process answers without a socket, with the same replies as over HTTP. */
import type { Fetch } from '../../exchange/exchange-worlds.ts';
import { chunksAtHand, discardStream, streamOf } from '../../basics/byte-streams.ts';
import type { Answer } from '../start/dispatch.ts';
import type { HeaderValues, PlainReply, PlainRequest } from '../../openapi/openapi-host.ts';
import { corsHeaders, isPreflight, preflightReply, type CorsOptions } from '../http/cors.ts';
import { faultyBody, connectionCut } from '../http/faulty-body.ts';
import { plainErrorReply, longestTarget, longTargetProblem, securityHeaders } from '../http/error-reply.ts';
import { carriedCookie, withSetCookies } from '../../exchange/exchange.ts';
import { malformed, Problem } from '../../openapi/openapi-terms.ts';

type FetchOptions = CorsOptions & {
  readonly answer: Answer;
  /** The base URL that clients use, without a trailing slash. */
  readonly baseUrl: string;
  readonly onError: (error: unknown) => void;
  /** For where scripts may neither send nor read cookies. Cookies given with a request go before them. */
  readonly cookies?: Cookies | undefined;
};

/** Keeps the cookies of a page. */
export type Cookies = {
  /** The value of `Cookie` for a request. Undefined without one. */
  valueFor(request: Request): string | undefined;
  /** Takes the values of `Set-Cookie` of the reply to a request. */
  keep(request: Request, lines: readonly string[]): void;
};

/**
 * A `fetch` for this server only. Rejects with a `TypeError` for another address and for what `new Request` refuses, and
 * with the signal's reason when it is aborted.
 */
export const createFetch =
  (options: FetchOptions): Fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const body = hasBodyStream(request) ? request.body : await wholeBody(request);
    const sent = sentBody(body, request.signal);
    const head = headOf(request, body === null ? undefined : framingOf(init?.body), options.baseUrl);
    const carried = carriedCookie(input);
    const cookie = carried ?? options.cookies?.valueFor(request);
    const headers = cookie === undefined || cookie === '' ? head.headers : { ...head.headers, cookie };
    const plain = { ...head, headers, body: sent.chunks };
    const reply = await untilAborted(replyTo(plain, options), request.signal);
    await sent.end();
    if (carried === undefined) options.cookies?.keep(request, [reply.headers['Set-Cookie'] ?? []].flat());
    return standardResponse(reply, request);
  };

/** Firefox has no `Request.body`. */
const hasBodyStream = (request: Request): boolean => (request.body as Request['body'] | undefined) !== undefined;

const wholeBody = async (request: Request): Promise<ReadableStream<Uint8Array> | null> => {
  const bytes = await request.blob();
  return bytes.size === 0 ? null : bytes.stream();
};

/** How a client would announce the body. */
const framingOf = (content: unknown): Readonly<Record<string, string>> => {
  const length = lengthOf(content);
  return length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) };
};

/** The `Content-Length` that a client would send. Undefined when it would send chunks. */
const lengthOf = (content: unknown): number | undefined => {
  if (typeof content === 'string') return Buffer.byteLength(content);
  if (content instanceof URLSearchParams) return Buffer.byteLength(content.toString());
  if (content instanceof Blob) return content.size;
  if (content instanceof ArrayBuffer || ArrayBuffer.isView(content)) return content.byteLength;
  return undefined;
};

const headOf = (
  request: Request,
  framing: Readonly<Record<string, string>> | undefined,
  baseUrl: string,
): Omit<PlainRequest, 'body'> => {
  const url = new URL(request.url);
  const base = new URL(baseUrl);
  if (url.host !== base.host && !url.host.endsWith(`.${base.host}`)) {
    throw new TypeError(`${url.origin} is not served here; ${baseUrl} is.`);
  }
  const prefix = base.pathname.replace(/\/$/, '');
  const isBelow = prefix !== '' && (url.pathname === prefix || url.pathname.startsWith(`${prefix}/`));
  return {
    method: request.method,
    path: (isBelow ? url.pathname.slice(prefix.length) : url.pathname) || '/',
    query: url.search.slice(1),
    headers: {
      host: url.host,
      accept: '*/*',
      ...framing,
      // happy-dom leaves the case of names as it was given.
      ...Object.fromEntries(Array.from(request.headers, ([name, value]) => [name.toLowerCase(), value])),
    },
    address: '127.0.0.1',
  };
};

/** Call `end` after the reply. It rejects like a broken connection when the source of the body has failed. */
const sentBody = (
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
): { readonly chunks: AsyncIterable<Uint8Array>; end(): Promise<void> } => {
  if (body === null) return { chunks: chunksAtHand(), end: async () => undefined };
  let failure: { readonly cause: unknown } | undefined;
  const reader = body.getReader();
  // The reader gets the same error as for a broken connection.
  const cancel = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    for (;;) {
      const chunk = await reader.read().catch((cause: unknown) => {
        failure = { cause };
        throw malformed('The body ended before it was complete.', cause);
      });
      if (signal.aborted) throw malformed('The body ended before it was complete.', signal.reason);
      if (chunk.done) return;
      yield chunk.value;
    }
  };
  return {
    chunks: { [Symbol.asyncIterator]: chunks },
    end: async () => {
      signal.removeEventListener('abort', cancel);
      if (failure !== undefined) throw new TypeError('The request body could not be read.', failure);
      // A refused body was not read to its end, and its source is still open.
      await reader.cancel();
    },
  };
};

const replyTo = async (plain: PlainRequest, options: FetchOptions): Promise<PlainReply> => {
  try {
    const target = plain.query === '' ? plain.path : `${plain.path}?${plain.query}`;
    if (target.length > longestTarget) throw longTargetProblem();
    const reply = isPreflight(plain) ? preflightReply(plain, options) : await options.answer(plain);
    return { ...reply, headers: { ...securityHeaders, ...corsHeaders(plain, options), ...reply.headers } };
  } catch (error) {
    if (!(error instanceof Problem)) options.onError(error);
    return plainErrorReply(error);
  }
};

/** Discards the stream of a reply that arrives after the abort. */
const untilAborted = (reply: Promise<PlainReply>, signal: AbortSignal): Promise<PlainReply> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      // The standard rejects with the caller's own reason, whatever its type.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      reject(signal.reason);
      void reply.then(
        ({ body }) => typeof body === 'object' && discardStream(body.stream),
        () => undefined,
      );
    };
    signal.addEventListener('abort', abort, { once: true });
    void reply.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });

/** `new Response` refuses even an empty body for these statuses. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

const standardResponse = ({ status, headers, body, transmissionFault }: PlainReply, request: Request): Response => {
  if (transmissionFault?.kind === 'reset') {
    if (typeof body === 'object') discardStream(body.stream);
    throw new TypeError('fetch failed', { cause: connectionCut() });
  }
  const isEmpty = request.method === 'HEAD' || bodiless.has(status) || body === undefined;
  if (isEmpty && typeof body === 'object') discardStream(body.stream);
  const sent = isEmpty ? null : responseBody(body, transmissionFault, request.signal);
  const response = new Response(sent, {
    status,
    headers: headerList(headers, body === undefined && !bodiless.has(status)),
  });
  // A fetched response has a `url`, but `new Response` cannot set it.
  Object.defineProperty(response, 'url', { value: request.url.replace(/#.*$/, '') });
  return withSetCookies(response, [headers['Set-Cookie'] ?? []].flat());
};

const responseBody = (
  body: NonNullable<PlainReply['body']>,
  transmissionFault: PlainReply['transmissionFault'],
  signal: AbortSignal,
): string | ReadableStream<Uint8Array> => {
  if (transmissionFault !== undefined) return abortable(streamOf(faultyBody(body, transmissionFault)), signal);
  return typeof body === 'string' ? body : abortable(body.stream, signal);
};

/** Fails when the signal aborts, also while it has nothing to give. Without a `TransformStream`: in happy-dom that is another class. */
const abortable = (stream: ReadableStream<Uint8Array>, signal: AbortSignal): ReadableStream<Uint8Array> => {
  const reader = stream.getReader();
  let abort = (): void => undefined;
  const end = (): void => signal.removeEventListener('abort', abort);
  const source = {
    start: (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      abort = () => {
        controller.error(signal.reason);
        void reader.cancel(signal.reason).catch(() => undefined);
      };
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    },
    pull: async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      const piece = await reader.read();
      if (signal.aborted) return;
      if (!piece.done) {
        controller.enqueue(piece.value);
        return;
      }
      end();
      controller.close();
    },
    cancel: (reason: unknown): Promise<void> => {
      end();
      return reader.cancel(reason);
    },
  };
  return new ReadableStream<Uint8Array>(source, { highWaterMark: 0 });
};

const headerList = (headers: HeaderValues, isWithoutBody: boolean): Headers => {
  const list = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const one of typeof value === 'string' ? [value] : value) list.append(name, one);
  }
  if (isWithoutBody && !list.has('Content-Length')) list.set('Content-Length', '0');
  return list;
};
