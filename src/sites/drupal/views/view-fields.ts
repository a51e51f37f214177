/** Finds the field that a handler of a view uses: an argument, a filter, a sort or a column. */
import { identityOf } from '../../../repository/repository.ts';
import { type ListedType, listedTypes } from '../../../repository/repository-sites.ts';
import { filledTextOf, type Data } from '../../../basics/exported/lenient-values.ts';

/** The tables whose records can be listed. */
export const listedTables: Readonly<Record<string, ListedType>> = {
  node_field_data: 'node',
  media_field_data: 'media',
  taxonomy_term_field_data: 'taxonomy_term',
  file_managed: 'file',
};

/** What a view may name: the type of its records, and the fields that the imported site has. */
export type ViewModel = {
  readonly type: ListedType;
  /** Whether such records may have the field, and its items keep the property. */
  readonly hasField: (name: string, property?: string) => boolean;
  /** What the view may name of the records that a reference leads to. */
  readonly of: (type: ListedType) => ViewModel;
};

/** The types of the records of a table, of the records themselves or of one of their fields. */
export const typeOfTable = (table: string): ListedType | undefined =>
  listedTables[table] ?? listedTypes.find((type) => table.startsWith(`${type}__`));

/** The properties that an item has in the first place. */
const mainProperties: ReadonlySet<string> = new Set(['value', 'target_id', 'uri']);

/** `field_place` or `field_place.format`, as a list names it. Undefined when it is not a field of the records themselves. */
export const fieldOf = (handler: Data, { type, hasField }: ViewModel): string | undefined => {
  const relationship = filledTextOf(handler['relationship']);
  if (relationship !== undefined && relationship !== 'none') return undefined;
  const [table, column] = [filledTextOf(handler['table']), filledTextOf(handler['field'])];
  if (table === undefined || column === undefined) return undefined;
  const { id, bundle } = identityOf(type);
  if (listedTables[table] === type) {
    const name = filledTextOf(handler['entity_field']) ?? column;
    return name === id || name === bundle || hasField(name) ? name : undefined;
  }
  const name = table.startsWith(`${type}__`) ? table.slice(type.length + 2) : undefined;
  if (name === undefined || !hasField(name) || (column !== name && !column.startsWith(`${name}_`))) return undefined;
  const property = column.slice(name.length + 1);
  if (property === '' || mainProperties.has(property)) return name;
  return hasField(name, property) ? `${name}.${property}` : undefined;
};
