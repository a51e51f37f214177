/**
 * Bounds the memory of `atoll serve`. By itself V8 lets garbage grow to three times what is alive before it collects the old generation,
 * as long as little is alive (docs/inside/performance.md has the curves, and what this costs).
 */

/** How much the heap may grow between two full collections, in hundredths of what is alive. */
const growthPercent = 50;

/** It may always grow by as much. With little alive, half of that is soon full, and a write would pay a third more for collections. */
const growthBytes = 96 * 1024 * 1024;

/** By then `kept-code.ts` has kept its code, which V8 refuses to a process with other settings. In milliseconds. */
const afterMs = 2000;

const mostPercent = 200;

/** How much the heap may grow, in hundredths of `aliveBytes`. */
const growthOf = (aliveBytes: number): number =>
  Math.max(growthPercent, Math.min(mostPercent, Math.round((growthBytes / aliveBytes) * 100)));

/** The least that was in the heap at the last looks is taken for what is alive. Too much only makes V8 collect earlier. */
const looks = 3;
const lookMs = 1000;

/** V8 reads this setting at the end of each full collection, so it may come late. The library leaves it to the process that it is in. */
export const boundHeapSoon = (): void => {
  setTimeout(boundHeap, afterMs).unref();
};

const boundHeap = (): void => {
  const v8 = process.getBuiltinModule('node:v8');
  const seen: number[] = [];
  let set: number | undefined;
  const look = (): void => {
    seen.push(v8.getHeapStatistics().used_heap_size);
    if (seen.length > looks) seen.shift();
    const growth = growthOf(Math.min(...seen));
    if (growth !== set) v8.setFlagsFromString(`--heap-growing-percent=${growth}`);
    set = growth;
  };
  look();
  setInterval(look, lookMs).unref();
};
