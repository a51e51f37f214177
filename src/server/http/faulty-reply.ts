/** Writes a reply with a fault on demand, as a broken network would deliver it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { discardStream } from '../../basics/byte-streams.ts';
import type { TransmissionFault, PlainReply } from '../../openapi/openapi-host.ts';
import { faultyBody } from './faulty-body.ts';

/** A body to write, and what writes the head before it. */
type RawReply = Pick<PlainReply, 'body'> & { readonly startWriting: () => void };

/** Resolves when the connection has ended or the last byte is sent. A HEAD has no body, so only a reset affects it. */
export const writeFaultyReply = async (
  request: IncomingMessage,
  response: ServerResponse,
  { body, startWriting }: RawReply,
  fault: TransmissionFault,
): Promise<void> => {
  if (fault.kind === 'reset') {
    if (typeof body === 'object') discardStream(body.stream);
    request.socket.resetAndDestroy();
    return;
  }
  startWriting();
  if (request.method === 'HEAD' || body === undefined) {
    if (typeof body === 'object') discardStream(body.stream);
    response.end();
    return;
  }
  response.flushHeaders();
  try {
    for await (const chunk of faultyBody(body, fault)) await written(response, chunk);
    response.end();
  } catch {
    // The fault has cut the body, or the client has disconnected.
    response.destroy();
  }
};

/** Resolves when the system has the chunk. A chunk still in the process would be lost with the connection. */
const written = (response: ServerResponse, chunk: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    const leave = (): void => reject(new Error('The client has left.'));
    response.once('close', leave);
    response.write(chunk, (error) => {
      response.off('close', leave);
      if (error) reject(error);
      else resolve();
    });
  });
