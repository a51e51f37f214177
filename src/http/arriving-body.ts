/** A request's body as it comes from the socket: read on demand, cut when it stalls, never destroying the connection. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { malformed, Problem } from '../problem.ts';

export type BodyLimits = {
  /** Longest silence between two pieces, in milliseconds. */
  readonly idleMs: number;
  /** Slowest pace, over each `idleMs` of waiting; 0 or nothing for any. */
  readonly minBytesPerSecond?: number | undefined;
};

/**
 * The body as an iterable. Where the client waits with `Expect: 100-continue`, it is told to go on when the first piece is
 * asked for, so that a refused request never sends its body (RFC 9110 §10.1.1). Throws 408 after too long a silence or at
 * too slow a pace (cases U17).
 */
export const arrivingBody = (
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    if (request.headers.expect?.toLowerCase() === '100-continue' && !response.headersSent) response.writeContinue();
    // Leaving the loop early must not destroy the socket: the refusal is still to be sent on it.
    const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>; // an IncomingMessage yields Buffers
    const pace = createPace(limits);
    return {
      next: () => pace.within(pieces.next().catch(brokenOff)),
      return: async () => (await pieces.return?.()) ?? { done: true, value: undefined },
    };
  },
});

/** The client is gone, or what it sends is no HTTP: nothing of ours has failed. */
const brokenOff = (cause: unknown): never => {
  throw malformed('The body ended before it was complete.', cause);
};

type Piece = IteratorResult<Uint8Array, unknown>;

/** Counts only the time in which the server waited for the client: a slow disk is not the client's fault. */
const createPace = ({ idleMs, minBytesPerSecond = 0 }: BodyLimits) => {
  const needed = (minBytesPerSecond * idleMs) / 1000;
  let waitedMs = 0;
  let bytes = 0;
  const lateness = (): Problem => (bytes === 0 || bytes >= needed ? stalled(idleMs) : tooSlow(minBytesPerSecond));
  return {
    within: async (coming: Promise<Piece>): Promise<Piece> => {
      const started = performance.now();
      const piece = await within(coming, bytes < needed ? Math.max(0, idleMs - waitedMs) : idleMs, lateness);
      waitedMs += performance.now() - started;
      if (piece.done !== true) bytes += piece.value.byteLength;
      if (waitedMs >= idleMs) waitedMs = bytes = 0;
      return piece;
    },
  };
};

/** One timer a piece, and one promise: at 1 GiB/s there are 16,000 pieces a second. */
const within = <T>(coming: Promise<T>, ms: number, late: () => Problem): Promise<T> =>
  new Promise((resolve, reject) => {
    // The open connection keeps the process going; what is left of the wait after its end must not.
    const timer = setTimeout(() => reject(late()), ms).unref();
    coming.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        // Passed on as it came.
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
        reject(error);
      },
    );
  });

const stalled = (idleMs: number): Problem =>
  new Problem(408, `The upload made no progress for ${Math.round(idleMs / 1000)} seconds.`);

const tooSlow = (minBytesPerSecond: number): Problem =>
  new Problem(408, `The upload brought less than ${minBytesPerSecond} bytes a second.`);

/** Whether the request announces a body that nobody has read to its end. */
export const hasUnreadBody = (request: IncomingMessage): boolean =>
  hasBody(request) && !request.complete && !request.readableEnded;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const readOnBytes = 64 * 1024;
const lingerMs = 1000;
/** Long enough for a busy client to read its answer, short enough for one that wants to send everything first. */
const unreadMs = 250;

/**
 * Before an answer to a request whose body was not wanted is written; `dropRest` comes after it. Node would end the connection with
 * the last byte of the answer, and the reset that follows would take the answer along.
 */
export const keepForReader = ({ socket }: IncomingMessage): void => {
  socket.destroySoon = () => void socket.end();
};

/**
 * After an answer to a request whose body was not wanted: our side is closed and at most 64 KiB more are read, for a second.
 * What comes beyond them waits unread for a quarter of a second, so that a client that still writes can take its answer; then the
 * connection ends (RFC 9112 §9.6).
 */
export const dropRest = (request: IncomingMessage): void => {
  const { socket } = request;
  if (socket.destroyed) return;
  const end = (): void => void socket.destroy();
  let timer = setTimeout(end, lingerMs);
  socket.once('close', () => clearTimeout(timer));
  let rest = readOnBytes;
  request.on('data', (piece: Uint8Array) => {
    rest -= piece.length;
    if (rest >= 0) return;
    request.pause();
    clearTimeout(timer);
    timer = setTimeout(end, unreadMs);
  });
  request.resume();
};
