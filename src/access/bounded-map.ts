/** A map that forgets its least recently used entry when it is full, so that no caller can fill the memory. */

export type BoundedMap<Key, Value> = {
  readonly size: number;
  /** Marks the entry as used. */
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
};

/** An empty map of at most `limit` entries. */
export const createBoundedMap = <Key, Value>(limit: number): BoundedMap<Key, Value> => {
  // A Map keeps the order of insertion: the first entry is the one that was not used for longest.
  const entries = new Map<Key, { readonly value: Value }>();
  return {
    get size() {
      return entries.size;
    },
    get: (key) => {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    set: (key, value) => {
      entries.delete(key);
      entries.set(key, { value });
      if (entries.size <= limit) return;
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        return;
      }
    },
    delete: (key) => void entries.delete(key),
  };
};
