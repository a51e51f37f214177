/** Keeps records and look-ups of all worlds of a process, up to a limit in bytes. The least recently used go first. */

/** What a world keeps. Made by `RecordCache.of`. */
export type WorldCache<Value> = {
  get(key: string): Value | undefined;
  set(key: string, value: Value, bytes: number): void;
  delete(key: string): void;
  /** Forgets everything of this world at once. */
  clear(): void;
};

export type RecordCache = {
  of<Value>(): WorldCache<Value>;
  statistics(): { readonly entries: number; readonly bytes: number; readonly hits: number; readonly misses: number };
};

/** What an entry costs beside its value: its key and its places in the maps. */
const overhead = 250;

/** The least recently used entry of all worlds goes when the limit is passed. An entry above an eighth of the limit is not kept. */
export const createRecordCache = (maxBytes: number): RecordCache => {
  type Entry = { readonly value: unknown; readonly bytes: number };
  const entries = new Map<string, Entry>();
  let bytes = 0;
  let worlds = 0;
  const counts = { hits: 0, misses: 0 };

  const remove = (name: string): void => {
    const entry = entries.get(name);
    if (entry === undefined) return;
    entries.delete(name);
    bytes -= entry.bytes;
  };
  const add = (name: string, value: unknown, size: number): void => {
    remove(name);
    if (size > maxBytes / 8) return;
    entries.set(name, { value, bytes: size });
    bytes += size;
    for (const oldest of entries.keys()) {
      if (bytes <= maxBytes) break;
      remove(oldest);
    }
  };
  const find = (name: string): Entry | undefined => {
    const entry = entries.get(name);
    counts[entry === undefined ? 'misses' : 'hits'] += 1;
    if (entry === undefined) return undefined;
    // A Map keeps the order of insertion.
    entries.delete(name);
    entries.set(name, entry);
    return entry;
  };

  return {
    of: <Value>(): WorldCache<Value> => {
      let prefix = `${(worlds += 1)} `;
      return {
        // Only this world writes below its prefix.
        get: (key) => find(prefix + key)?.value as Value | undefined,
        set: (key, value, size) => add(prefix + key, value, size + overhead),
        delete: (key) => remove(prefix + key),
        // Nobody finds the old entries again, so they become the least recently used.
        clear: () => {
          prefix = `${(worlds += 1)} `;
        },
      };
    },
    statistics: () => ({ entries: entries.size, bytes, ...counts }),
  };
};
