/** Replaces `storage/blobs/held-bytes.ts`: holds the bytes as Blobs, which a browser may keep outside of the memory of the page. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { ByteRange } from '../model/blob-storage.ts';

export type HeldBytes = Blob;

export const heldBytes = (chunks: readonly Uint8Array<ArrayBuffer>[]): HeldBytes => new Blob([...chunks]);

export const sizeOfHeld = (bytes: HeldBytes): number => bytes.size;

export const openHeld = (bytes: HeldBytes, range?: ByteRange): Readable =>
  Readable.fromWeb(
    (range === undefined ? bytes : bytes.slice(range.start, range.end + 1)).stream() as ReadableStream<Uint8Array>, // the same class with two types
  );
