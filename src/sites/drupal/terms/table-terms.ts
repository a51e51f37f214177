/** Reads terms from a table that a user names with `--terms`. The columns have the names of fields. */
import type { ConfigurationText } from '../configuration.ts';
import { filledTextOf } from '../../../basics/exported/lenient-values.ts';
import { flawError } from '../../../basics/configuration-error.ts';
import { termIn, type RawTerm, type TermColumns, type TermSource } from './raw-terms.ts';
import type { Reporter } from '../report.ts';
import { readTable, rowText, type Row, itemsFrom } from './tables.ts';

/** Columns that are not fields, by each of their names. */
const columns = {
  vocabulary: ['vid', 'vocabulary', 'vocabulary_id'],
  name: ['name', 'term_name', 'label'],
  tid: ['tid', 'term_id'],
  key: ['id', 'key', 'tid', 'term_id'],
  uuid: ['uuid'],
  parents: ['parent'],
  weight: ['weight'],
  langcode: ['langcode', 'language'],
  description: ['description'],
  format: ['format'],
} satisfies TermColumns;
const uriColumns = ['uri', 'external_uri'];

const known: ReadonlySet<string> = new Set([...Object.values(columns).flat(), ...uriColumns]);

/** `file` names the vocabulary of rows that have none: `subject.csv`. */
export const tableTerms = (table: ConfigurationText, reporter: Reporter): TermSource => {
  const { file: where } = table;
  const rows = readTable(table);
  const [first] = rows;
  if (first !== undefined && !columns.name.some((name) => Object.hasOwn(first, name))) {
    const message = `has no column "name".`;
    throw flawError({ file: where, line: 1, rule: 'csv', message, remedy: 'Add it to the header.' });
  }
  const usual = /([^/\\]+?)(\.[^.]*)?$/.exec(where)?.[1] ?? '';
  const terms = rows.flatMap((row): RawTerm[] => {
    const cells = Object.fromEntries(Object.entries(row).map(([column, text]) => [column, [text]]));
    const term = termIn(cells, { columns, usual, where, reporter });
    if (typeof term !== 'string') return [{ ...term, tid: numberOf(term), fields: fieldsOf(row) }];
    reporter.partly(`${where}: ${rowText(row)}`, 'a term without a name is left out');
    return [];
  });
  return { where, terms };
};

/** People write 0 for none. */
const numberOf = ({ tid = 0 }: Pick<RawTerm, 'tid'>): number | undefined => (tid > 0 ? tid : undefined);

const fieldsOf = (row: Row): RawTerm['fields'] => {
  const uri = uriColumns.map((column) => filledTextOf(row[column])).find((text) => text !== undefined);
  const fields = Object.entries(row).filter(([column, text]) => !known.has(column) && text !== '');
  return {
    ...(uri === undefined ? {} : { field_external_uri: [{ uri }], field_authority_link: [{ uri }] }),
    ...itemsFrom(fields),
  };
};
