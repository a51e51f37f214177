/** Defines terms as their sources say them, before they have ids, and reads one from the cells of a row. */
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
const weightIn = (cell: unknown, where: string, reporter: Reporter): number | undefined => {
  const weight = wholeOf(cell);
  if (weight === undefined && filledTextOf(cell) !== undefined) {
    reporter.partly(where, 'the weight of a term is not a whole number, so it has none');
  }
  return weight;
};

/** The values of a row by the names of its columns. */
export type Cells = Readonly<Record<string, readonly string[]>>;

/** What a row lacks that makes no term. */
export type Lack = 'name' | 'vocabulary';

/** The columns that have each part of a term, the first filled one first. */
export type TermColumns = Readonly<
  Record<
    Lack | 'tid' | 'uuid' | 'parents' | 'weight' | 'langcode' | 'description' | 'format' | 'key',
    readonly string[]
  >
>;

type Reading = {
  readonly columns: TermColumns;
  /** The vocabulary of rows that have none. */
  readonly usual: string | undefined;
  readonly where: string;
  readonly reporter: Reporter;
};

/** The term without its fields. */
export const termIn = (cells: Cells, { columns, usual, where, reporter }: Reading): Omit<RawTerm, 'fields'> | Lack => {
  const text = (part: keyof TermColumns): string | undefined =>
    columns[part].map((column) => filledTextOf(cells[column]?.[0])).find((found) => found !== undefined);
  const name = text('name');
  const vocabulary = text('vocabulary') ?? usual;
  if (name === undefined) return 'name';
  if (vocabulary === undefined) return 'vocabulary';
  return {
    ...{ vocabulary, name, key: text('key'), tid: wholeOf(text('tid')), uuid: text('uuid') },
    parents: columns.parents
      .flatMap((column) => cells[column] ?? [])
      .filter((parent) => parent !== '' && parent !== '0'),
    weight: weightIn(text('weight'), `${where}: ${name}`, reporter),
    ...{ langcode: text('langcode'), description: text('description'), format: text('format') },
  };
};
