/** Holds observed requests until they are written, within a limit: beyond it the oldest ones are given up and counted. */
import { sizeOf } from '../../server/server-worlds.ts';
import type { RecordedExchange } from '../../exchange/exchange.ts';

type WaitingExchange = { readonly world: number; readonly exchange: RecordedExchange };

/** `lost`: how many requests of each world are given up, and not yet said to be. */
export type TakenExchanges = {
  readonly batch: readonly WaitingExchange[];
  readonly lost: ReadonlyMap<number, number>;
};

export type WaitingExchanges = {
  add(one: WaitingExchange): void;
  /** The oldest ones, as many as one statement may write. */
  take(): TakenExchanges;
  /** Nothing of this was written. It comes before all others again. */
  putBack(taken: TakenExchanges): void;
  /** Nobody knows whether this was written. It counts as lost. */
  giveUp(taken: TakenExchanges): void;
  size(): number;
  /** How many were given up since the start. */
  readonly lost: () => number;
  lostOf(world: number): number;
};

/** The most requests of one statement, and the memory that they take. */
const batchEntries = 1000;
const batchBytes = 4 * 1024 * 1024;

/** `limit` is the memory for all of them, in bytes. */
export const createWaitingExchanges = (limit: number): WaitingExchanges => {
  let waiting: WaitingExchange[] = [];
  let bytes = 0;
  let total = 0;
  let lost = new Map<number, number>();
  const lose = (world: number, count = 1): void => {
    lost.set(world, (lost.get(world) ?? 0) + count);
  };
  const keepLimit = (): void => {
    while (bytes > limit) {
      const oldest = waiting.shift();
      if (oldest === undefined) return;
      bytes -= sizeOf(oldest.exchange);
      total += 1;
      lose(oldest.world);
    }
  };
  return {
    add: (one) => {
      waiting.push(one);
      bytes += sizeOf(one.exchange);
      if (bytes > limit) keepLimit();
    },
    take: () => {
      let taken = 0;
      const isTooMuch = ({ exchange }: WaitingExchange): boolean => (taken += sizeOf(exchange)) > batchBytes;
      const end = waiting.slice(1, batchEntries).findIndex(isTooMuch);
      const batch = waiting.slice(0, end < 0 ? batchEntries : end + 1);
      waiting = waiting.slice(batch.length);
      for (const { exchange } of batch) bytes -= sizeOf(exchange);
      const lostBefore = lost;
      lost = new Map();
      return { batch, lost: lostBefore };
    },
    putBack: (taken) => {
      waiting = [...taken.batch, ...waiting];
      for (const { exchange } of taken.batch) bytes += sizeOf(exchange);
      for (const [world, count] of taken.lost) lose(world, count);
      keepLimit();
    },
    giveUp: ({ batch }) => {
      total += batch.length;
      for (const { world } of batch) lose(world);
    },
    size: () => waiting.length,
    lost: () => total,
    lostOf: (world) => lost.get(world) ?? 0,
  };
};
