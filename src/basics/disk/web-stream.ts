/** Makes the platform's streams of bytes out of open files and of Node's streams. */
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { streamOf } from '../byte-streams.ts';
import { openRegularFile } from './regular-file.ts';

/** Larger reads gain nothing, and each byte of them waits in memory for a slow client. */
const chunkBytes = 256 * 1024;

/** First and last byte, both inclusive. */
type Part = { readonly start: number; readonly end: number };

/** The bytes of a part, or as many of them as the file has. Closes the file at its end, on an error and when the reader cancels. */
export const fileStream = (handle: FileHandle, { start, end }: Part): ReadableStream<Uint8Array> => {
  let position = start;
  const next = async (): Promise<Uint8Array> => {
    const wanted = Math.min(chunkBytes, end + 1 - position);
    if (wanted <= 0) return new Uint8Array(0);
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafeSlow(wanted), 0, wanted, position);
    position += bytesRead;
    return buffer.subarray(0, bytesRead);
  };
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const chunk = await next();
          if (chunk.byteLength > 0) controller.enqueue(chunk);
          if (chunk.byteLength > 0 && position <= end) return;
          await handle.close();
          controller.close();
        } catch (error) {
          await handle.close().catch(() => undefined);
          throw error;
        }
      },
      cancel: () => handle.close(),
    },
    { highWaterMark: 0 },
  );
};

/** A stream of a file's bytes. Undefined when it is missing, has another size, or is not a regular file. */
export const openFileOfSize = async (
  path: string,
  size: number,
  range: Part = { start: 0, end: size - 1 },
): Promise<ReadableStream<Uint8Array> | undefined> => {
  const handle = await openRegularFile(path).catch(() => undefined);
  if (handle === undefined) return undefined;
  if ((await handle.stat()).size === size) return fileStream(handle, range);
  await handle.close();
  return undefined;
};

/** A stream of Node as one of the platform. Nothing is read before it is wanted. When the reader cancels, the stream is destroyed. */
export const webStream = (stream: Readable): ReadableStream<Uint8Array> =>
  streamOf({
    [Symbol.asyncIterator]: () => {
      const chunks = stream.iterator() as AsyncIterator<Uint8Array>; // a stream without an encoding
      return {
        next: () => chunks.next(),
        return: () => {
          stream.destroy();
          return Promise.resolve({ done: true, value: undefined });
        },
      };
    },
  });
