/** Sends one request to a server and keeps the exchange as it was on the wire. It follows no redirect. */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorCode } from '../basics/error-code.ts';
import { given } from '../basics/json.ts';
import { createConnection, type TlsOptions } from './connection.ts';
import { keepBytes, type KeptBytes } from './kept-bytes.ts';
import { targetErrorOf, TargetError } from './target-errors.ts';
import { pairsOf } from '../basics/formats/pairs.ts';
import type { HeaderLine, WireExchange, WireReply } from './wire-exchange.ts';

export type SenderOptions = {
  /** Absolute, without a slash at its end. It may have a path. */
  readonly baseUrl: string;
  readonly tls?: TlsOptions | undefined;
  /** The longest silence of the target, in milliseconds. Default: 30,000. */
  readonly silenceMs?: number | undefined;
  /** The longest time of a whole exchange, in milliseconds. Default: 300,000. */
  readonly totalMs?: number | undefined;
  /** How many bytes of each body are kept. Default: 1 MiB. */
  readonly keptBytes?: number | undefined;
  /** After so many bytes of an answer the connection is cut; the bytes so far are the answer. Default: 64 MiB. */
  readonly maxBytes?: number | undefined;
  /** At most so many requests in a second, evenly spread. Default: as many as come. */
  readonly perSecond?: number | undefined;
};

export type SentRequest = {
  /** Upper case. */
  readonly method: string;
  /** Path and query below the base URL, with a slash at the beginning. It is sent as it is. */
  readonly path: string;
  readonly headers?: readonly HeaderLine[];
  readonly body?: string | Uint8Array | Readable | undefined;
  /** The name of the account whose credentials are in `headers`. */
  readonly account?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** `send` throws a `TargetError` when no whole answer came. */
export type Sender = {
  readonly baseUrl: string;
  send(request: SentRequest): Promise<WireExchange>;
  /** Closes the connections that are kept. */
  close(): void;
};

const defaults = { silenceMs: 30_000, totalMs: 300_000, keptBytes: 1024 * 1024, maxBytes: 64 * 1024 * 1024 };

/** Each attempt may meet a connection that was closed meanwhile, and `maxSockets` of them are kept. */
const maxAttempts = 17;

/** The most sockets to the target at a time. */
const maxSockets = 16;

type Limits = { readonly [Name in keyof typeof defaults]: number };

export const createSender = (options: SenderOptions): Sender => {
  const { baseUrl, tls } = options;
  const limits: Limits = { ...defaults, ...given(options) };
  const connection = createConnection({
    ...{ baseUrl, tls, silenceMs: limits.silenceMs, headBytes: 64 * 1024, perSecond: options.perSecond },
    kept: { maxSockets },
  });
  const { origin } = connection;
  const open = (sent: SentRequest): ClientRequest =>
    connection.open({ method: sent.method, path: sent.path, lines: linesFor(sent, connection.host) });
  return {
    baseUrl,
    send: async (sent) => {
      await connection.turn();
      for (let attempts = 1; ; attempts += 1) {
        try {
          return await exchangeOn(open(sent), sent, limits, origin);
        } catch (error) {
          if (!(error instanceof StaleConnection)) throw error;
          // A connection that was kept may close just as it is used again (RFC 9112 §9.3.1).
          if (!isRepeatable(sent) || attempts === maxAttempts) throw targetErrorOf(origin, error.cause);
        }
      }
    },
    close: () => connection.close(),
  };
};

/** The first use of a connection that the target had closed meanwhile. */
class StaleConnection extends Error {
  override name = 'StaleConnection';
}

const isRepeatable = ({ body }: SentRequest): boolean => !(body instanceof Readable);

const linesFor = ({ headers = [], body }: SentRequest, host: string): string[] => {
  const has = (name: string): boolean => headers.some(([own]) => own.toLowerCase() === name);
  const length = body === undefined ? undefined : body instanceof Readable ? undefined : Buffer.byteLength(body);
  const added: HeaderLine[] = [
    ...(has('host') ? [] : [['Host', host] as const]),
    ...(length === undefined || has('content-length') || has('transfer-encoding')
      ? []
      : [['Content-Length', String(length)] as const]),
  ];
  return [...added, ...headers].flat();
};

const exchangeOn = async (
  request: ClientRequest,
  sent: SentRequest,
  limits: Limits,
  origin: string,
): Promise<WireExchange> => {
  const at = Date.now();
  const began = performance.now();
  // Once the answer has begun, Node tells only that it was cut.
  let reason: TargetError | undefined;
  const give = (what: string, isPassing: boolean): void => {
    reason ??= new TargetError(`${origin}: ${what}`, { isPassing });
    request.destroy(reason);
  };
  const late = (what: string): void => give(what, true);
  request.on('timeout', () => late(`it said nothing for ${limits.silenceMs / 1000} seconds.`));
  const timer = setTimeout(() => late(`its answer took more than ${limits.totalMs / 1000} seconds.`), limits.totalMs);
  const stop = (): void => give('the request was given up.', false);
  sent.signal?.addEventListener('abort', stop, { once: true });
  try {
    const sentBody = keepBytes(limits.keptBytes, true);
    const answered = answerOf(request);
    const [message] = await Promise.all([answered, writeBody(request, sent, sentBody)]);
    const reply = await replyOf(message, limits);
    const { method, path, headers = [], account } = sent;
    const durationMs = performance.now() - began;
    return { at, durationMs, account, request: { method, path, headers, body: sentBody.body(true) }, reply };
  } catch (error) {
    if (reason !== undefined) throw reason;
    if (request.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET')
      throw new StaleConnection('', { cause: error });
    throw targetErrorOf(origin, error);
  } finally {
    clearTimeout(timer);
    sent.signal?.removeEventListener('abort', stop);
  }
};

/** The final answer; informational ones (RFC 9110 §15.2) are passed over. */
const answerOf = (request: ClientRequest): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => request.on('response', resolve).on('error', reject));

const writeBody = async (request: ClientRequest, { body }: SentRequest, reader: KeptBytes): Promise<void> => {
  if (!(body instanceof Readable)) {
    if (body !== undefined) reader.add(Buffer.from(body));
    request.end(body);
    return;
  }
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of body as AsyncIterable<Buffer>) {
      reader.add(piece);
      yield piece;
    }
  };
  // A target may answer and close before it has read all of a body; the answer counts then.
  await pipeline(counted, request).catch(() => undefined);
};

const replyOf = async (message: IncomingMessage, limits: Limits): Promise<WireReply> => {
  const reader = keepBytes(limits.keptBytes, true);
  try {
    for await (const piece of message as AsyncIterable<Buffer>) {
      reader.add(piece);
      if (reader.bytes() > limits.maxBytes) {
        message.destroy();
        break;
      }
    }
  } catch (error) {
    // Drupal announces all of the content with a range that it refuses, and sends none of it.
    if (message.statusCode !== 416 || reader.bytes() > 0 || errorCode(error) !== 'ECONNRESET') throw error;
  }
  return {
    status: message.statusCode ?? 0,
    reason: message.statusMessage ?? '',
    headers: pairsOf(message.rawHeaders),
    trailers: pairsOf(message.rawTrailers),
    body: reader.body(reader.bytes() <= limits.maxBytes),
  };
};
