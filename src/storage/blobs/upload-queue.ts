/** Limits how many uploads arrive at once. The others wait. */
import type { BlobStorage } from '../../core/model/blob-storage.ts';
import type { Semaphore } from '../../basics/semaphore.ts';

/** The same storage, whose `receive` waits for a permit. A waiting upload reads nothing, so its client waits too. */
export const withUploadQueue = (storage: BlobStorage, semaphore: Semaphore): BlobStorage => ({
  ...storage,
  receive: (source, options) => semaphore(() => storage.receive(source, options)),
});
