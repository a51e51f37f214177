/** Port: where the traffic and the coverage of worlds are kept. Here also: the records in memory. */
import type { Awaitable } from '../../basics/awaitable.ts';
import {
  type CoverageCounts,
  type CoverageTally,
  createCoverageTally,
  sumOfCounts,
} from '../../contract/contract-coverage.ts';
import type { HostedOperation } from '../../openapi/openapi-host.ts';
import { createTrafficLog, type LocalTrafficLog, type TrafficLog } from '../traffic/traffic-log.ts';

/** The traffic and the coverage of a world, which a reset of the world keeps. */
export type WorldRecord = { readonly traffic: TrafficLog; readonly coverage: CoverageTally };

/** The memory for so many requests of one world, in bytes. Long ones take from what short ones leave; few ones may be long. */
export const memoryOf = (entries: number): number => Math.max(entries, 1000) * 4096;

export type WorldRecords = {
  /** The record of a world that is served from now on, with a function that ends it. `id`: the number of the world in a database. */
  open(id: number): { readonly record: WorldRecord; readonly close: () => void };
  /** The sum over all worlds, including dropped ones. */
  total(): Promise<CoverageCounts>;
  clearTotal(): Awaitable<void>;
  /** The number of requests that were observed here and could not be kept. */
  lost(): number;
  /** Writes what waits to be written. Rejects with a Problem when it cannot. */
  flush(): Promise<void>;
};

export type WorldRecordsOptions = {
  /** The number of requests that are kept of each world. */
  readonly entries: number;
  /** The operations of the document served now. */
  readonly operations: () => readonly HostedOperation[];
};

/** Makes another place for records than memory. */
export type CreateWorldRecords = (options: WorldRecordsOptions) => WorldRecords;

type MemoryRecord = { readonly traffic: LocalTrafficLog; readonly coverage: ReturnType<typeof createCoverageTally> };

/** Belongs to no world. */
export const createMemoryRecord = (entries: number): MemoryRecord => ({
  traffic: createTrafficLog({ entries, bytes: memoryOf(entries) }),
  coverage: createCoverageTally(),
});

export const createMemoryRecords = (entries: number): WorldRecords & { open(): ReturnType<WorldRecords['open']> } => {
  const records = new Set<MemoryRecord>();
  let dropped: CoverageCounts = sumOfCounts([]);
  return {
    open: () => {
      const record = createMemoryRecord(entries);
      records.add(record);
      const close = (): void => {
        if (records.delete(record)) dropped = sumOfCounts([dropped, record.coverage.countsNow()]);
      };
      return { record, close };
    },
    total: async () => {
      const counts = await Promise.all([...records].map(({ coverage }) => coverage.counts()));
      return sumOfCounts([dropped, ...counts]);
    },
    clearTotal: () => {
      dropped = sumOfCounts([]);
      for (const { coverage } of records) coverage.clear();
    },
    lost: () => 0,
    flush: () => Promise.resolve(),
  };
};
