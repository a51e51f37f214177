/** Ends the connection of a client that does not read its answer: it would keep a connection and an open file for ever. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export const defaultReaderIdleMs = 60_000;

/**
 * Call this when an answer begins that may not fit into the buffers of the system. Ends the connection when bytes wait and
 * the client has taken none of them for `idleMs`, at the latest after twice that time. An answer that has nothing to send
 * at the moment, such as a stream of events, is left alone.
 */
export const endWhenUnread = (
  { socket }: IncomingMessage,
  response: ServerResponse,
  idleMs = defaultReaderIdleMs,
): void => {
  const onTimeout = (): void => {
    if (socket.writableLength > 0) socket.destroy();
    else socket.setTimeout(idleMs);
  };
  // Node compares what is still to be sent: a slow client that reads a part of a large write is not idle. With a listener,
  // Node leaves the decision to it.
  response.on('timeout', onTimeout);
  socket.setTimeout(idleMs);
  // Before Node's own listener, which sets the time of an idle connection.
  response.prependOnceListener('finish', () => {
    response.off('timeout', onTimeout);
    socket.setTimeout(0);
  });
};
