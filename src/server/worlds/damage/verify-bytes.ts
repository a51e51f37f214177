/** Compares all stored bytes with their hashes in the background, slowly. */
import { setTimeout as wait } from 'node:timers/promises';
import { keyOf, type Entity } from '../../../core/model/entity.ts';
import { schemeOf } from '../../../core/content/repository.ts';
import type { EntityStore } from '../../../core/model/entity-store.ts';
import { blobState } from '../../../storage/blobs/check-blobs.ts';
import type { BlobReader } from '../blob-readers.ts';
import { filesWithBytes } from '../file-blobs.ts';

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
