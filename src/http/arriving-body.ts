/** A request's body as it comes from the socket: read on demand, cut when it stalls, never destroying the connection. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '../problem.ts';

export type BodyLimits = {
  /** Longest silence between two pieces, in milliseconds. */
  readonly idleMs: number;
};

/**
 * The body as an iterable. Where the client waits with `Expect: 100-continue`, it is told to go on when the first piece is
 * asked for, so that a refused request never sends its body (RFC 9110 §10.1.1). Throws 408 after too long a silence.
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
    return {
      next: () => withinIdleTime(pieces.next(), limits.idleMs),
      return: async () => (await pieces.return?.()) ?? { done: true, value: undefined },
    };
  },
});

const withinIdleTime = async <T>(piece: Promise<T>, idleMs: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(stalled(idleMs)), idleMs);
  });
  try {
    return await Promise.race([piece, silence]);
  } finally {
    clearTimeout(timer);
  }
};

const stalled = (idleMs: number): Problem =>
  new Problem(408, `The upload made no progress for ${Math.round(idleMs / 1000)} seconds.`);

/** Whether the request announces a body. */
export const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

const readOnBytes = 64 * 1024;
const lingerMs = 1000;

/** After an answer to a request whose body was not wanted: at most 64 KiB more are read, then the connection ends. */
export const dropRest = (request: IncomingMessage): void => {
  let rest = readOnBytes;
  const end = (): void => void request.socket.destroy();
  const timer = setTimeout(end, lingerMs);
  request.on('close', () => clearTimeout(timer));
  request.on('data', (piece: Uint8Array) => {
    rest -= piece.length;
    if (rest < 0) end();
  });
  request.resume();
};
