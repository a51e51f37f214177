/** The traffic and coverage of worlds that several processes observe, over a store that they share. */
import { type CoverageCounts, sumOfCounts } from '../../contract/contract-coverage.ts';
import { memoryOf, type WorldRecords, type WorldRecordsOptions } from '../../server/server-worlds.ts';
import type { ObservationStore } from './observation-store.ts';
import { createStoredTrafficLog } from './stored-traffic-log.ts';
import { countsOf, sumOfStored } from './stored-counts.ts';
import { finalSumOfTexts, readPart, sumOfTexts } from './unwritten-counts.ts';
import { createWriteBehind } from './write-behind.ts';

type StoredRecordsOptions = WorldRecordsOptions & {
  readonly store: ObservationStore;
  /** See `WriteBehindOptions`. */
  readonly bytes?: number | undefined;
};

/** A reading that finds so many parts to add up has them added up. */
const maxParts = 32;

/** The number of a world is the id that all processes know it by. */
export const createStoredRecords = ({ store, operations, entries, bytes }: StoredRecordsOptions): WorldRecords => {
  const writing = createWriteBehind({ store, entries, bytes });
  const limits = { entries, bytes: memoryOf(entries) };
  const countsIn = async (world: number): Promise<CoverageCounts> => {
    await writing.flush();
    const parts = await store.readCoverage(world);
    if (parts.length > maxParts) await store.sumCoverage(world, sumOfTexts);
    return countsOf(sumOfStored(parts.map(({ text }) => readPart(text))));
  };
  const clear = async (world?: number): Promise<void> => {
    await writing.flush();
    await store.clearCoverage(world);
  };
  return {
    flush: writing.flush,
    lost: writing.lost,
    open: (world) => ({
      record: {
        traffic: createStoredTrafficLog({ world, limits, store, operations, unwritten: writing.traffic(world) }),
        coverage: {
          add: (exchange) => writing.count(world, exchange),
          counts: () => countsIn(world),
          clear: () => clear(world),
        },
      },
      // The world is dropped, or nobody asks this process for it.
      close: () => writing.end(world),
    }),
    total: async () => {
      await writing.flush();
      const parts = await store.readCoverage();
      if (parts.filter(({ isGone }) => isGone).length > maxParts) await store.sumGoneWorlds(finalSumOfTexts);
      const worlds = [...new Set(parts.map(({ world }) => world))];
      return sumOfCounts(
        worlds.map((id) =>
          countsOf(sumOfStored(parts.filter(({ world }) => world === id).map(({ text }) => readPart(text)))),
        ),
      );
    },
    clearTotal: () => clear(),
  };
};
