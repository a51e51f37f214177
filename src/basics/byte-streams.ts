/** Makes the platform's streams of bytes out of chunks, and reads their chunks: not every browser iterates a stream. */

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A stream of chunks, which are asked for one by one as the reader asks. When the reader cancels, the iterable ends too, also one that has not begun. */
export const streamOf = (chunks: Chunks): ReadableStream<Uint8Array> => {
  const source = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const next = await source.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: async () => {
        await source.return?.();
      },
    },
    // Nothing is read before it is wanted.
    { highWaterMark: 0 },
  );
};

/**
 * The chunks of a stream. Leaving the loop early cancels it. No generator: its `return` would wait until a pending read has ended,
 * and a source may never give more.
 */
export const chunksOf = (stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => {
    const reader = stream.getReader();
    return {
      next: async () => {
        const { done, value } = await reader.read();
        return done ? { done, value: undefined } : { done, value };
      },
      return: async () => {
        await reader.cancel();
        return { done: true, value: undefined };
      },
    };
  },
});

/** The stream, with what is done after its last chunk, its error or its cancellation. */
export const streamEndingWith = (
  stream: ReadableStream<Uint8Array>,
  end: () => Promise<void> | void,
): ReadableStream<Uint8Array> => {
  const chunks = chunksOf(stream)[Symbol.asyncIterator]();
  return streamOf({
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        try {
          const next = await chunks.next();
          if (next.done === true) await end();
          return next;
        } catch (error) {
          await end();
          throw error;
        }
      },
      return: async () => {
        await chunks.return?.();
        await end();
        return { done: true, value: undefined };
      },
    }),
  });
};

/** A body that is at hand, as one that arrives. */
export const chunksAtHand = (...chunks: readonly Uint8Array[]): AsyncIterable<Uint8Array> => ({
  async *[Symbol.asyncIterator]() {
    yield* chunks;
  },
});

/** Slow bytes are passed on in so many pieces a second, or fewer where a piece would be less than a byte. */
const piecesPerSecond = 10;

/** The bytes slowly. Chunks are asked for only when the bytes before were due, so that their sender has to wait, too. */
export const slowed = (
  chunks: Chunks,
  bytesPerSecond: number,
  wait: (ms: number) => Promise<unknown>,
): AsyncIterable<Uint8Array> => ({
  async *[Symbol.asyncIterator]() {
    const size = Math.max(1, Math.floor(bytesPerSecond / piecesPerSecond));
    let owed = 0;
    for await (const chunk of chunks) {
      for (let start = 0; start < chunk.length; start += size) {
        const piece = chunk.subarray(start, start + size);
        owed += piece.length;
        // The rest of a large chunk waits, too. Small chunks wait together: a timer takes a millisecond at least.
        if (owed >= size || start > 0) {
          await wait((owed / bytesPerSecond) * 1000);
          owed = 0;
        }
        yield piece;
      }
    }
    await wait((owed / bytesPerSecond) * 1000);
  },
});

/** Lets go of a stream that nobody reads. What its source says to that is of no use to anybody. */
export const discardStream = (stream: ReadableStream<Uint8Array>): void => void stream.cancel().catch(() => undefined);

/** Small chunks one after another as chunks of at least `least` bytes, but for the last. */
export async function* inLargerChunks(
  source: AsyncIterable<Uint8Array>,
  least = 64 * 1024,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    waiting.push(chunk);
    size += chunk.byteLength;
    if (size < least) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(waiting);
}
