/** Carries the protocol over two streams: one message a line. */
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

type StreamTransport = Transport & {
  /** Resolves when the input has ended, or when `close` was called. */
  readonly ended: Promise<void>;
};

/** `write` gets a line without its end. */
export const createStreamTransport = (
  input: AsyncIterable<Uint8Array>,
  write: (line: string) => void,
): StreamTransport => {
  const buffer = new ReadBuffer();
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const read = async (): Promise<void> => {
    for await (const piece of input) {
      buffer.append(Buffer.from(piece));
      readMessages();
    }
  };
  /** A line that is not a message is reported, and the next one is read. */
  const readMessages = (): void => {
    for (;;) {
      try {
        const message = buffer.readMessage();
        if (message === null) return;
        transport.onmessage?.(message);
      } catch (error) {
        transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
      }
    }
  };
  const transport: StreamTransport = {
    ended,
    start: async () => {
      void read()
        .catch((error: unknown) => transport.onerror?.(error instanceof Error ? error : new Error(String(error))))
        .finally(() => transport.close());
    },
    send: async (message) => write(serializeMessage(message).trimEnd()),
    close: async () => {
      buffer.clear();
      end();
      transport.onclose?.();
    },
  };
  return transport;
};
