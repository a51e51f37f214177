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
