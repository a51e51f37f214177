/** A guard against work that grows faster than its input. It is no measurement: those are in `bench/`. */

/**
 * In milliseconds. Work that grows with its input ends far below this even on a busy machine. Work that grows with the
 * square of the inputs of these tests takes longer.
 */
export const hangMs = 10_000;
