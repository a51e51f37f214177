/** Replaces `storage/blobs/held-bytes.ts`: holds the bytes as Blobs, which a browser may keep outside of the memory of the page. */
import { streamOf } from '../basics/byte-streams.ts';
import type { ByteRange } from '../openapi/openapi-records.ts';

export type HeldBytes = Blob;

export const createArrivingBytes = () => {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  return {
    add: (chunk: Uint8Array): void => void chunks.push(chunk.slice()),
    end: (): HeldBytes => new Blob(chunks),
    giveUp: (): Promise<void> => Promise.resolve(),
  };
};

/** The browser does it when nothing refers to the bytes. */
export const freeHeld = (): Promise<void> => Promise.resolve();

export const sizeOfHeld = (bytes: HeldBytes): number => bytes.size;

export const openHeld = (bytes: HeldBytes, range?: ByteRange): ReadableStream<Uint8Array> => {
  const part = range === undefined ? bytes : bytes.slice(range.start, range.end + 1);
  return canStream(part) ? part.stream() : streamOf(readWhole(part));
};

/** Blobs of jsdom cannot. */
const canStream = (bytes: Blob): boolean => typeof (bytes as Partial<Blob>).stream === 'function';

const readWhole = async function* (bytes: Blob): AsyncGenerator<Uint8Array> {
  yield await new Promise<Uint8Array>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(new Uint8Array(reader.result as ArrayBuffer)); // what `readAsArrayBuffer` gives
    reader.onerror = () => reject(reader.error ?? new Error('The bytes cannot be read.'));
    reader.readAsArrayBuffer(bytes);
  });
};
