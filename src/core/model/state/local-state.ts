/** Keeps the state of a world that one process serves alone. */
import { createLruMap, type LruMap } from '../../../basics/lru-map.ts';
import type { SharedMap, SharedState } from './shared-state.ts';

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
