/** Reads the default values of fields: booleans as 0 and 1, numbers as text, references by uuid. */
import type { Json, JsonObject } from '../../../core/model/entity.ts';
import type { FieldSource, FieldContext } from './field-sources.ts';
import { booleanOf, dataOf, filledTextOf, listOf, numberOf, textOf, wholeOf, type Data } from '../lenient-values.ts';
import type { Items } from '../site-format.ts';

/** The default items. One that cannot be kept is reported. */
export const defaultItems = (source: FieldSource, type: string, context: FieldContext): Items => {
  const { instance, where } = source;
  if (filledTextOf(instance['default_value_callback']) !== undefined) {
    context.reporter.partly(where, 'a function makes the default value, here the field has none');
  }
  const written = listOf(instance['default_value']);
  if (type === 'file' || type === 'image' || type === 'media_track') return [];
  const items = written.flatMap((element) => {
    const item = itemOf(type, dataOf(element), context.termId);
    if (item !== undefined) return [item];
    if (Object.keys(dataOf(element)).length > 0) reportLost(where, dataOf(element), context);
    return [];
  });
  const most = wholeOf(source.storage['cardinality']) ?? 1;
  if (most < 1 || items.length <= most) return items;
  context.reporter.partly(where, 'the default has more values than the field holds, so the last ones are left out');
  return items.slice(0, most);
};

const reportLost = (where: string, element: Data, { reporter }: FieldContext): void => {
  if ('target_uuid' in element) reporter.partly(where, 'the default value names a record that does not exist here');
  else if ('default_date' in element || 'default_date_type' in element) {
    reporter.partly(where, 'the default value is a moment relative to now, here the field has none');
  } else if (Object.values(element).some((member) => filledTextOf(member) !== undefined)) {
    reporter.partly(where, 'the default value is none that the field type takes');
  }
};

type TermId = FieldContext['termId'];

/** An item of a field type. Undefined for an empty one. */
export const itemOf = (type: string, element: Data, termId: TermId): JsonObject | undefined => {
  const value = element['value'];
  switch (type) {
    case 'boolean':
      return valueItem(booleanOf(value));
    case 'integer':
    case 'list_integer':
    case 'timestamp':
      return valueItem(wholeOf(value));
    case 'float':
      return valueItem(numberOf(value));
    case 'entity_reference':
    case 'typed_relation':
      return referenceItem(type, element, termId);
    case 'link':
    case 'authority_link':
      return linkItem(type, element);
    case 'text':
    case 'text_long':
    case 'text_with_summary':
      return formattedItem(type, element);
    case 'geolocation':
    case 'name':
    case 'comment':
      return scalarItem(element);
    default:
      return valueItem(filledTextOf(value));
  }
};

const valueItem = (value: Json | undefined): JsonObject | undefined => (value === undefined ? undefined : { value });

const referenceItem = (type: string, element: Data, termId: TermId): JsonObject | undefined => {
  const uuid = filledTextOf(element['target_uuid']);
  const id = uuid === undefined ? wholeOf(element['target_id']) : termId(uuid);
  if (id === undefined) return undefined;
  const relation = textOf(element['rel_type']);
  return type === 'typed_relation' ? { target_id: id, rel_type: relation ?? null } : { target_id: id };
};

const linkItem = (type: string, element: Data): JsonObject | undefined => {
  const uri = filledTextOf(element['uri']);
  if (uri === undefined) return undefined;
  const title = filledTextOf(element['title']) ?? null;
  const source = filledTextOf(element['source']) ?? null;
  return { uri, title, options: [], ...(type === 'authority_link' ? { source } : {}) };
};

const formattedItem = (type: string, element: Data): JsonObject | undefined => {
  const value = filledTextOf(element['value']);
  if (value === undefined) return undefined;
  const format = filledTextOf(element['format']) ?? null;
  const summary = textOf(element['summary']) ?? null;
  return { value, format, ...(type === 'text_with_summary' ? { summary } : {}) };
};

/** The members that hold a text, a number or a boolean. */
const scalarItem = (element: Data): JsonObject | undefined => {
  const members = Object.entries(element).flatMap(([name, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value) && value !== '' ? [[name, value as Json] as const] : [],
  );
  return members.length === 0 ? undefined : Object.fromEntries(members);
};
