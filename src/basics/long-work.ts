/** Cuts long work into slices, so that a long list or a record with many references lets other requests in. */

/** How long a slice lasts, in milliseconds. Another request waits for the slice that it meets. */
const sliceMs = 4;

/** Resolves in the turn of the caller that asked last. */
let lastTurn: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop. Every caller of the process gets a turn of its own, so twenty lists that arrive
 * together do not make one long pause. Between two turns Node reads and answers other requests.
 */
export const nextTurn = (): Promise<void> => {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastTurn;
};

/** Slices of a loop whose items may be large. The first one begins at once. */
export const beginSlices = (): { isOver(): boolean; next(): Promise<void> } => {
  let end = performance.now() + sliceMs;
  return {
    isOver: () => performance.now() >= end,
    next: async () => {
      await nextTurn();
      end = performance.now() + sliceMs;
    },
  };
};

/** Work on so many items is quick, and not worth a turn of the event loop. */
export const fewItems = 199;

/** How many items are mapped between two looks at the time. */
const itemsBetweenLooks = 32;

export const areMany = (items: { readonly length: number }): boolean => items.length > fewItems;

/**
 * The mapped items, in order. A few items are mapped at once, many in slices, the first of which has a turn of its own. With
 * `few`, more than so many are many, and each item may take long.
 */
export const mapInSlices = async <T, R>(items: readonly T[], map: (item: T) => R, few?: number): Promise<R[]> => {
  if (few === undefined ? !areMany(items) : items.length <= few) return items.map(map);
  const mapped: R[] = [];
  const slices = beginSlices();
  const between = few === undefined ? itemsBetweenLooks : 1;
  for (const [at, item] of items.entries()) {
    if (at === 0 || (at % between === 0 && slices.isOver())) await slices.next();
    mapped.push(map(item));
  }
  return mapped;
};
