/** Counts what this process observes of each world, until it is written as a part of the coverage that all processes count. */
import type { ObservationStore, SumOfParts } from './observation-store.ts';
import type { RecordedExchange } from '../../exchange/exchange.ts';
import { countsOf, createPartTally, sumOfStored, type PartTally, type StoredCounts } from './stored-counts.ts';

export type UnwrittenCounts = {
  readonly add: (world: number, exchange: RecordedExchange) => void;
  /** The counts since the last call, by world. */
  take(): ReadonlyMap<number, StoredCounts>;
  /** Nothing of this was written. */
  putBack(parts: ReadonlyMap<number, StoredCounts>): void;
  /** Call it before `take`: where the coverage of a world was cleared, no link counts as shown any more. */
  forgetCleared(): Promise<void>;
  /** The world is not observed any more. Its counts are still to be written. */
  readonly end: (world: number) => void;
};

export const createUnwrittenCounts = (store: ObservationStore): UnwrittenCounts => {
  const tallies = new Map<number, PartTally>();
  const clears = new Map<number, number>();
  const active = new Set<number>();
  const waiting = createWaitingParts();
  const tallyOf = (world: number): PartTally => {
    const known = tallies.get(world) ?? createPartTally(store.process, store.now);
    tallies.set(world, known);
    return known;
  };
  const takeFrom = (world: number): void => {
    const part = tallies.get(world)?.take();
    if (part !== undefined) waiting.add(world, part);
    active.delete(world);
  };
  return {
    add: (world, exchange) => {
      active.add(world);
      tallyOf(world).add(exchange);
    },
    take: () => {
      for (const world of active) takeFrom(world);
      return waiting.take();
    },
    putBack: (parts) => {
      for (const [world, part] of parts) waiting.add(world, part);
    },
    forgetCleared: async () => {
      const worlds = [...active];
      if (worlds.length === 0) return;
      const now = await store.readClears(worlds);
      for (const world of worlds) {
        const count = now.get(world) ?? 0;
        const known = clears.get(world);
        clears.set(world, count);
        if (known === undefined || known === count) continue;
        waiting.forget(world);
        tallies.get(world)?.recount();
      }
    },
    end: (world) => {
      takeFrom(world);
      tallies.delete(world);
      clears.delete(world);
    },
  };
};

const createWaitingParts = () => {
  let parts = new Map<number, StoredCounts>();
  return {
    add: (world: number, part: StoredCounts): void => {
      const known = parts.get(world);
      parts.set(world, known === undefined ? part : sumOfStored([known, part]));
    },
    take: (): ReadonlyMap<number, StoredCounts> => {
      const taken = parts;
      parts = new Map();
      return taken;
    },
    forget: (world: number): void => void parts.delete(world),
  };
};

/** Adds up parts of one world. */
export const sumOfTexts: SumOfParts = (texts) => JSON.stringify(sumOfStored(texts.map(readPart)));

/** Adds up all parts of a world to which no further ones come, so that addresses need not be remembered. */
export const finalSumOfTexts: SumOfParts = (texts) =>
  JSON.stringify({ ...countsOf(sumOfStored(texts.map(readPart))), notes: [] } satisfies StoredCounts);

export const readPart = (text: string): StoredCounts => JSON.parse(text) as StoredCounts; // written by this file or `write-behind.ts`
