/** Sends the source of a derivative to the process that reads it: whole, or the beginning for a placeholder. */
import { inTime } from '../../basics/in-time.ts';
import {
  type DerivativeOrder,
  headBytes,
  mostSourceBytes,
  needsSource,
  tooLargeSource,
} from '../../repository/repository-content.ts';
import { pieceBytes } from './decoder-messages.ts';
import type { Send } from './decoder-process.ts';

/** The source is read once. */
export const createSourceSender = (order: DerivativeOrder, source: AsyncIterable<Uint8Array>) => {
  const head: Uint8Array[] = [];
  let headSize = 0;
  const sendPieces = async (chunk: Uint8Array, send: Send): Promise<void> => {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const piece = chunk.slice(at, at + pieceBytes);
      if (headSize < headBytes) head.push(piece);
      headSize += piece.length;
      await send({ piece });
    }
  };
  return {
    /** A source that is too large becomes a placeholder. Rejects with what the source throws, and when it gives nothing for long. */
    sendWhole: async (send: Send): Promise<void> => {
      let size = 0;
      for await (const chunk of withoutPauses(source)) {
        size += chunk.length;
        if (size > mostSourceBytes || !needsSource(order)) break;
        await sendPieces(chunk, send);
      }
      const isTooLarge = needsSource(order) && size > mostSourceBytes;
      await send({ finish: { placeholder: isTooLarge ? tooLargeSource : undefined } });
    },
    /** What has been read of it before, for a placeholder. */
    sendHead:
      (reason: string) =>
      async (send: Send): Promise<void> => {
        for (const piece of head) await send({ piece });
        await send({ finish: { placeholder: reason } });
      },
  };
};

/** Other files wait. */
const longestPauseMs = 10_000;

async function* withoutPauses(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  const late = (): never => {
    throw new Error('The source of the derivative did not arrive.');
  };
  try {
    for (;;) {
      const next = await inTime(chunks.next(), longestPauseMs, late);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Nobody waits for a source that hangs.
    chunks.return?.().catch(() => undefined);
  }
}
