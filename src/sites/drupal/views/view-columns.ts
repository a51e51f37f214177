/** Reads the fields that a view shows as the columns of a list. */
import { hashField, type ColumnForm } from '../../../repository/repository-sites.ts';
import { booleanOf, dataOf, filledTextOf, wholeOf, type Data } from '../../../basics/exported/lenient-values.ts';
import type { SiteList } from '../site-format.ts';
import { fieldOf, typeOfTable, type ViewModel } from './view-fields.ts';

type WrittenColumn = Exclude<NonNullable<SiteList['fields']>[string], string>;

export type ViewColumns = { readonly fields: NonNullable<SiteList['fields']>; readonly lost: readonly string[] };

/** What a display has of its rows. `options` are those of the row by field: an alias, and whether the field is shown raw. */
type RowParts = { readonly fields: Data; readonly options: Data; readonly relationships: Data };

export const columnsOf = ({ fields, options, relationships }: RowParts, model: ViewModel): ViewColumns => {
  const taken: Record<string, string | WrittenColumn> = {};
  const lost: string[] = [];
  for (const [id, written] of Object.entries(fields)) {
    const data = dataOf(written);
    if (booleanOf(data['exclude']) === true) continue;
    const own = dataOf(options[id]);
    const place = placeOf(data, relationships, model);
    const column = place && columnOf(place.data, booleanOf(own['raw_output']) === true, place.model);
    if (column === undefined) lost.push(`the field ${id}`);
    else taken[filledTextOf(own['alias']) ?? id] = shortest({ ...column, ...place?.through });
  }
  return { fields: taken, lost };
};

/** As people write it. */
const shortest = ({ field, as, ...others }: WrittenColumn): string | WrittenColumn => {
  const rest = { ...(as === 'text' ? {} : { as }), ...others };
  return Object.keys(rest).length === 0 ? field : { field, ...rest };
};

/** Where a column has its field: in the record itself, or behind one reference of it. */
type Place = { readonly data: Data; readonly model: ViewModel; readonly through?: { readonly through: string } };

const placeOf = (data: Data, relationships: Data, model: ViewModel): Place | undefined => {
  const relationship = filledTextOf(data['relationship']) ?? 'none';
  if (relationship === 'none') return { data, model };
  const reference = fieldOf(dataOf(relationships[relationship]), model);
  const type = typeOfTable(filledTextOf(data['table']) ?? '');
  if (reference === undefined || type === undefined || reference.includes('.')) return undefined;
  return { data: { ...data, relationship: 'none' }, model: model.of(type), through: { through: reference } };
};

const columnOf = (data: Data, isRaw: boolean, model: ViewModel): WrittenColumn | undefined => {
  // Newer versions of the module have it as a field of the file.
  if (model.type === 'file' && data['field'] === hashField) return { field: hashField, as: 'text' };
  const field = fieldOf(data, model);
  if (field === undefined) return undefined;
  if (isRaw) return { field, as: 'raw' };
  const as = isAltered(data) ? undefined : formOf(data);
  return as === undefined ? undefined : { field, as, ...chosenValues(data) };
};

/** Some of many values: so many, after so many. */
const chosenValues = (data: Data): Pick<WrittenColumn, 'limit' | 'offset'> => {
  const [limit = 0, offset = 0] = [wholeOf(data['delta_limit']), wholeOf(data['delta_offset'])];
  return limit === 0 ? {} : { limit, ...(offset === 0 ? {} : { offset }) };
};

/** The rewritings that a column may have. A list cannot do them, so such a column is lost. */
const alterations = ['alter_text', 'make_link', 'strip_tags', 'trim', 'nl2br', 'preserve_tags'] as const;

const isAltered = (data: Data): boolean => {
  const alter = dataOf(data['alter']);
  const isRewritten = alterations.some((name) => booleanOf(alter[name]) === true);
  const separator = data['separator'] ?? ', ';
  const isJoinedSo = data['multi_type'] === undefined || (data['multi_type'] === 'separator' && separator === ', ');
  const isReordered = ['delta_reversed', 'delta_first_last'].some((name) => booleanOf(data[name]) === true);
  return isRewritten || !isJoinedSo || isReordered || filledTextOf(data['empty']) !== undefined;
};

/** How a formatter shows a field; undefined where only the platform knows. */
const formOf = (data: Data): ColumnForm | undefined => {
  const plugin = filledTextOf(data['plugin_id']) ?? 'field';
  if (!['field', 'term_name', 'node', 'media', 'file'].includes(plugin)) return undefined;
  const settings = dataOf(data['settings']);
  switch (filledTextOf(data['type']) ?? 'string') {
    case 'string':
      return booleanOf(settings['link_to_entity']) === true ? 'link' : 'text';
    case 'basic_string':
    case 'number_unformatted':
    case 'entity_reference_entity_id':
    case 'edtf_default':
      return 'text';
    case 'number_integer':
      return filledTextOf(settings['thousand_separator']) === undefined ? 'text' : undefined;
    case 'entity_reference_label':
      return booleanOf(settings['link']) === false ? 'label' : 'link';
    case 'text_default':
      return 'html';
    case 'timestamp':
      return settings['date_format'] === 'html_date' ? 'day' : undefined;
    case 'file_url_plain':
      return 'path';
    case 'image_url':
      return filledTextOf(settings['image_style']) === undefined ? 'path' : undefined;
    case 'file_uri':
      return booleanOf(settings['file_download_path']) === true ? 'path' : 'text';
    default:
      return undefined;
  }
};
