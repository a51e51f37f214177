/** The traffic and coverage of worlds that several processes observe, over a store that they share. */
import { type CoverageCounts, type CoverageTally, sumOfCounts } from '../../../contract/coverage/coverage-tally.ts';
import type { Operation } from '../../../core/document/operation.ts';
import type { ObservationStore } from './observation-store.ts';
import { createStoredTrafficLog } from '../../traffic/stored-traffic-log.ts';
import type { TrafficLog } from '../../traffic/traffic-log.ts';
import { countsOf, sumOfStored } from './stored-counts.ts';
import { finalSumOfTexts, readPart, sumOfTexts } from './unwritten-counts.ts';
import { createWriteBehind, type WriteBehind } from './write-behind.ts';

/** A reset of the world keeps them. */
export type WorldRecord = { readonly traffic: TrafficLog; readonly coverage: CoverageTally };

/** The memory for so many requests of one world, in bytes. Long ones take from what short ones leave; few ones may be long. */
export const memoryOf = (entries: number): number => Math.max(entries, 1000) * 4096;

/** What the processes share. */
export type SharedObservations = {
  readonly store: ObservationStore;
  /** The operations of the document served now. */
  readonly operations: () => readonly Operation[];
  /** See `WriteBehindOptions`. */
  readonly bytes?: number | undefined;
};

type StoredRecords = Pick<WriteBehind, 'flush' | 'lost'> & {
  /** `world` is the id that all processes know the world by. */
  record(world: number): WorldRecord;
  /** The world is not served here any more: it is dropped, or nobody asks for it. */
  end(world: number): void;
  /** The sum over all worlds, including dropped ones. */
  readonly total: () => Promise<CoverageCounts>;
  readonly clearTotal: () => Promise<void>;
};

/** A reading that finds so many parts to add up has them added up. */
const maxParts = 32;

export const createStoredRecords = (
  { store, operations, bytes }: SharedObservations,
  entries: number,
): StoredRecords => {
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
    end: writing.end,
    record: (world) => ({
      traffic: createStoredTrafficLog({ world, limits, store, operations, unwritten: writing.traffic(world) }),
      coverage: {
        add: (exchange) => writing.count(world, exchange),
        counts: () => countsIn(world),
        clear: () => clear(world),
      },
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
