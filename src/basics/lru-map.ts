/** Makes maps with a limit. A full map drops its least recently used entry, so that no client can fill the memory. */

export type LruMap<Key, Value> = {
  readonly size: number;
  /** Marks the entry as used. */
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
  delete(key: Key): void;
  /** The least recently used one first. */
  entries(): Iterable<readonly [Key, Value]>;
};

export const createLruMap = <Key, Value>(limit: number): LruMap<Key, Value> => {
  // A Map keeps the order of insertion, and an entry is inserted again at each use. The first entry is the least recently used.
  const entries = new Map<Key, Value>();
  return {
    get size() {
      return entries.size;
    },
    get: (key) => {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    set: (key, value) => {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= limit) return;
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        return;
      }
    },
    delete: (key) => void entries.delete(key),
    entries: () => entries.entries(),
  };
};
