/** Port: keeps what several processes observe of the worlds that they serve: requests with their replies, and coverage. */

/** What one process has observed in one world since it wrote last. */
export type NewObservations = {
  readonly world: number;
  /** Requests as JSON on one line each, without secrets, oldest first. */
  readonly entries: readonly string[];
  /** How many requests before these are not kept, because newer ones take their place. They get ids too. */
  readonly skipped: number;
  /** How many requests could not be kept. */
  readonly lost: number;
  /** The counts, as JSON. Undefined when nothing was counted. */
  readonly coverage: string | undefined;
};

export type StoredTraffic = {
  /** The id of the newest request. 0 when there was none. */
  readonly last: number;
  /** The id of the newest request that is forgotten by a `clearTraffic`. 0 when there is none. */
  readonly cleared: number;
  /** How many requests could not be kept since then. */
  readonly lost: number;
  /** Ids ascend in the order in which requests were written. Oldest first. */
  readonly entries: readonly { readonly id: number; readonly text: string }[];
};

/** What one process has counted in one world at a time, or the sum of several of these. `world` 0 has the sum of gone worlds. */
export type StoredPart = { readonly world: number; readonly isGone: boolean; readonly text: string };

/** Adds parts up. */
export type SumOfParts = (texts: readonly string[]) => string;

/** Rejects with a Problem 503 when it cannot be reached. */
export type ObservationStore = {
  /** The name of this process, other than that of every other one. */
  readonly process: string;
  /** The real time in milliseconds, nearly the same in all processes whatever the clocks of their machines say. */
  readonly now: () => number;
  /**
   * Writes all or nothing. Requests of worlds that are gone are not kept, their coverage is. Resolves with false when the answer
   * of the database was lost, so that nobody knows whether it has written. Rejects when nothing was written.
   */
  write(observed: readonly NewObservations[]): Promise<boolean>;
  /** How often the coverage of each of these worlds was cleared. A process then forgets which links it has shown. */
  readClears(worlds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Removes all requests of these worlds but the newest ones and those that were written together with one of them. */
  keepNewest(worlds: readonly number[], most: number): Promise<void>;
  /** The newest requests with an id above `since`, at most `most`. */
  readTraffic(world: number, since: number, most: number): Promise<StoredTraffic>;
  /** Forgets the requests of a world. Later ids continue from the last one. */
  clearTraffic(world: number): Promise<void>;
  /** The parts of one world, or of all. */
  readCoverage(world?: number): Promise<readonly StoredPart[]>;
  clearCoverage(world?: number): Promise<void>;
  /** Replaces the parts of a world by their sum. A part that is written meanwhile stays next to it. */
  sumCoverage(world: number, sum: SumOfParts): Promise<void>;
  /** Replaces the parts of all worlds that are gone by one sum, and removes their requests. `sum` gets the parts of one world at a time. */
  sumGoneWorlds(sum: SumOfParts): Promise<void>;
};
