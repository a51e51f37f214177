/** Taking in an arriving body: counting, hashing, limiting, stopping. Where the bytes go is given. */
import { createHash } from 'node:crypto';
import { tooLarge } from '../../problem.ts';
import { headBytes } from '../../model/blob-storage.ts';
import type { ReceiveOptions } from '../../model/blob-storage.ts';

export type Intake = { readonly size: number; readonly sha256: string; readonly head: Uint8Array };

/**
 * Gives each chunk to `store` and waits for it before the next is asked for. Rejects with 413 over the limit, with the
 * signal's reason, the source's error, or what `store` throws. The source is left where it stopped and is not destroyed:
 * it may be a request that still has to be answered; whoever gave it closes it.
 */
export const takeIn = async (
  source: AsyncIterable<Uint8Array>,
  { maxBytes, signal }: ReceiveOptions,
  store: (chunk: Uint8Array, position: number) => Promise<void>,
): Promise<Intake> => {
  const sum = createHash('sha256');
  const head: Uint8Array[] = [];
  const chunks = source[Symbol.asyncIterator]();
  let size = 0;
  for (let next = await nextOf(chunks, signal); next.done !== true; next = await nextOf(chunks, signal)) {
    const chunk = next.value;
    if (size + chunk.byteLength > maxBytes) throw tooLarge(`The body is larger than ${maxBytes} bytes.`);
    sum.update(chunk);
    if (size < headBytes) head.push(chunk.slice(0, headBytes - size));
    await store(chunk, size);
    size += chunk.byteLength;
  }
  signal?.throwIfAborted();
  return { size, sha256: sum.digest('hex'), head: Buffer.concat(head) };
};

/** The next chunk, or the signal's reason, whichever comes first: a stalled source must not hold the abort up. */
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
