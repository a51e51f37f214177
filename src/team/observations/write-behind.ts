/** Writes what this process observes to the store of all processes: in the background, and when somebody wants to read it. */
import { shareNextRun } from '../../basics/semaphore.ts';
import type { NewObservations, ObservationStore } from './observation-store.ts';
import { storedExchange } from './stored-exchange.ts';
import type { UnwrittenTraffic } from './stored-traffic-log.ts';
import type { RecordedExchange } from '../../exchange/exchange.ts';
import type { StoredCounts } from './stored-counts.ts';
import { createUnwrittenCounts, finalSumOfTexts, sumOfTexts, type UnwrittenCounts } from './unwritten-counts.ts';
import { createWaitingExchanges, type TakenExchanges, type WaitingExchanges } from './waiting-exchanges.ts';

type WriteBehindOptions = {
  readonly store: ObservationStore;
  /** The number of requests that are kept of each world. */
  readonly entries: number;
  /** The memory for the requests of all worlds that wait, in bytes. Beyond it the oldest ones are given up. */
  readonly bytes?: number | undefined;
};

export type WriteBehind = {
  traffic(world: number): UnwrittenTraffic;
  /** Counts a request for the coverage of its world. It is written with the traffic. */
  readonly count: (world: number, exchange: RecordedExchange) => void;
  /** The world is not observed any more. */
  readonly end: (world: number) => void;
  /** Writes everything. Rejects with a Problem when it cannot; what waits is tried again. */
  readonly flush: () => Promise<void>;
  /** The number of requests that this process has given up. */
  readonly lost: () => number;
};

/** The longest time that an observed request waits before it is written, in milliseconds. */
const writeBehindMs = 200;

/** How long it waits after a failure, in milliseconds. */
const retryMs = 1000;

const defaultBytes = 32 * 1024 * 1024;

export const createWriteBehind = ({ store, entries, bytes = defaultBytes }: WriteBehindOptions): WriteBehind => {
  const waiting = createWaitingExchanges(bytes);
  const counts = createUnwrittenCounts(store);
  const writeBatch = createBatches({ store, entries, waiting, counts });
  let timer: NodeJS.Timeout | undefined;

  const flush = shareNextRun(async () => {
    clearTimeout(timer);
    timer = undefined;
    // With `--check-replies log` the last replies are checked in this turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      await counts.forgetCleared();
      do await writeBatch();
      while (waiting.size() > 0);
    } catch (error) {
      writeSoon(retryMs);
      throw error;
    }
  });
  const writeSoon = (ms: number): void => {
    timer ??= setTimeout(() => {
      // A failed write is tried again, and requests that are given up are counted.
      flush().catch(() => undefined);
    }, ms).unref();
  };
  return {
    traffic: (world) => ({
      add: (exchange) => {
        waiting.add({ world, exchange });
        if (timer === undefined) writeSoon(writeBehindMs);
      },
      flush,
      lost: () => waiting.lostOf(world),
    }),
    count: counts.add,
    end: counts.end,
    flush,
    lost: waiting.lost,
  };
};

type BatchParts = Pick<WriteBehindOptions, 'store' | 'entries'> & {
  readonly waiting: WaitingExchanges;
  readonly counts: UnwrittenCounts;
};

/** Writes what waits, as much as one statement may write. */
const createBatches = ({ store, entries, waiting, counts }: BatchParts) => {
  const tidy = createTidying(store, entries);
  return async (): Promise<void> => {
    const taken = waiting.take();
    const parts = counts.take();
    const observed = observationsOf(taken, parts, entries);
    if (observed.length === 0) return;
    try {
      if (!(await store.write(observed))) waiting.giveUp(taken);
    } catch (error) {
      waiting.putBack(taken);
      counts.putBack(parts);
      throw error;
    }
    await tidy(observed);
  };
};

/** Of more requests of a world than are kept, only the newest ones are written. */
const observationsOf = (
  { batch, lost }: TakenExchanges,
  parts: ReadonlyMap<number, StoredCounts>,
  entries: number,
): NewObservations[] => {
  const byWorld = new Map<number, RecordedExchange[]>();
  for (const { world, exchange } of batch) {
    const known = byWorld.get(world);
    if (known === undefined) byWorld.set(world, [exchange]);
    else known.push(exchange);
  }
  const worlds = [...new Set([...byWorld.keys(), ...lost.keys(), ...parts.keys()])].sort((a, b) => a - b);
  return worlds.map((world) => {
    const exchanges = byWorld.get(world) ?? [];
    const kept = exchanges.slice(-entries);
    const part = parts.get(world);
    return {
      world,
      entries: kept.map(storedExchange),
      skipped: exchanges.length - kept.length,
      lost: lost.get(world) ?? 0,
      coverage: part === undefined ? undefined : JSON.stringify(part),
    };
  });
};

/** After so many parts of a world they are added up. */
const maxParts = 64;

/** After so many parts of any world, those of worlds that are gone are added up. */
const maxPartsOfAll = 500;

/** Removes what is too old, and adds up parts of the coverage, now and then. A failure is left to the next time. */
const createTidying = (store: ObservationStore, entries: number) => {
  const written = new Map<number, number>();
  const parts = new Map<number, number>();
  let ofAll = 0;
  const isDue = (counts: Map<number, number>, world: number, added: number, limit: number): boolean => {
    const count = (counts.get(world) ?? 0) + added;
    if (count < limit) counts.set(world, count);
    else counts.delete(world);
    return count >= limit;
  };
  return async (observed: readonly NewObservations[]): Promise<void> => {
    const full = observed.filter((one) => isDue(written, one.world, one.entries.length + one.skipped, entries / 10));
    const split = observed.filter(({ world, coverage }) =>
      isDue(parts, world, coverage === undefined ? 0 : 1, maxParts),
    );
    ofAll += observed.filter(({ coverage }) => coverage !== undefined).length;
    const isMuch = ofAll >= maxPartsOfAll;
    if (isMuch) ofAll = 0;
    try {
      if (isMuch) await store.sumGoneWorlds(finalSumOfTexts);
      if (full.length > 0)
        await store.keepNewest(
          full.map(({ world }) => world),
          entries,
        );
      for (const { world } of split) await store.sumCoverage(world, sumOfTexts);
    } catch {
      // The next writing tries again.
    }
  };
};
