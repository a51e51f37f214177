/** Writes a reply that goes wrong on its way, as a broken network would have it. What goes wrong is decided elsewhere. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TransmissionFault, PlainReply } from '../engine/exchange.ts';
import { faultyBody } from './faulty-body.ts';
import { startWriting } from './write-head.ts';

/** A reply that is about to be written. `head`: names and values in turn. */
export type Writing = {
  readonly status: number;
  readonly head: readonly string[];
  readonly body: PlainReply['body'];
};

/** Resolves when the connection has ended, or the last byte is out. HEAD has no body to spoil: only a reset shows. */
export const writeFaultyReply = async (
  request: IncomingMessage,
  response: ServerResponse,
  { status, head, body }: Writing,
  disturbance: TransmissionFault,
): Promise<void> => {
  if (disturbance.kind === 'reset') {
    if (typeof body === 'object') body.stream.destroy();
    request.socket.resetAndDestroy();
    return;
  }
  startWriting(response, status, head);
  if (request.method === 'HEAD' || body === undefined) {
    if (typeof body === 'object') body.stream.destroy();
    response.end();
    return;
  }
  response.flushHeaders();
  try {
    for await (const piece of faultyBody(body, disturbance)) await written(response, piece);
    response.end();
  } catch {
    // Cut as planned, or the client has left before: either way nothing more can be said on this connection.
    response.destroy();
  }
};

/** Resolves when the piece has been handed to the system: what is still here would go with the connection. */
const written = (response: ServerResponse, piece: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = (): void => reject(new Error('The client has left.'));
    response.once('close', leave);
    response.write(piece, (error) => {
      response.off('close', leave);
      if (error) reject(error);
      else resolve();
    });
  });
