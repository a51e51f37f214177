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

/** What an entry costs besides its value: its key and its places in the maps. */
const overhead = 250;

type Entry = { readonly name: string; readonly value: unknown; readonly bytes: number };

/** An entry between the one that was used before it and the one that was used after it. */
type Place = { readonly entry: Entry; older: Place | undefined; newer: Place | undefined };

/**
 * Entries in the order of their use. Not by the order of a Map: an entry that is taken out and put in again at each use leaves a
 * place in the Map's table each time, and every search for it goes past all of them.
 */
const createOrder = () => {
  let oldest: Place | undefined;
  let newest: Place | undefined;
  const takeOut = ({ older, newer }: Place): void => {
    if (older === undefined) oldest = newer;
    else older.newer = newer;
    if (newer === undefined) newest = older;
    else newer.older = older;
  };
  const putIn = (place: Place): Place => {
    place.older = newest;
    place.newer = undefined;
    if (newest === undefined) oldest = place;
    else newest.newer = place;
    newest = place;
    return place;
  };
  return {
    oldest: (): Entry | undefined => oldest?.entry,
    add: (entry: Entry): Place => putIn({ entry, older: undefined, newer: undefined }),
    remove: takeOut,
    use: (place: Place): void => {
      if (place === newest) return;
      takeOut(place);
      putIn(place);
    },
  };
};

/** The least recently used entry of all worlds goes when the limit is passed. An entry above an eighth of the limit is not kept. */
export const createRecordCache = (maxBytes: number): RecordCache => {
  const places = new Map<string, Place>();
  const order = createOrder();
  let bytes = 0;
  let worlds = 0;
  const counts = { hits: 0, misses: 0 };

  const remove = (name: string): void => {
    const place = places.get(name);
    if (place === undefined) return;
    places.delete(name);
    order.remove(place);
    bytes -= place.entry.bytes;
  };
  const add = (name: string, value: unknown, size: number): void => {
    remove(name);
    if (size > maxBytes / 8) return;
    places.set(name, order.add({ name, value, bytes: size }));
    bytes += size;
    for (let oldest = order.oldest(); bytes > maxBytes && oldest !== undefined; oldest = order.oldest())
      remove(oldest.name);
  };
  const find = (name: string): Entry | undefined => {
    const place = places.get(name);
    counts[place === undefined ? 'misses' : 'hits'] += 1;
    if (place === undefined) return undefined;
    order.use(place);
    return place.entry;
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
    statistics: () => ({ entries: places.size, bytes, ...counts }),
  };
};
