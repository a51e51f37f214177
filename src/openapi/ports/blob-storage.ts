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

/**
 * A complete body, stored under a temporary name or, when it is small, still in memory. The caller calls `discard`, or `keep` and then
 * `settle` or `discard`.
 */
export type ReceivedBlob = {
  readonly size: number;
  readonly sha256: string;
  /** The first bytes in pieces, together at most `headBytes`, for reading an image's dimensions. */
  readonly head: readonly Uint8Array[];
  /**
   * Gives the bytes their name, under which they never change. Both are durable then, and no sweep takes them before `settle` or
   * `discard`. Rejects like `receive`, and then no bytes remain.
   */
  keep(): Promise<BlobReference>;
  /** A record names the bytes now, so that sweeps know of them. */
  settle(): void;
  /** No record names the bytes. They go at once, unless they were there before or another upload has kept the same ones. */
  discard(): Promise<void>;
};

/** How many of its first bytes a received blob keeps in memory. */
export const headBytes = 256 * 1024;

/** First and last byte, both inclusive, both inside the blob. */
export type ByteRange = { readonly start: number; readonly end: number };

/**
 * Bytes that never change, under their hash or, where a name is needed before the bytes are there or several processes store them,
 * under a name that is drawn. So equal bytes may have one name, and only a sweep may take them away. No part of a name comes from
 * a client.
 */
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
  /**
   * The same as receiving bytes that are there already, whole as far as is known. Undefined when they are not, absent where names
   * are drawn.
   */
  find?(bytes: Pick<BlobReference, 'size' | 'sha256'>): Promise<ReceivedBlob | undefined>;
  /**
   * Removes the blobs that `unnamed` resolves with, apart from those of uploads that had not settled or were kept after the call.
   * What cannot be removed stays for another sweep. Resolves with what was removed.
   */
  sweep(unnamed: () => Promise<Iterable<string>>): Promise<readonly string[]>;
  /**
   * How long ago a blob was stored, in milliseconds by the clock of the storage. Undefined when there is none. Absent where nobody
   * else stores anything.
   */
  age?(key: string): Promise<number | undefined>;
  /** The names of all blobs, for sweeping. */
  keys(): Promise<readonly string[]>;
  /** Asks what the bytes depend on for an answer. Rejects when none comes. Absent where nothing has to be reached. */
  reach?(): Promise<void>;
  /** Tries whether bytes can be stored now. Rejects as `receive` would. Absent where `reach` says it. */
  probe?(): Promise<void>;
};

/** A bucket of an S3 service. Without `keys`, the AWS SDK looks for them in environment, profile and role. */
export type S3Location = {
  readonly bucket: string;
  readonly region: string;
  /** The URL of the service; Amazon's own when undefined. */
  readonly endpoint: string | undefined;
  /** Whether the bucket is in the path of the URL instead of the host. */
  readonly pathStyle: boolean;
  /** The start of every name in the bucket: empty, or a path that ends with `/`. */
  readonly keyPrefix: string;
  readonly keys: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
};
