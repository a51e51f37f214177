/** Makes the bytes of a reply's body under a fault, cut short or trickled. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Chunks, chunksOf, slowed } from '../../basics/byte-streams.ts';
import type { TransmissionFault, PlainReply } from '../../openapi/openapi-host.ts';

/** The error that a client gets when the connection ends. `code` is the one of Node's own error. */
export const connectionCut = (): Error => Object.assign(new Error('The connection was cut.'), { code: 'ECONNRESET' });

/** The bytes of a reply's body under a fault. Throws where the connection must end; at once for a reply without a body. */
export const faultyBody = async function* (
  body: PlainReply['body'],
  fault: TransmissionFault,
): AsyncGenerator<Uint8Array, void> {
  if (fault.kind === 'reset' || body === undefined) throw connectionCut();
  const chunks = typeof body === 'string' ? [Buffer.from(body)] : chunksOf(body.stream);
  if (fault.kind === 'trickle') {
    yield* slowed(chunks, fault.bytesPerSecond, wait);
    return;
  }
  const length = typeof body === 'string' ? Buffer.byteLength(body) : (body.length ?? 0);
  yield* firstBytes(chunks, fault.afterBytes ?? Math.floor(length / 2));
  throw connectionCut();
};

const firstBytes = async function* (chunks: Chunks, bytes: number): AsyncGenerator<Uint8Array, void> {
  let rest = bytes;
  for await (const chunk of chunks) {
    if (rest > 0) yield chunk.subarray(0, rest);
    rest -= chunk.length;
    if (rest <= 0) return;
  }
};
