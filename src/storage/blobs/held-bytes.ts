/** Holds the bytes of one blob in memory. `browser/held-blobs.ts` does it where there is no Node. */
import { streamOf } from '../../basics/byte-streams.ts';
import type { ByteRange } from '../../core/model/blob-storage.ts';

export type HeldBytes = Buffer;

export const heldBytes = (chunks: readonly Uint8Array[]): HeldBytes => Buffer.concat(chunks);

export const sizeOfHeld = (bytes: HeldBytes): number => bytes.byteLength;

export const openHeld = (bytes: HeldBytes, range?: ByteRange): ReadableStream<Uint8Array> =>
  streamOf([range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)]);
