/** State of a world apart from its records: sessions, counters, faults, the clock. Here: its types, its topics that outlast the data, and the state of one process. */
import { createLruMap, type LruMap } from '../../basics/lru-map.ts';

/** The course of the world's clock. */
export const clockTopic = 'clock';
/** By how much each process has moved that clock forward. */
export const clockAdvanceTopic = 'clock-advances';

/**
 * What a reset of the world keeps, and a fork copies. All other topics end with the data: sessions, failed logins, faults. A
 * topic that is not named here cannot outlive a reset by mistake.
 */
export const lastingTopics: readonly string[] = [clockTopic, clockAdvanceTopic];

type LocalState = SharedState & {
  /** Removes the values of all topics but these. */
  clear(lasting: readonly string[]): void;
};

/** Starts empty. It ends with its owner. */
export const createLocalState = (): LocalState => {
  const maps = new Map<string, LruMap<string, unknown>>();
  return {
    process: '',
    map: <Value>(topic: string, limit: number): SharedMap<Value> => {
      const map = maps.get(topic) ?? createLruMap<string, unknown>(limit);
      maps.set(topic, map);
      return map as SharedMap<Value>; // a topic has one type of value
    },
    clear: (lasting) => {
      for (const [topic, map] of maps) {
        if (!lasting.includes(topic)) for (const [key] of [...map.entries()]) map.delete(key);
      }
    },
  };
};

/** A state that is always the one that `current` returns. */
export const createFollowingState = (current: () => SharedState): SharedState => ({
  get process() {
    return current().process;
  },
  map: <Value>(topic: string, limit: number): SharedMap<Value> => {
    const map = (): SharedMap<Value> => current().map<Value>(topic, limit);
    return {
      get size() {
        return map().size;
      },
      get: (key) => map().get(key),
      set: (key, value) => map().set(key, value),
      delete: (key) => map().delete(key),
      entries: () => map().entries(),
    };
  },
});

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
