/** Keeps the state of a world that one process serves alone. */
import { createLruMap } from './lru-map.ts';
import type { SharedMap, SharedState } from './shared-state.ts';

/** Starts empty. It ends with its owner. */
export const createLocalState = (): SharedState => {
  const maps = new Map<string, SharedMap<unknown>>();
  return {
    process: '',
    map: <Value>(topic: string, limit: number): SharedMap<Value> => {
      const map = maps.get(topic) ?? createLruMap<string, unknown>(limit);
      maps.set(topic, map);
      return map as SharedMap<Value>; // a topic has one type of value
    },
  };
};
