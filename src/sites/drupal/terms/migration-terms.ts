/** Reads the tables of terms that migrations name, with the columns that their `process` maps. */
import { isRecord } from '../../../basics/json.ts';
import type { Configuration, ConfigurationText, Named } from '../configuration.ts';
import {
  dataOf,
  filledTextOf,
  listOf,
  textOf,
  textsOf,
  wholeOf,
  type Data,
} from '../../../basics/exported/lenient-values.ts';
import { termIn, type Cells, type RawTerm, type TermColumns, type TermSource } from './raw-terms.ts';
import type { Reporter } from '../report.ts';
import { hasStandardTerms } from './standard-terms.ts';
import { readTable, rowText, type Row, type TableForm, itemsFrom } from './tables.ts';

/** The migrations whose rows become terms. */
const termMigrations = (configuration: Configuration): readonly Named[] =>
  configuration
    .family('migrate_plus.migration', /entity:taxonomy_term/)
    .filter(({ data }) => dataOf(data['destination'])['plugin'] === 'entity:taxonomy_term');

const pathOf = ({ data }: Named): string | undefined => filledTextOf(dataOf(data['source'])['path']);

/** The paths of all tables of terms, as the migrations write them: relative to the folder of Drupal itself. */
export const tablePaths = (configuration: Configuration): readonly string[] => [
  ...new Set(termMigrations(configuration).flatMap((migration) => pathOf(migration) ?? [])),
];

/** A table that a module of the repository brings along. `standard-terms.ts` has the terms. */
const ofModule = /(^|\/)islandora\w*\/migrate\/[^/]+\.csv$/;

/** Whether nothing is lost without the table. Only some vocabularies have standard terms. */
const isStandard = ({ data }: Named, path: string): boolean => {
  const vid = dataOf(data['process'])['vid'];
  const step = dataOf(Array.isArray(vid) ? vid[0] : vid);
  const fixed = filledTextOf(step['plugin'] === 'default_value' ? step['default_value'] : undefined);
  const vocabulary =
    fixed ?? (vid === undefined ? filledTextOf(dataOf(data['destination'])['default_bundle']) : undefined);
  return ofModule.test(path) && (vocabulary === undefined || hasStandardTerms(vocabulary));
};

export const migrationTerms = (
  configuration: Configuration,
  tables: ReadonlyMap<string, ConfigurationText>,
  reporter: Reporter,
): TermSource[] =>
  termMigrations(configuration).flatMap((migration) => {
    const path = pathOf(migration);
    const table = path === undefined ? undefined : tables.get(path);
    if (table !== undefined) return { where: migration.name, terms: termsOf(migration, table, reporter) };
    if (path !== undefined && isStandard(migration, path)) {
      reporter.remark(migration.name, 'its table of terms is that of a module, so the site has the standard terms');
    } else {
      reporter.partly(migration.name, 'its table of terms was not found; name one with --terms');
    }
    return [];
  });

const termsOf = (migration: Named, table: ConfigurationText, reporter: Reporter): readonly RawTerm[] => {
  const { name: where, data } = migration;
  const source = dataOf(data['source']);
  const constants = Object.entries(dataOf(source['constants'])).map(([name, value]) => [
    `constants/${name}`,
    textOf(value) ?? '',
  ]);
  const ids = Array.isArray(source['ids']) ? textsOf(source['ids']) : Object.keys(dataOf(source['ids']));
  const process = Object.entries(dataOf(data['process'])).map(
    ([destination, steps]) => [destination, pipelineOf(steps, `${where}: ${destination}`, reporter)] as const,
  );
  const destinations = process.map(([destination]) => destination);
  const columns = { ...destinationsOf, parents: destinations.filter((name) => /^parent(\/|$)/.test(name)) };
  const fields = destinations.filter((name) => name.startsWith('field_'));
  const usual = filledTextOf(dataOf(data['destination'])['default_bundle']);
  const seen = new Set<string>();
  return readTable(table, formOf(source)).flatMap((bare) => {
    const row: Row = { ...bare, ...(Object.fromEntries(constants) as Row) };
    const key = ids.map((id) => row[id] ?? '').join('\u0000');
    // A migration makes one record of rows with the same id.
    if (key !== '' && seen.has(key)) return [];
    seen.add(key);
    const cells: Cells = Object.fromEntries(process.map(([destination, run]) => [destination, run(row)]));
    const term = termIn(cells, { columns, usual, where, reporter });
    if (typeof term !== 'string') {
      const items = itemsFrom(fields.map((name) => [name, cells[name] ?? []]));
      return [{ ...term, key: key === '' ? undefined : key, fields: items }];
    }
    // A migration may skip rows itself. Then nothing is lost.
    const tell = term === 'name' && skipsUnnamed(migration) ? 'remark' : 'partly';
    reporter[tell](`${where}: ${rowText(bare)}`, `a term without a ${term} is left out`);
    return [];
  });
};

