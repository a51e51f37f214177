/** Holds the bytes of one blob in memory. `browser/held-blobs.ts` does it where there is no Node. */
import { beginSlices } from '../../basics/long-work.ts';
import { streamOf } from '../../basics/byte-streams.ts';
import type { ByteRange } from '../../openapi/openapi-records.ts';

/** Pieces of `pieceBytes` or little more, in order. */
export type HeldBytes = {
  readonly pieces: readonly Uint8Array[];
  readonly size: number;
  /** The streams that are not at their end. */
  readers: number;
  isGivenUp: boolean;
};

/** Twice the bytes of a body would be in memory if its chunks were joined at its end. */
const pieceBytes = 1024 * 1024;

/**
 * V8 does not look at the size of buffers when it chooses the time of a collection, so an idle server would keep the memory of dropped
 * worlds for ever. A resizable buffer gives its pages back at once. It takes whole pages and some system calls, which is too much for a
 * small one.
 */
const resizableBytes = 64 * 1024;

/** Takes the chunks of a body. `end` gives their bytes; call it once. `giveUp` frees what has arrived. */
export const createArrivingBytes = () => {
  const pieces: Uint8Array[] = [];
  let chunks: Uint8Array[] = [];
  let chunkBytes = 0;
  let size = 0;
  const join = (): void => {
    if (chunkBytes > 0) pieces.push(joined(chunks, chunkBytes));
    chunks = [];
    chunkBytes = 0;
  };
  const held = (): HeldBytes => ({ pieces, size, readers: 0, isGivenUp: false });
  return {
    add: (chunk: Uint8Array): void => {
      chunks.push(chunk);
      chunkBytes += chunk.byteLength;
      size += chunk.byteLength;
      if (chunkBytes >= pieceBytes) join();
    },
    end: (): HeldBytes => {
      join();
      return held();
    },
    giveUp: (): Promise<void> => freeHeld(held()),
  };
};

/** In a buffer of its own: a slice would keep the whole buffer that it is a part of. */
const joined = (chunks: readonly Uint8Array[], size: number): Uint8Array => {
  const buffer = size < resizableBytes ? new ArrayBuffer(size) : new ArrayBuffer(size, { maxByteLength: size });
  const piece = new Uint8Array(buffer);
  let filled = 0;
  for (const chunk of chunks) {
    piece.set(chunk, filled);
    filled += chunk.byteLength;
  }
  return piece;
};

export const sizeOfHeld = ({ size }: HeldBytes): number => size;

/** Gives the memory back, after the streams that read it have ended. In slices, because the pages are cleared first. */
export const freeHeld = async (bytes: HeldBytes): Promise<void> => {
  bytes.isGivenUp = true;
  if (bytes.readers > 0) return;
  const slices = beginSlices();
  for (const { buffer } of bytes.pieces) {
    if (buffer instanceof ArrayBuffer && buffer.resizable) buffer.resize(0);
    if (slices.isOver()) await slices.next();
  }
};

export const openHeld = (bytes: HeldBytes, range?: ByteRange): ReadableStream<Uint8Array> => {
  bytes.readers += 1;
  return streamOf(copiesOf(bytes, range ?? { start: 0, end: bytes.size - 1 }));
};

/** The memory of a piece can be given back while a client still takes its bytes. */
const copyBytes = 256 * 1024;

/** The bytes of a range in copies. A generator that has not begun would not hear of its end, which has to be counted. */
const copiesOf = (bytes: HeldBytes, { start, end }: ByteRange): AsyncIterable<Uint8Array> => {
  let position = start;
  let isReading = true;
  const stop = (): void => {
    if (!isReading) return;
    isReading = false;
    bytes.readers -= 1;
    if (bytes.isGivenUp) void freeHeld(bytes);
  };
  const next = (): IteratorResult<Uint8Array, undefined> => {
    if (position > end) {
      stop();
      return { done: true, value: undefined };
    }
    const value = copyAt(bytes, position, Math.min(copyBytes, end + 1 - position));
    position += value.byteLength;
    if (position > end) stop();
    return { done: false, value };
  };
  const iterator = {
    next: () => Promise.resolve(next()),
    return: () => {
      stop();
      return Promise.resolve({ done: true, value: undefined } as const);
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
};

/** At most so many bytes, from one piece. */
const copyAt = ({ pieces }: HeldBytes, position: number, most: number): Uint8Array => {
  let first = 0;
  for (const piece of pieces) {
    if (position < first + piece.byteLength) return piece.slice(position - first, position - first + most);
    first += piece.byteLength;
  }
  throw new Error('The bytes end before the size of their blob.');
};
