/** The port behind which bytes live. Every implementation passes `test/storage/blob-storage.suite.ts`. */
import type { Readable } from 'node:stream';
import type { BlobReference } from './entity.ts';

/** An arriving body. `signal` aborts: what has come is discarded. */
export type ReceiveOptions = {
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** How much is announced to come; a storage without that much room refuses before the first byte. */
  readonly expectedBytes?: number | undefined;
};

/** Bytes that have arrived whole and are durable under a temporary name. Either `keep` or `discard` is called. */
export type ReceivedBlob = {
  readonly size: number;
  readonly sha256: string;
  /** The first bytes, at most `headBytes`, for reading an image's dimensions. */
  readonly head: Uint8Array;
  /** Gives the bytes their final, opaque name, durably. */
  keep(): Promise<BlobReference>;
  /** Removes the bytes at once: instead of `keep`, or after it when no record came to name them. */
  discard(): Promise<void>;
};

/** How much of the beginning a received blob keeps in memory. */
export const headBytes = 256 * 1024;

/** First and last byte, both inclusive, both inside the blob. */
export type ByteRange = { readonly start: number; readonly end: number };

/** Bytes under opaque names. Nothing a client sends becomes part of a name. */
export type BlobStorage = {
  /**
   * Streams a body to a temporary place while counting and hashing it (never buffering it).
   * Rejects with a Problem: 413 over `maxBytes`, 507 no space; with the source's error when the source fails. Leaves
   * nothing behind then.
   */
  receive(source: AsyncIterable<Uint8Array>, options: ReceiveOptions): Promise<ReceivedBlob>;
  /** A stream of the bytes, or undefined when there is no such blob or its size is not the reference's. */
  open(blob: BlobReference, range?: ByteRange): Promise<Readable | undefined>;
  /** Removes a blob; one that is not there is no error. */
  remove(key: string): Promise<void>;
  /** The names of all blobs, for sweeping. */
  keys(): Promise<readonly string[]>;
};
