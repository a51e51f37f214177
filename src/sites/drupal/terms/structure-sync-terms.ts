/** Reads the terms that the module structure_sync keeps in the configuration, with their ids. */
import { isRecord } from '../../../basics/json.ts';
import { readRows, type Rows } from '../../../basics/exported/rows.ts';
import type { Configuration } from '../configuration.ts';
import { dataOf, filledTextOf, listOf, textOf, wholeOf, type Data } from '../../../basics/exported/lenient-values.ts';
import type { RawTerm, TermSource } from './raw-terms.ts';
import type { Reporter } from '../report.ts';

const where = 'structure_sync.data';

/** Members of a term that are not fields. */
const ownMembers: ReadonlySet<string> = new Set([
  ...['vid', 'tid', 'uuid', 'langcode', 'name', 'status', 'weight', 'parent', 'changed', 'default_langcode'],
  ...['description__value', 'description__format'],
]);

export const structureSyncTerms = (configuration: Configuration, reporter: Reporter): TermSource => {
  const data = configuration.object(where);
  const seen = new Set<number>();
  const terms = Object.entries(dataOf(data?.['taxonomies'])).flatMap(([vocabulary, list]) =>
    listOf(list).flatMap((entry) => {
      const term = termOf(vocabulary, dataOf(entry));
      if (term === undefined) {
        reporter.partly(`${where}: ${vocabulary}`, 'a term without a name is left out');
        return [];
      }
      if (term.tid !== undefined && seen.has(term.tid)) {
        reporter.partly(`${where}: ${vocabulary}`, 'a term has one language here: its other ones are left out');
        return [];
      }
      if (term.tid !== undefined) seen.add(term.tid);
      return [term];
    }),
  );
  return { where, terms };
};

const termRows = {
  tid: ['tid', (value) => ((wholeOf(value) ?? 0) > 0 ? wholeOf(value) : undefined)],
  key: ['tid', textOf],
  uuid: ['uuid', filledTextOf],
  description: ['description__value', filledTextOf],
  format: ['description__format', filledTextOf],
  weight: ['weight', wholeOf],
  langcode: ['langcode', filledTextOf],
} satisfies Rows;

const termOf = (vocabulary: string, data: Data): RawTerm | undefined => {
  const name = filledTextOf(data['name']);
  if (name === undefined) return undefined;
  const parents = (Array.isArray(data['parent']) ? data['parent'] : [data['parent']]).flatMap((parent: unknown) => {
    const id = textOf(isRecord(parent) ? parent['target_id'] : parent);
    return id === undefined || id === '0' || id === '' ? [] : [id];
  });
  return {
    ...{ vocabulary, name, parents, ...readRows(termRows, data) },
    fields: Object.fromEntries(
      Object.entries(data).flatMap(([field, items]) =>
        ownMembers.has(field) ? [] : [[field, listOf(items).map((item) => (isRecord(item) ? item : { value: item }))]],
      ),
    ),
  };
};
