/** Reads an arriving body: counts, hashes and limits its bytes, and stops on abort. Limits how many bodies arrive at once. */
import { createHash } from 'node:crypto';
import type { Semaphore } from '../../basics/semaphore.ts';
import { type BlobStorage, headBytes, type ReceivedBlob, type ReceiveOptions } from '../../openapi/openapi-records.ts';
import { tooLarge } from '../../openapi/openapi-terms.ts';

/** Bodies beyond this go to a file while they arrive. */
export const smallBytes = 256 * 1024;

/** A body in more chunks is not held, because each of them takes memory besides its bytes. */
const mostChunks = 64;

/**
 * The chunks stay as they came. A copy in one buffer would cost twice: large buffers that live shortly make the collector walk
 * over all records.
 */
export const createSmallBody = () => {
  let chunks: Uint8Array[] = [];
  let heldBytes = 0;
  return {
    chunks: (): readonly Uint8Array[] => chunks,
    /** The memory that the chunks keep: a chunk can be a part of a larger buffer. */
    heldBytes: () => heldBytes,
    /** Takes a chunk. Returns false when the body is no longer small; then it takes nothing. */
    add: (chunk: Uint8Array): boolean => {
      const isSmall = chunks.length < mostChunks && heldBytes + chunk.buffer.byteLength <= smallBytes;
      if (isSmall) {
        chunks.push(chunk);
        heldBytes += chunk.buffer.byteLength;
      }
      return isSmall;
    },
    /** Gives the chunks away. */
    release: (): readonly Uint8Array[] => {
      const released = chunks;
      chunks = [];
      heldBytes = 0;
      return released;
    },
  };
};

/** The same storage, whose `receive` waits for a permit. A waiting upload reads nothing, so its client waits too. */
export const withUploadQueue = (storage: BlobStorage, semaphore: Semaphore): BlobStorage => ({
  ...storage,
  receive: (source, options) => semaphore(() => storage.receive(source, options)),
});

export type ReceivedBody = Pick<ReceivedBlob, 'size' | 'sha256' | 'head'>;

/**
 * Passes each chunk to `store` and waits for it before it reads the next. Rejects with 413 over the limit, with the
 * signal's reason, with the source's error, or with what `store` throws. Then the source is not closed, because it may be
 * a request that still needs an answer; the caller closes it.
 */
export const receiveBody = async (
  source: AsyncIterable<Uint8Array>,
  { maxBytes, signal }: ReceiveOptions,
  store: (chunk: Uint8Array) => Promise<void>,
): Promise<ReceivedBody> => {
  const sum = createHash('sha256');
  const head: Uint8Array[] = [];
  const chunks = source[Symbol.asyncIterator]();
  let size = 0;
  for (let next = await nextOf(chunks, signal); next.done !== true; next = await nextOf(chunks, signal)) {
    const chunk = next.value;
    if (size + chunk.byteLength > maxBytes) throw tooLarge(`The body is larger than ${maxBytes} bytes.`);
    sum.update(chunk);
    if (size < headBytes) head.push(chunk.slice(0, headBytes - size));
    await store(chunk);
    size += chunk.byteLength;
  }
  signal?.throwIfAborted();
  return { size, sha256: sum.digest('hex'), head };
};

/** The next chunk. Rejects with the signal's reason at once, so that a stalled source cannot delay the abort. */
const nextOf = (
  chunks: AsyncIterator<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<IteratorResult<Uint8Array, unknown>> => {
  if (signal === undefined) return chunks.next();
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const abort = (): void => {
      // The signal's owner decides what is thrown.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    void chunks
      .next()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
};
