/** State of a world beside its records: sessions, counters, faults, the clock. Where several processes serve a world, they share it. */

/**
 * Values of one topic by key. Reads and writes are local and do not wait. Where several processes serve the world, a value
 * reaches the others before the reply to the request that wrote it; the last write of a key wins. What several processes
 * count, each of them counts under keys of its own.
 */
export type SharedMap<Value> = {
  readonly size: number;
  /** Marks the entry as used. */
  get(key: string): Value | undefined;
  /** Values are JSON. A full map drops its least recently used entry. */
  set(key: string, value: Value): void;
  delete(key: string): void;
  entries(): Iterable<readonly [string, Value]>;
};

export type SharedState = {
  /** The name of this process among those that share the state. Empty where there is one process. */
  readonly process: string;
  /** The map of a topic, such as `sessions`. The same map at each call. `limit` is the most entries it may have. */
  map<Value>(topic: string, limit: number): SharedMap<Value>;
};
