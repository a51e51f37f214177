/** Reads a request's body from the socket on demand, and ends the connection of a body that was not read. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestBody } from '../../openapi/openapi-host.ts';
import { malformed, Problem } from '../../openapi/openapi-terms.ts';

export type BodyLimits = {
  /** The longest pause between two chunks, in milliseconds. */
  readonly idleMs: number;
  /** The slowest rate, measured over each `idleMs` of waiting. Without it, or with 0, any rate is accepted. */
  readonly minBytesPerSecond?: number | undefined;
};

/**
 * The body as an iterable. A client that sent `Expect: 100-continue` gets its 100 when the first chunk is read, so the body
 * of a refused request is never sent (RFC 9110 §10.1.1). Throws 408 after too long a pause or at too slow a rate.
 */
export const arrivingBody = (request: IncomingMessage, response: ServerResponse, limits: BodyLimits): RequestBody => ({
  takeWhole: () => {
    if (request.destroyed || expectsContinue(request)) return undefined;
    const { 'content-length': length } = request.headers;
    if (length === undefined || request.readableLength < Number(length)) return undefined;
    const bytes = (request.read() as Uint8Array | null) ?? noBytes; // a request has no encoding
    // Only a request that is read further comes to its end. Its reply may be written before.
    request.resume();
    takenWhole.add(request);
    return bytes;
  },
  [Symbol.asyncIterator]: () => {
    if (expectsContinue(request) && !response.headersSent) response.writeContinue();
    // Leaving the loop early must not destroy the socket: a refusal is sent on it.
    const chunks = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>; // an IncomingMessage yields Buffers
    const timer = createReadTimer(limits);
    return {
      next: () => timer.limit(chunks.next().catch(brokenOff)),
      return: async () => (await chunks.return?.()) ?? { done: true, value: undefined },
    };
  },
});

/** The body of a request that announces none: nothing of the socket is read for it. */
export const noBody: RequestBody = {
  takeWhole: () => noBytes,
  [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
};

const noBytes = new Uint8Array();
const takenWhole = new WeakSet<IncomingMessage>();

/** HTTP/1.0 has no 100 (RFC 9110 §10.1.1). */
const expectsContinue = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.expect?.toLowerCase() === '100-continue' && httpVersion !== '1.0';

/** 400 when the client disconnects or sends invalid HTTP: the error is the client's, not the server's. */
const brokenOff = (cause: unknown): never => {
  throw malformed('The body ended before it was complete.', cause);
};

type Chunk = IteratorResult<Uint8Array, unknown>;

/** Counts only the time in which the server waits for the client, so a slow disk is not counted. */
const createReadTimer = ({ idleMs, minBytesPerSecond = 0 }: BodyLimits) => {
  const needed = (minBytesPerSecond * idleMs) / 1000;
  let waitedMs = 0;
  let bytes = 0;
  const lateness = (): Problem => (bytes === 0 || bytes >= needed ? stalled(idleMs) : tooSlow(minBytesPerSecond));
  return {
    limit: async (arriving: Promise<Chunk>): Promise<Chunk> => {
      const started = performance.now();
      const chunk = await withTimeout(arriving, bytes < needed ? Math.max(0, idleMs - waitedMs) : idleMs, lateness);
      waitedMs += performance.now() - started;
      if (chunk.done !== true) bytes += chunk.value.byteLength;
      if (waitedMs >= idleMs) waitedMs = bytes = 0;
      return chunk;
    },
  };
};

/** Only one timer and one promise for each chunk: at 1 GiB/s there are 16,000 chunks a second. */
const withTimeout = <T>(arriving: Promise<T>, ms: number, late: () => Problem): Promise<T> =>
  new Promise((resolve, reject) => {
    // What arrived while the process itself was held up is read in this turn, after the timers.
    const expired = (): void => void setImmediate(() => reject(late()));
    // The open connection keeps the process running. The timer must not do so after the connection ends.
    const timer = setTimeout(expired, ms).unref();
    arriving.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
        reject(error);
      },
    );
  });

const stalled = (idleMs: number): Problem =>
  new Problem(408, `The upload made no progress for ${Math.round(idleMs / 1000)} seconds.`);

const tooSlow = (minBytesPerSecond: number): Problem =>
  new Problem(408, `The upload brought less than ${minBytesPerSecond} bytes a second.`);

/** Whether a body that the request announces was not read to its end. */
export const hasUnreadBody = (request: IncomingMessage): boolean =>
  !request.complete && !request.readableEnded && !takenWhole.has(request);

const discardedBytes = 64 * 1024;
const discardMs = 1000;
/** Long enough for a busy client to read its answer, and short for one that sends its whole body first. */
const pausedMs = 250;

/**
 * Call this before writing an answer to a request with an unread body, and `discardRest` after it. Otherwise Node closes the
 * connection with the answer, and the reset that follows may destroy the answer before the client reads it.
 */
export const keepSocketForReply = ({ socket }: IncomingMessage): void => {
  socket.destroySoon = () => void socket.end();
};

/**
 * Call this after writing an answer to a request with an unread body. Reads and discards at most 64 KiB more, for at most a
 * second. When more arrives, it waits a quarter of a second, so that the client can read its answer. Then it ends the
 * connection (RFC 9112 §9.6).
 */
export const discardRest = (request: IncomingMessage): void => {
  const { socket } = request;
  if (socket.destroyed) return;
  const end = (): void => void socket.destroy();
  let timer = setTimeout(end, discardMs);
  socket.once('close', () => clearTimeout(timer));
  let rest = discardedBytes;
  request.on('data', (chunk: Uint8Array) => {
    rest -= chunk.length;
    if (rest >= 0) return;
    request.pause();
    clearTimeout(timer);
    timer = setTimeout(end, pausedMs);
  });
  request.resume();
};
