/** Carries the protocol over two streams: one message a line. */
import { ReadBuffer, serializeMessage, STDIO_DEFAULT_MAX_BUFFER_SIZE } from '@modelcontextprotocol/sdk/shared/stdio.js';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

type StreamTransport = Transport & {
  /** Resolves when the input has ended, or when `close` was called. */
  readonly ended: Promise<void>;
};

/** RFC 8259 has no limit, and a process has one. */
const tooLong = JSON.stringify({
  ...{ jsonrpc: '2.0', id: null },
  error: {
    code: ErrorCode.InvalidRequest,
    message: `A message may have ${STDIO_DEFAULT_MAX_BUFFER_SIZE / 1024 / 1024} MiB at most.`,
  },
});

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** The input in pieces of which none has the end of a line but at its own end. */
const linePieces = async function* (input: AsyncIterable<Uint8Array>) {
  for await (const piece of input) {
    const bytes = Buffer.from(piece);
    for (let from = 0; from < bytes.length;) {
      const end = bytes.indexOf('\n', from);
      const to = end < 0 ? bytes.length : end + 1;
      yield { bytes: bytes.subarray(from, to), isLast: end >= 0 };
      from = to;
    }
  }
};

/** A line that is not a message is reported, and the next one is read. */
const readMessages = (buffer: ReadBuffer, transport: Transport): void => {
  for (;;) {
    try {
      const message = buffer.readMessage();
      if (message === null) return;
      transport.onmessage?.(message);
    } catch (error) {
      transport.onerror?.(asError(error));
    }
  }
};

/** `write` gets a line without its end. */
export const createStreamTransport = (
  input: AsyncIterable<Uint8Array>,
  write: (line: string) => void,
): StreamTransport => {
  const buffer = new ReadBuffer();
  // Then the rest of the line is passed over.
  let isTooLong = false;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const read = async (): Promise<void> => {
    for await (const { bytes, isLast } of linePieces(input)) {
      take(bytes);
      if (isLast) isTooLong = false;
    }
  };
  const take = (bytes: Buffer): void => {
    if (isTooLong) return;
    try {
      buffer.append(bytes);
    } catch (error) {
      // The library has dropped what it had of the line, and nobody knows the id of the message.
      isTooLong = true;
      write(tooLong);
      transport.onerror?.(asError(error));
    }
    readMessages(buffer, transport);
  };
  const transport: StreamTransport = {
    ended,
    start: async () => {
      void read()
        .catch((error: unknown) => transport.onerror?.(asError(error)))
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
