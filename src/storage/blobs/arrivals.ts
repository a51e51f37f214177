/** Knows under which names uploads keep bytes just now, so that a sweep takes none of them. */

type Arrival = {
  uploads: number;
  /** Nothing had the name before, and no record has been given it since. */
  isUnnamed: boolean;
  /** Resolves when the name may be used. */
  begun: Promise<void>;
};

export type Arrivals = ReturnType<typeof createArrivals>;

/** Names and the uploads that keep bytes under them. */
const createArriving = () => {
  const arriving = new Map<string, Arrival>();
  return {
    names: (): Iterable<string> => arriving.keys(),
    /** `isFree` is asked for the first upload of a name. */
    join: async (key: string, isFree: () => Promise<boolean>): Promise<void> => {
      let arrival = arriving.get(key);
      if (arrival === undefined) {
        const first: Arrival = { uploads: 0, isUnnamed: false, begun: Promise.resolve() };
        first.begun = isFree().then((isUnnamed) => void (first.isUnnamed = isUnnamed));
        arriving.set(key, (arrival = first));
      }
      arrival.uploads += 1;
      await arrival.begun;
    },
    /** Returns true for the last upload when no record names the bytes, and nothing else does. */
    leave: (key: string, isNamed: boolean): boolean => {
      const arrival = arriving.get(key);
      if (arrival === undefined) return false;
      arrival.uploads -= 1;
      if (isNamed) arrival.isUnnamed = false;
      if (arrival.uploads > 0) return false;
      arriving.delete(key);
      return arrival.isUnnamed;
    },
  };
};

const isDone = (): boolean => true;
const isNotDone = (): boolean => false;

/** `remove` takes a blob away. */
export const createArrivals = (remove: (key: string) => Promise<void>) => {
  const arriving = createArriving();
  const removing = new Map<string, Promise<void>>();
  /** For each sweep that runs, the names that it has to spare. */
  const spared = new Set<Set<string>>();

  const removeNow = (key: string): Promise<void> => {
    const removal = remove(key).finally(() => removing.delete(key));
    removing.set(key, removal);
    return removal;
  };
  return {
    /** From now on no sweep takes the bytes of this name. `isThere` says whether there are any already. */
    begin: async (key: string, isThere: () => boolean): Promise<void> => {
      for (const names of spared) names.add(key);
      await arriving.join(key, async () => {
        await removing.get(key)?.catch(() => undefined);
        return !isThere();
      });
    },
    /** Records name the bytes. */
    settle: (key: string): void => void arriving.leave(key, true),
    /** The upload names nothing. The last one removes bytes that are its own. */
    giveUp: async (key: string): Promise<void> => {
      if (arriving.leave(key, false)) await removeNow(key);
    },
    /** As `BlobStorage.sweep`. */
    sweep: async (unnamed: () => Promise<Iterable<string>>): Promise<readonly string[]> => {
      const names = new Set(arriving.names());
      const removed: string[] = [];
      spared.add(names);
      try {
        for (const key of await unnamed()) {
          const isGone = !names.has(key) && (await removeNow(key).then(isDone, isNotDone));
          if (isGone) removed.push(key);
        }
        return removed;
      } finally {
        spared.delete(names);
      }
    },
  };
};
