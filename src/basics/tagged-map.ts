/** Makes maps with a limit in bytes, whose entries are dropped when something that they were made from changes. */

export type TaggedMap<Value> = {
  get(id: string): Value | undefined;
  /** Replaces an entry of this id. Then drops the oldest entries while all together are larger than the limit. */
  set(id: string, value: Value, made: { readonly tags: ReadonlySet<string>; readonly bytes: number }): void;
  /** Drops every entry that has the tag. */
  dropTagged(tag: string): void;
  usage(): { readonly entries: number; readonly bytes: number };
};

type Entry<Value> = {
  readonly id: string;
  readonly value: Value;
  readonly tags: ReadonlySet<string>;
  readonly bytes: number;
};

export const createTaggedMap = <Value>(maxBytes: number): TaggedMap<Value> => {
  const entries = new Map<string, Entry<Value>>();
  const byTag = new Map<string, Set<Entry<Value>>>();
  let used = 0;

  const drop = (entry: Entry<Value>): void => {
    if (entries.get(entry.id) !== entry) return;
    entries.delete(entry.id);
    used -= entry.bytes;
    for (const tag of entry.tags) {
      const others = byTag.get(tag);
      others?.delete(entry);
      if (others?.size === 0) byTag.delete(tag);
    }
  };

  return {
    get: (id) => entries.get(id)?.value,
    set: (id, value, { tags, bytes }) => {
      const present = entries.get(id);
      if (present !== undefined) drop(present);
      const entry: Entry<Value> = { id, value, tags, bytes };
      entries.set(id, entry);
      used += bytes;
      for (const tag of tags) byTag.set(tag, (byTag.get(tag) ?? new Set()).add(entry));
      for (const oldest of entries.values()) {
        if (used <= maxBytes) break;
        drop(oldest);
      }
    },
    dropTagged: (tag) => {
      for (const entry of byTag.get(tag) ?? []) drop(entry);
    },
    usage: () => ({ entries: entries.size, bytes: used }),
  };
};
