/** Counts values in classes by plain numbers, for metrics: cheap enough for every request. */

/** `counts` has one number for each bound, of the values up to it and above the bound before, and one for larger values. */
export type Histogram = { readonly bounds: readonly number[]; readonly counts: number[]; sum: number };

/** `bounds` are ascending. */
export const createHistogram = (bounds: readonly number[]): Histogram => ({
  bounds,
  counts: Array.from({ length: bounds.length + 1 }, () => 0),
  sum: 0,
});

export const observe = (histogram: Histogram, value: number): void => {
  const { bounds, counts } = histogram;
  let at = 0;
  // Most values are small, so that this ends soon.
  while (at < bounds.length && value > (bounds[at] ?? 0)) at += 1;
  counts[at] = (counts[at] ?? 0) + 1;
  histogram.sum += value;
};
