/** Follows the state of a world through its resets, for what outlives them. */
import type { StateMap, StateTally, WorldState } from '../../openapi/openapi-host.ts';

/** A state that is always the one that `current` returns. */
export const createFollowingState = (current: () => WorldState): WorldState => ({
  uniqueName: (name) => current().uniqueName(name),
  get leewaySeconds() {
    return current().leewaySeconds;
  },
  map: <Value>(topic: string, limit: number): StateMap<Value> => {
    const map = (): StateMap<Value> => current().map<Value>(topic, limit);
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
  tally: <Value>(topic: string, limit: number): StateTally<Value> => {
    const tally = (): StateTally<Value> => current().tally<Value>(topic, limit);
    return {
      get size() {
        return tally().size;
      },
      all: (key) => tally().all(key),
      values: () => tally().values(),
      change: (key, next) => tally().change(key, next),
      delete: (key) => tally().delete(key),
      deleteBelow: (start) => tally().deleteBelow(start),
      clear: () => tally().clear(),
    };
  },
});
