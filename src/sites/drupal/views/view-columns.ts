/** Reads the fields that a view shows as the columns of a list. */
import { hashField, type ColumnForm } from '../../../core/site/record-list.ts';
import { booleanOf, dataOf, filledTextOf, wholeOf, type Data } from '../lenient-values.ts';
import { fieldOf, type ViewModel } from './view-fields.ts';

type WrittenColumn = { field: string; as: ColumnForm };

export type ViewColumns = { readonly fields: Record<string, WrittenColumn>; readonly lost: readonly string[] };

/** `options` are those of the row by field: an alias, and whether the field is shown raw. */
export const columnsOf = (fields: Data, options: Data, model: ViewModel): ViewColumns => {
  const taken: Record<string, WrittenColumn> = {};
  const lost: string[] = [];
  for (const [id, written] of Object.entries(fields)) {
    const data = dataOf(written);
    if (booleanOf(data['exclude']) === true) continue;
    const own = dataOf(options[id]);
    const column = columnOf(data, booleanOf(own['raw_output']) === true, model);
    if (column === undefined) lost.push(`the field ${id}`);
    else taken[filledTextOf(own['alias']) ?? id] = column;
  }
  return { fields: taken, lost };
};

const columnOf = (data: Data, isRaw: boolean, model: ViewModel): WrittenColumn | undefined => {
  // Newer versions of the module have it as a field of the file.
  if (model.type === 'file' && data['field'] === hashField) return { field: hashField, as: 'text' };
  const field = fieldOf(data, model);
  if (field === undefined) return undefined;
  if (isRaw) return { field, as: 'raw' };
  const as = isAltered(data) ? undefined : formOf(data);
  return as === undefined ? undefined : { field, as };
};

/** The rewritings that a column may have. A list cannot do them, so such a column is lost. */
const alterations = ['alter_text', 'make_link', 'strip_tags', 'trim', 'nl2br', 'preserve_tags'] as const;

const isAltered = (data: Data): boolean => {
  const alter = dataOf(data['alter']);
  const isRewritten = alterations.some((name) => booleanOf(alter[name]) === true);
  const separator = data['separator'] ?? ', ';
  const isJoinedSo = data['multi_type'] === undefined || (data['multi_type'] === 'separator' && separator === ', ');
  return (
    isRewritten || !isJoinedSo || (wholeOf(data['delta_limit']) ?? 0) > 0 || filledTextOf(data['empty']) !== undefined
  );
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
    default:
      return undefined;
  }
};
