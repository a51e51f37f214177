/** A body that is spoiled while it is sent: it ends early, or trickles. Which one is spoiled is decided elsewhere. */
import { setTimeout as wait } from 'node:timers/promises';
import type { TransmissionFault, PlainReply } from '../engine/exchange.ts';

/** A trickle is sent in this many pieces a second, unless a piece would be less than a byte. */
const piecesPerSecond = 10;

/** What a client sees when the other side hangs up; `code` as in Node's own error. */
export const hungUp = (): Error => Object.assign(new Error('The connection was cut.'), { code: 'ECONNRESET' });

/**
 * The bytes of a reply's body in the way that the disturbance lets them through. Throws where the connection is to end; a
 * reply without a body ends at once.
 */
export const faultyBody = async function* (
  body: PlainReply['body'],
  disturbance: TransmissionFault,
): AsyncGenerator<Uint8Array, void> {
  if (disturbance.kind === 'reset' || body === undefined) throw hungUp();
  const pieces = typeof body === 'string' ? [Buffer.from(body)] : piecesOf(body.stream);
  if (disturbance.kind === 'trickle') {
    yield* trickle(pieces, disturbance.bytesPerSecond);
    return;
  }
  const length = typeof body === 'string' ? Buffer.byteLength(body) : (body.length ?? 0);
  yield* beginning(pieces, disturbance.afterBytes ?? Math.floor(length / 2));
  throw hungUp();
};

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

const piecesOf = (stream: AsyncIterable<unknown>): AsyncIterable<Uint8Array> => stream as AsyncIterable<Uint8Array>; // streams of stored bytes have no encoding

const beginning = async function* (pieces: Pieces, bytes: number): AsyncGenerator<Uint8Array, void> {
  let rest = bytes;
  for await (const piece of pieces) {
    if (rest > 0) yield piece.subarray(0, rest);
    rest -= piece.length;
    if (rest <= 0) return;
  }
};

const trickle = async function* (pieces: Pieces, bytesPerSecond: number): AsyncGenerator<Uint8Array, void> {
  const size = Math.max(1, Math.floor(bytesPerSecond / piecesPerSecond));
  for await (const piece of pieces) {
    for (let start = 0; start < piece.length; start += size) {
      const part = piece.subarray(start, start + size);
      await wait((part.length / bytesPerSecond) * 1000);
      yield part;
    }
  }
};
