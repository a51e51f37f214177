/** Opens the bytes of a data directory for reading only, on disk or in the buckets that the site names, and compares them with their hashes. */
import { setTimeout as wait } from 'node:timers/promises';
import type { HostedSite } from '../../openapi/openapi-host.ts';
import { blobState, readDiskBlobs, openS3BlobStorage } from '../../storage/storage.ts';
import { filesWithBytes } from './file-blobs.ts';
import { blobDirectory } from './sweep-blobs.ts';
import {
  type BlobStorage,
  type EntityStore,
  type Entity,
  keyOf,
  type S3Location,
  schemeOf,
} from '../../openapi/openapi-records.ts';

type VerifyOptions = {
  readonly currentStore: () => EntityStore;
  /** Readers of the disk itself, by scheme. Files of other schemes are left out. */
  readonly readers: ReadonlyMap<string, BlobReader>;
  readonly onDamage: (file: Entity) => void;
  readonly bytesPerSecond?: number;
  /** Before the first round, so that a start has the disk for itself. */
  readonly firstAfterMs?: number;
  /** Between two rounds. */
  readonly againAfterMs?: number;
};

/** Between two small files. */
const shortestPauseMs = 5;

const dayMs = 24 * 60 * 60 * 1000;

/** Begins, without keeping the process alive. Call the result to end it; it resolves when no file is open any more. */
export const verifyInBackground = (options: VerifyOptions): (() => Promise<void>) => {
  const { bytesPerSecond = 4 * 1024 * 1024, firstAfterMs = 60_000, againAfterMs = dayMs } = options;
  const ending = new AbortController();
  const pause = (ms: number): Promise<void> => wait(ms, undefined, { ref: false, signal: ending.signal });
  const pace = (bytes: number): Promise<void> => pause(Math.max(shortestPauseMs, (bytes / bytesPerSecond) * 1000));
  const run = async (): Promise<void> => {
    await pause(firstAfterMs);
    for (;;) {
      await verifyAll(options, pace);
      await pause(againAfterMs);
    }
  };
  // Only the end aborts a pause, and what cannot be read counts as damage.
  const running = run().catch(() => undefined);
  return async () => {
    ending.abort();
    await running;
  };
};

const verifyAll = async (
  { currentStore, readers, onDamage }: VerifyOptions,
  pace: (bytes: number) => Promise<void>,
): Promise<void> => {
  for (const file of await filesWithBytes(currentStore())) {
    const reader = readers.get(schemeOf(file));
    if (reader === undefined || file.blob === undefined) continue;
    // An error while reading is the disk's. An abort comes again with the next pause.
    const state = await blobState(file.blob, reader, pace).catch(() => 'unreadable');
    await pace(0);
    if (state === 'whole') continue;
    // The bytes may have been replaced while they were read.
    const [present] = await currentStore().getMany([keyOf(file)]);
    if (present?.blob?.key === file.blob.key) onDamage(present);
  }
};

export type BlobReader = Pick<BlobStorage, 'open' | 'keys'>;

/** Adds the repository's instance id to the key prefix. Repositories that share a bucket then never sweep each other's bytes. */
export const withInstancePrefix = (location: S3Location, instance: string): S3Location => ({
  ...location,
  keyPrefix: `${location.keyPrefix}${instance}/`,
});

/** One reader for each scheme of the site. `instance` is the instance id of the data directory. */
export const openBlobReaders = async (
  site: HostedSite,
  directory: string,
  instance: string,
): Promise<ReadonlyMap<string, BlobReader>> => {
  const readers = new Map<string, BlobReader>();
  for (const { scheme, s3 } of site.storages) {
    readers.set(
      scheme,
      s3 === undefined
        ? readDiskBlobs(blobDirectory(directory, scheme))
        : await openS3BlobStorage({ location: withInstancePrefix(s3, instance), newName: () => '' }),
    );
  }
  return readers;
};

/** Readers of the schemes that are kept on disk. */
export const openDiskReaders = (site: HostedSite, directory: string): ReadonlyMap<string, BlobReader> =>
  new Map(
    site.storages
      .filter(({ s3 }) => s3 === undefined)
      .map(({ scheme }) => [scheme, readDiskBlobs(blobDirectory(directory, scheme))]),
  );

/** Returns a function that finds the reader for a file by its scheme. */
export const readerOf =
  (readers: ReadonlyMap<string, BlobReader>) =>
  (file: Entity): BlobReader | undefined =>
    readers.get(schemeOf(file));
