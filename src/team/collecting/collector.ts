/** Removes from the database what nothing needs any more: expired worlds, layers that nothing names, old changes, bytes without a record. Does so in the background. */
import { createSemaphore } from '../../basics/semaphore.ts';
import type { DatabaseClock } from '../database-clock.ts';
import { returnLease, takeLease } from '../lease.ts';
import type { HealthReason, ReadHealth } from '../../server/server-worlds.ts';
import type { Database } from '../postgres/database.ts';
import { removeWorld } from '../world-rows.ts';
import { createBlobCollector, createSeen, graceMs } from './blob-collector.ts';
import { collectChanges, collectLayer, collectRemovedState, expiredWorlds, unnamedLayers } from './garbage-rows.ts';
import type { BlobStorage, Clock } from '../../openapi/openapi-records.ts';
import { Problem } from '../../openapi/openapi-terms.ts';

type Background = {
  /** Waits for what runs. */
  end(): Promise<void>;
  /** Whether the last pass failed, though the database answered. */
  readonly health: ReadHealth;
};

const everyMs = 60_000;

const collectingFailed: HealthReason = {
  code: 'compaction_failed',
  message: 'What nothing needs any more could not be removed. It is tried again every minute. The log says why.',
};

/** A database that cannot be reached is asked again the next time; other errors cause a warning. */
export const startBackground = (
  clock: DatabaseClock,
  collector: Collector,
  warn: (message: string) => void,
): Background => {
  let running: Promise<void> = Promise.resolve();
  let hasFailed = false;
  const work = async (): Promise<void> => {
    try {
      await clock.compare();
      await collector.collect();
      hasFailed = false;
    } catch (error) {
      hasFailed = !(error instanceof Problem);
      if (hasFailed) warn(`What nothing needs was not collected: ${String(error)}`);
    }
  };
  const timer = setInterval(() => {
    running = running.then(work);
  }, everyMs).unref();
  return {
    health: async () => (hasFailed ? [collectingFailed] : []),
    end: async () => {
      clearInterval(timer);
      await running;
      await collector.close();
    },
  };
};

type CollectorOptions = {
  readonly database: Database;
  /** The real time, the same in all processes. */
  readonly clock: Clock;
  /** By scheme. Their `remove` does not wait. */
  readonly storages: ReadonlyMap<string, BlobStorage>;
  /** The name of this process. */
  readonly process: string;
  readonly warn: (message: string) => void;
};

/** What a pass has removed. Undefined when another process collects. */
type Collected =
  { readonly worlds: number; readonly layers: number; readonly changes: number; readonly blobs: number } | undefined;

export type Collector = {
  /** One pass. Passes run one after another. Rejects with a Problem when the database cannot be reached. */
  collect(): Promise<Collected>;
  /** Waits for the pass that runs, and lets another process collect. */
  close(): Promise<void>;
};

/** Longer than a pass should take. A pass takes the lease again between its parts. */
const leaseMs = 120_000;

/** How long changes are kept. A process that missed more than these asks for everything again. */
export const changesKeptMs = 3_600_000;

/** To find bytes that nothing names, all records of files are read and all storages are listed: not in every pass. */
const blobsEveryMs = graceMs;

export const createCollector = (options: CollectorOptions): Collector => {
  const { database, clock, process } = options;
  const lease = { name: 'collector', holder: process };
  const seen = createSeen<number>(clock);
  const blobs = createBlobCollector(options, createSeen<string>(clock));
  const hasLease = (): Promise<boolean> => takeLease(database, lease, leaseMs);
  let blobsAgain = -Infinity;
  const collectBlobs = async (): Promise<number> => {
    if (clock.now() < blobsAgain || !(await hasLease())) return 0;
    const removed = await blobs.collect();
    blobsAgain = clock.now() + blobsEveryMs;
    return removed;
  };
  const pass = async (): Promise<Collected> => {
    if (!(await hasLease())) return undefined;
    const expired = await expiredWorlds(database, clock.now());
    for (const id of expired) await database.transaction((queries) => removeWorld(queries, id));
    const unnamed = seen.longAgo(await unnamedLayers(database));
    let layers = 0;
    for (const id of unnamed) {
      if (!(await hasLease())) break;
      await collectLayer(database, id);
      layers += 1;
    }
    const changes = await collectChanges(database, clock.now() - changesKeptMs);
    await collectRemovedState(database);
    return { worlds: expired.length, layers, changes, blobs: await collectBlobs() };
  };
  const inTurn = createSemaphore(1);
  return {
    collect: () => inTurn(pass),
    close: () => inTurn(() => returnLease(database, lease).catch(() => undefined)),
  };
};
