/** Reads terms from a table that a user names with `--terms`. The columns have the names of fields. */
import type { ConfigurationText } from '../configuration.ts';
import { filledTextOf, wholeOf } from '../../../basics/exported/lenient-values.ts';
import { flawError } from '../../../basics/configuration-error.ts';
import { weightIn, type RawTerm, type TermSource } from './raw-terms.ts';
import type { Reporter } from '../report.ts';
import { readTable, rowText, type Row, itemsFrom } from './tables.ts';

/** Columns that are not fields, by each of their names. */
const columns = {
  vocabulary: ['vid', 'vocabulary', 'vocabulary_id'],
  name: ['name', 'term_name', 'label'],
  tid: ['tid', 'term_id'],
  id: ['id', 'key'],
  uuid: ['uuid'],
  parent: ['parent'],
  weight: ['weight'],
  langcode: ['langcode', 'language'],
  description: ['description'],
  format: ['format'],
  uri: ['uri', 'external_uri'],
} as const;

const known: ReadonlySet<string> = new Set(Object.values(columns).flat());

/** `file` names the vocabulary of rows that have none: `subject.csv`. */
export const tableTerms = (table: ConfigurationText, reporter: Reporter): TermSource => {
  const rows = readTable(table);
  const [first] = rows;
  if (first !== undefined && !columns.name.some((name) => Object.hasOwn(first, name))) {
    const message = `has no column "name".`;
    throw flawError({ file: table.file, line: 1, rule: 'csv', message, remedy: 'Add it to the header.' });
  }
  const usual = /([^/\\]+?)(\.[^.]*)?$/.exec(table.file)?.[1] ?? '';
  return { where: table.file, terms: rows.flatMap((row) => termOf(row, { usual, file: table.file, reporter })) };
};

const cell = (row: Row, column: keyof typeof columns): string | undefined =>
  columns[column].map((name) => filledTextOf(row[name])).find((text) => text !== undefined);

type Surroundings = {
  /** The vocabulary of rows that have none. */
  readonly usual: string;
  readonly file: string;
  readonly reporter: Reporter;
};

const termOf = (row: Row, { usual, file, reporter }: Surroundings): RawTerm[] => {
  const name = cell(row, 'name');
  if (name === undefined) {
    reporter.partly(`${file}: ${rowText(row)}`, 'a term without a name is left out');
    return [];
  }
  const uri = cell(row, 'uri');
  const parent = cell(row, 'parent');
  const fields = Object.entries(row).filter(([column, text]) => !known.has(column) && text !== '');
  const tid = wholeOf(cell(row, 'tid'));
  return [
    {
      vocabulary: cell(row, 'vocabulary') ?? usual,
      name,
      tid: tid !== undefined && tid > 0 ? tid : undefined,
      uuid: cell(row, 'uuid'),
      key: cell(row, 'id') ?? cell(row, 'tid'),
      parents: parent === undefined || parent === '0' ? [] : [parent],
      weight: weightIn(cell(row, 'weight'), `${file}: ${name}`, reporter),
      langcode: cell(row, 'langcode'),
      description: cell(row, 'description'),
      format: cell(row, 'format'),
      fields: {
        ...(uri === undefined ? {} : { field_external_uri: [{ uri }], field_authority_link: [{ uri }] }),
        ...itemsFrom(fields),
      },
    },
  ];
};
