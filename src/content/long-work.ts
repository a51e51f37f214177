/** Cuts long work into slices, so that a long list or a record with many references lets other requests in. */
import { beginSlices } from '../model/slices.ts';

export { beginSlices, nextTurn } from '../model/slices.ts';

/** Work on fewer items is quick, and not worth a turn of the event loop. */
const fewItems = 200;

/** How many items are mapped between two looks at the time. */
const itemsBetweenLooks = 32;

export const areMany = (items: { readonly length: number }): boolean => items.length >= fewItems;

/** The mapped items, in order. A few items are mapped at once, many in slices, the first of which has a turn of its own. */
export const mapInSlices = async <T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> => {
  if (!areMany(items)) return items.map(map);
  const mapped: R[] = [];
  const slices = beginSlices();
  for (const [at, item] of items.entries()) {
    if (at === 0 || (at % itemsBetweenLooks === 0 && slices.isOver())) await slices.next();
    mapped.push(map(item));
  }
  return mapped;
};
