/** Makes pairs of a flat list. */

/** A list of names and values in turn, as Node gives header lines, as pairs. They are new ones, which the caller may change. */
export const pairsOf = (flat: readonly string[]): [name: string, value: string][] =>
  Array.from({ length: flat.length / 2 }, (_, at) => [flat[at * 2] ?? '', flat[at * 2 + 1] ?? '']);
