/** Holds the bytes of one blob in memory. `browser/held-blobs.ts` does it where there is no Node. */
import { Readable } from 'node:stream';
import type { ByteRange } from '../../core/model/blob-storage.ts';

export type HeldBytes = Buffer;

export const heldBytes = (chunks: readonly Uint8Array[]): HeldBytes => Buffer.concat(chunks);

export const sizeOfHeld = (bytes: HeldBytes): number => bytes.byteLength;

export const openHeld = (bytes: HeldBytes, range?: ByteRange): Readable =>
  Readable.from([range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)], { objectMode: false });
