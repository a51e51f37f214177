/** Counts the work of stores and uploads in this process, for metrics. Each worker adds to the numbers. */
import { createHistogram, type Histogram } from './histogram.ts';

/** What entity stores wrote. All stores of a process may share one. */
export type WriteTally = {
  /** The number of change sets in each batch that was written. */
  readonly batchSizes: Histogram;
  /** Seconds until a batch was durable. */
  readonly seconds: Histogram;
  /** Batches that could not be written. */
  failed: number;
};

/** Uploads to all worlds. */
export type UploadTally = {
  /** Bodies that arrive now, or wait for their turn. */
  running: number;
  /** Uploads that were stored with their records. */
  stored: number;
  /** Uploads that were refused, or that ended early. */
  failed: number;
  /** The bytes of the stored ones. */
  bytes: number;
};

/** The connections to a database. `waiting` is how many pieces of work wait for one. */
export type PoolState = { readonly total: number; readonly idle: number; readonly waiting: number };

const batchBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** Upper bounds in seconds: a kept answer takes less than the first one, and a client gives up near the last one. */
export const secondBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const createWriteTally = (): WriteTally => ({
  batchSizes: createHistogram(batchBounds),
  seconds: createHistogram(secondBounds),
  failed: 0,
});

export const createUploadTally = (): UploadTally => ({ running: 0, stored: 0, failed: 0, bytes: 0 });

/** A cache of replies as its tally sees it. */
type CountedCache = { readonly cached: { usage(): { readonly entries: number; readonly bytes: number } } };

/** Counts what the reply caches of a server spare, and knows the caches that are in use. */
export type ReplyCacheTally = { hits: number; misses: number; readonly caches: Set<WeakRef<CountedCache>> };

export const createReplyCacheTally = (): ReplyCacheTally => ({ hits: 0, misses: 0, caches: new Set() });

/** How many replies all caches hold, and their bytes. */
export const replyCacheUsage = ({ caches }: ReplyCacheTally): { readonly replies: number; readonly bytes: number } => {
  const sum = { replies: 0, bytes: 0 };
  for (const cache of caches) {
    const usage = cache.deref()?.cached.usage();
    if (usage === undefined) caches.delete(cache);
    sum.replies += usage?.entries ?? 0;
    sum.bytes += usage?.bytes ?? 0;
  }
  return sum;
};
