/** Filters, sorts and merges long arrays in slices, between which other requests are answered. */
import { areMany, beginSlices } from '../../../basics/long-work.ts';

type Compare<T> = (a: T, b: T) => number;
type Slices = ReturnType<typeof beginSlices>;

/** How many items are handled between two looks at the time. Sorting so many takes less than a millisecond. */
const itemsBetweenLooks = 512;

/** The items that pass, in order. */
export const filterInSlices = async <T>(items: readonly T[], passes: (item: T) => boolean): Promise<T[]> => {
  if (!areMany(items)) return items.filter(passes);
  const passed: T[] = [];
  const slices = beginSlices();
  for (let at = 0; at < items.length; at += itemsBetweenLooks) {
    for (const item of items.slice(at, at + itemsBetweenLooks)) if (passes(item)) passed.push(item);
    if (slices.isOver()) await slices.next();
  }
  return passed;
};

/** The items in ascending order, in a new array. Equal items keep their order. */
export const sortInSlices = async <T>(items: readonly T[], compare: Compare<T>): Promise<readonly T[]> => {
  if (!areMany(items)) return [...items].sort(compare);
  const slices = beginSlices();
  let runs: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += itemsBetweenLooks) {
    runs.push(items.slice(at, at + itemsBetweenLooks).sort(compare));
    if (slices.isOver()) await slices.next();
  }
  while (runs.length > 1) {
    const longer: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      longer.push(await mergeRuns(runs[at] ?? [], runs[at + 1] ?? [], compare, slices));
    }
    runs = longer;
  }
  return runs[0] ?? [];
};

/** Both arrays in one. Each is in ascending order. */
export const mergeInSlices = <T>(a: readonly T[], b: readonly T[], compare: Compare<T>): Promise<readonly T[]> =>
  mergeRuns(a, b, compare, beginSlices());

const mergeRuns = async <T>(
  a: readonly T[],
  b: readonly T[],
  compare: Compare<T>,
  slices: Slices,
): Promise<readonly T[]> => {
  if (b.length === 0) return a;
  const merged: T[] = [];
  let nextOfB = 0;
  for (let at = 0; at < a.length; at += itemsBetweenLooks) {
    for (const item of a.slice(at, at + itemsBetweenLooks)) {
      for (let other = b[nextOfB]; other !== undefined && compare(other, item) < 0; other = b[nextOfB]) {
        merged.push(other);
        nextOfB += 1;
      }
      merged.push(item);
    }
    if (slices.isOver()) await slices.next();
  }
  for (const item of b.slice(nextOfB)) merged.push(item);
  return merged;
};

/** The first position whose item does not come before; the length when all do. Those that come before stand first. */
export const positionIn = <T>(items: readonly T[], comesBefore: (item: T) => boolean): number => {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && comesBefore(item)) low = middle + 1;
    else high = middle;
  }
  return low;
};
