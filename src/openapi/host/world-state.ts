/** Port: the state of a world apart from its records, such as sessions, counts, faults and the clock. Here also: the state in memory. */
import { createLruMap, type LruMap } from '../../basics/lru-map.ts';

/** The course of the world's clock. */
export const clockTopic = 'clock';
/** By how much that clock was moved forward. */
export const clockAdvanceTopic = 'clock-advances';

/**
 * What a reset of the world keeps, and a fork copies. All other topics end with the data: sessions, failed logins, faults. A
 * topic that is not named here cannot outlive a reset by mistake.
 */
export const lastingTopics: readonly string[] = [clockTopic, clockAdvanceTopic];

/** Values of one topic by key. Reads and writes do not wait; the last write of a key wins. */
export type StateMap<Value> = {
  readonly size: number;
  /** Marks the entry as used. */
  get(key: string): Value | undefined;
  /** Values are JSON. A full map drops its least recently used entry. */
  set(key: string, value: Value): void;
  delete(key: string): void;
  entries(): Iterable<readonly [string, Value]>;
};

/** Values of one topic by key that are added to, such as counts. A value may be kept in several parts. */
export type StateTally<Value> = {
  /** The number of parts of all values. */
  readonly size: number;
  /** The parts of a value, which the caller adds up. Empty when there is no such value. */
  all(key: string): readonly Value[];
  /** The parts of all values. */
  values(): Iterable<Value>;
  /** Replaces one part by what `next` makes of it. Undefined stands for no part, before and after. */
  change(key: string, next: (part: Value | undefined) => Value | undefined): void;
  delete(key: string): void;
  /** Deletes the values whose keys begin so. */
  deleteBelow(start: string): void;
  clear(): void;
};

export type WorldState = {
  /** The map of a topic, such as `sessions`. The same map at each call. `limit` is the most entries it may have. */
  map<Value>(topic: string, limit: number): StateMap<Value>;
  /** The same for what is added up. A topic is either a map or a tally. */
  tally<Value>(topic: string, limit: number): StateTally<Value>;
  /** A name that nothing else in the state has: this one, or this one with an ending. */
  uniqueName(name: string): string;
  /** How far the times in the state may be ahead of the clock of its reader. */
  readonly leewaySeconds: number;
};

type MemoryState = WorldState & {
  /** Removes the values of all topics but these. */
  clear(lasting: readonly string[]): void;
};

/** Starts empty. It ends with its owner. */
export const createMemoryState = (): MemoryState => {
  const maps = new Map<string, LruMap<string, unknown>>();
  const mapOf = <Value>(topic: string, limit: number): StateMap<Value> => {
    const map = maps.get(topic) ?? createLruMap<string, unknown>(limit);
    maps.set(topic, map);
    return map as StateMap<Value>; // a topic has one type of value
  };
  return {
    map: mapOf,
    tally: <Value>(topic: string, limit: number) => tallyOver(mapOf<Value>(topic, limit)),
    uniqueName: (name) => name,
    leewaySeconds: 0,
    clear: (lasting) => {
      for (const [topic, map] of maps) if (!lasting.includes(topic)) clearMap(map);
    },
  };
};

const clearMap = (map: Pick<StateMap<unknown>, 'entries' | 'delete'>): void => {
  for (const [key] of [...map.entries()]) map.delete(key);
};

const tallyOver = <Value>(map: StateMap<Value>): StateTally<Value> => ({
  get size() {
    return map.size;
  },
  all: (key) => {
    const value = map.get(key);
    return value === undefined ? [] : [value];
  },
  *values() {
    for (const [, value] of map.entries()) yield value;
  },
  change: (key, next) => {
    const value = next(map.get(key));
    if (value === undefined) map.delete(key);
    else map.set(key, value);
  },
  delete: (key) => map.delete(key),
  deleteBelow: (start) => {
    for (const [key] of [...map.entries()]) if (key.startsWith(start)) map.delete(key);
  },
  clear: () => clearMap(map),
});
