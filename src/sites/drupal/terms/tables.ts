/** Reads tables in CSV. */
import { CsvError, parse } from 'csv-parse/sync';
import { flawError } from '../../../basics/configuration-error.ts';
import type { ConfigurationText } from '../configuration.ts';
import type { Data } from '../../../basics/exported/lenient-values.ts';

/** The member of an item that a destination without a property means. Types read the one that they know. */
const bareMember = 'value';

/**
 * Items by field name. `field_code` gives `{ value }`, `field_link/uri` gives `{ uri }`, `field_link/1/uri` belongs to
 * the second item. A list of values makes one item each.
 */
export const itemsFrom = (
  cells: readonly (readonly [destination: string, value: string | readonly string[]])[],
): Readonly<Record<string, readonly Data[]>> => {
  const fields = new Map<string, Record<string, string>[]>();
  for (const [destination, value] of cells) {
    const [field = '', ...path] = destination.split('/');
    const position = /^\d{1,3}$/.test(path[0] ?? '') ? Number(path.shift()) : 0;
    const member = path[0] ?? bareMember;
    const items = fields.get(field) ?? [];
    fields.set(field, items);
    for (const [index, text] of [value].flat().entries()) {
      if (text === '') continue;
      const item = (items[position + index] ??= {});
      item[member] = text;
    }
  }
  return Object.fromEntries(
    [...fields].map(([field, items]) => [field, items.filter((item) => Object.keys(item).length > 0)] as const),
  );
};

export type Row = Readonly<Record<string, string>>;

export type TableForm = {
  readonly delimiter?: string | undefined;
  readonly enclosure?: string | undefined;
  /** The names of the columns, for a table without a header. */
  readonly columns?: readonly string[] | undefined;
  /** Lines before the data; the last of them is the header. 1 when left out. */
  readonly headerLines?: number | undefined;
};

/** The rows of a table without those that are blank throughout, as spreadsheets leave them. Throws `ConfigurationError` with the line of the fault. */
export const readTable = ({ file, text }: ConfigurationText, form: TableForm = {}): Row[] => {
  const { delimiter = ',', enclosure = '"', columns, headerLines = 1 } = form;
  try {
    const records: string[][] = parse(text, {
      ...{ delimiter, quote: enclosure, bom: true, trim: true },
      ...{ skip_empty_lines: true, relax_column_count: true, relax_quotes: true },
    });
    const names = columns ?? (headerLines > 0 ? records[headerLines - 1] : undefined) ?? [];
    const filled = records.slice(headerLines).filter((record) => record.some((cell) => cell !== ''));
    return filled.map((record) => rowOf(names, record));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error['lines'] === 'number' ? error['lines'] : undefined;
    throw flawError({
      file,
      line,
      rule: 'csv',
      message: 'is not a table in CSV.',
      remedy: 'Correct its quotation marks.',
    });
  }
};

/** What a report calls a row that has no name: its first filled cell. */
export const rowText = (row: Row): string =>
  `the row of "${(Object.values(row).find((cell) => cell !== '') ?? '').slice(0, 40)}"`;

const rowOf = (names: readonly string[], record: readonly string[]): Row =>
  Object.fromEntries(names.map((name, index) => [name.trim(), record[index] ?? '']));
