/** Follows the state of a world whose owner replaces it, so that what outlasts the state need not be made anew. */
import type { SharedMap, SharedState } from './shared-state.ts';

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
