/** Defines terms as their sources say them, before they have ids. */
import { filledTextOf, wholeOf, type Data } from '../../../basics/exported/lenient-values.ts';
import type { Reporter } from '../report.ts';

/** A term of `structure_sync.data`, of a table, or of the standard terms. */
export type RawTerm = {
  readonly vocabulary: string;
  readonly name: string;
  readonly tid?: number | undefined;
  readonly uuid?: string | undefined;
  readonly description?: string | undefined;
  readonly format?: string | undefined;
  readonly weight?: number | undefined;
  readonly langcode?: string | undefined;
  /** What other terms of the same source call it. */
  readonly key?: string | undefined;
  /** The keys of its parents. */
  readonly parents: readonly string[];
  /** Field items as written. A reference to a term has `{ name, vid }` or `{ key }`. */
  readonly fields: Readonly<Record<string, readonly Data[]>>;
};

/** The terms of one source. Keys mean something within it only. */
export type TermSource = { readonly where: string; readonly terms: readonly RawTerm[] };

/** The weight in a cell. One that is not a whole number is reported. */
export const weightIn = (cell: unknown, where: string, reporter: Reporter): number | undefined => {
  const weight = wholeOf(cell);
  if (weight === undefined && filledTextOf(cell) !== undefined) {
    reporter.partly(where, 'the weight of a term is not a whole number, so it has none');
  }
  return weight;
};
