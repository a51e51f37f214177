/**
 * Bounds the memory of `atoll serve`. By itself V8 lets garbage grow to three times what is alive before it collects the old generation,
 * as long as little is alive (docs/inside/performance.md has the curves, and what this costs).
 */

/** How much the heap may grow between two full collections, in hundredths of what is alive. */
const growthPercent = 50;

/** By then `kept-code.ts` has kept its code, which V8 refuses to a process with other settings. In milliseconds. */
const afterMs = 2000;

/** V8 reads this setting at the end of each full collection, so it may come late. The library leaves it to the process that it is in. */
export const boundHeapSoon = (): void => {
  setTimeout(() => {
    process.getBuiltinModule('node:v8').setFlagsFromString(`--heap-growing-percent=${growthPercent}`);
  }, afterMs).unref();
};