/** The parts of a term as a migration names them. Its rows are known by the ids of the source. */
const destinationsOf: Omit<TermColumns, 'parents'> = {
  ...{ name: ['name', 'name/value'], vocabulary: ['vid', 'vid/target_id'], key: [] },
  ...{ tid: ['tid'], uuid: ['uuid'], weight: ['weight'], langcode: ['langcode'] },
  ...{ description: ['description', 'description/value'], format: ['description/format'] },
};

const skipsUnnamed = ({ data }: Named): boolean => {
  const process = dataOf(data['process']);
  return [process['name'] ?? process['name/value']].flat().some((step) => dataOf(step)['method'] === 'row');
};

/** The keys of both versions of the source plugin. */
const formOf = (source: Data): TableForm => {
  const hasNoHeader = source['header_offset'] === null && source['header_row_count'] === undefined;
  const lines = wholeOf(source['header_row_count']) ?? (wholeOf(source['header_offset']) ?? 0) + 1;
  const named = listOf(source['column_names'] ?? (hasNoHeader ? source['fields'] : undefined)).flatMap((column) => {
    const { name } = dataOf(column);
    return textOf(name) ?? Object.keys(dataOf(column))[0] ?? [];
  });
  return {
    delimiter: filledTextOf(source['delimiter']),
    enclosure: filledTextOf(source['enclosure']),
    columns: named.length === 0 ? undefined : named,
    headerLines: hasNoHeader ? 0 : lines,
  };
};

type Pipeline = (row: Row) => readonly string[];

/** Plugins that pass a value on, or whose effect the importer has elsewhere: references are looked up by name or key. */
const passing: ReadonlySet<string> = new Set([
  ...['get', 'skip_on_empty', 'urlencode', 'callback', 'migration_lookup', 'migration', 'entity_lookup'],
  ...['entity_generate', 'default_value', 'static_map', 'explode', 'skip_row_if_not_set', 'trim'],
]);

/** A process is the name of a column, a step, or a list of steps. */
const pipelineOf = (process: unknown, where: string, reporter: Reporter): Pipeline => {
  if (typeof process === 'string') return (row) => [row[process] ?? ''];
  const steps = (Array.isArray(process) ? process : [process]).filter(isRecord);
  for (const { plugin } of steps) {
    const name = textOf(plugin) ?? '';
    if (!passing.has(name)) reporter.partly(where, `the plugin ${name.slice(0, 40)} is passed over`);
  }
  return (row) => steps.reduce<readonly string[]>((values, step) => stepped(values, step, row), []);
};

const stepped = (before: readonly string[], step: Data, row: Row): readonly string[] => {
  const columns = Array.isArray(step['source']) ? textsOf(step['source']) : [filledTextOf(step['source']) ?? ''];
  const values = columns[0] === '' ? before : columns.map((column) => row[column] ?? '');
  switch (step['plugin']) {
    case 'default_value': {
      const usual = textOf(step['default_value']) ?? '';
      return values.length === 0 ? [usual] : values.map((value) => (value === '' ? usual : value));
    }
    case 'static_map': {
      const map = dataOf(step['map']);
      return values.map(
        (value) => textOf(map[value]) ?? (step['bypass'] === true ? value : (textOf(step['default_value']) ?? '')),
      );
    }
    case 'explode':
      return values.flatMap((value) => value.split(filledTextOf(step['delimiter']) ?? ',')).map((part) => part.trim());
    case 'urlencode':
      return values.map(encoded);
    default:
      return values;
  }
};

/** As the plugin does: what a URL cannot hold is encoded, what is encoded already stays. */
const encoded = (value: string): string => encodeURI(value).replaceAll(/%25([0-9A-Fa-f]{2})/g, '%$1');
