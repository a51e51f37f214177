/**
 * One of the two ports of the storage: `BlobStorage` keeps bytes, `EntityStore` (`entity-store.ts`) keeps records.
 * Every implementation passes `test/storage/blob-storage.suite.ts`.
 */
import type { BlobReference } from './entity.ts';

/** How a body is received. When `signal` aborts, the bytes received so far are discarded. */
export type ReceiveOptions = {
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** The announced length. A storage without that much room refuses before the first byte. */
  readonly expectedBytes?: number | undefined;
};

/** A complete body, stored under a temporary name or, when it is small, still in memory. The caller calls either `keep` or `discard`. */
export type ReceivedBlob = {
  readonly size: number;
  readonly sha256: string;
  /** The first bytes in pieces, together at most `headBytes`, for reading an image's dimensions. */
  readonly head: readonly Uint8Array[];
  /** Gives the bytes their final, opaque name. Both are durable then. Rejects like `receive`, and then no bytes remain. */
  keep(): Promise<BlobReference>;
  /** Removes the bytes at once: instead of `keep`, or after it when no record names them. */
  discard(): Promise<void>;
};

/** How many of its first bytes a received blob keeps in memory. */
export const headBytes = 256 * 1024;

/** First and last byte, both inclusive, both inside the blob. */
export type ByteRange = { readonly start: number; readonly end: number };

/** Bytes under opaque names. No part of a name comes from a client. */
export type BlobStorage = {
  /**
   * Streams a body to a temporary blob, and counts and hashes it on the way. Never buffers a large one.
   * Rejects with a Problem (413 over `maxBytes`, 507 without space) or with the source's error. Then no bytes remain.
   */
  receive(source: AsyncIterable<Uint8Array>, options: ReceiveOptions): Promise<ReceivedBlob>;
  /**
   * A stream of the bytes, to be read or cancelled: it may keep a file open. Undefined when there is no such blob or its size is not
   * the reference's.
   */
  open(blob: BlobReference, range?: ByteRange): Promise<ReadableStream<Uint8Array> | undefined>;
  /** Removes a blob. A missing blob is not an error. */
  remove(key: string): Promise<void>;
  /**
   * How long ago a blob was stored, in milliseconds by the clock of the storage. Undefined when there is none. Absent where nobody
   * else stores anything.
   */
  age?(key: string): Promise<number | undefined>;
  /** The names of all blobs, for sweeping. */
  keys(): Promise<readonly string[]>;
  /** Asks what the bytes depend on for an answer. Rejects when none comes. Absent where nothing has to be reached. */
  reach?(): Promise<void>;
};
