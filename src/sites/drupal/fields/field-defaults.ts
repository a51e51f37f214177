/** Reads the default values of fields: booleans as 0 and 1, numbers as text, references by uuid. */
import { type FieldType, fieldTypeOf, isFileType } from '../../../repository/repository.ts';
import { type PropertyRule, booleanRule, floatRule, integerRule } from '../../../repository/repository-sites.ts';
import type { ImportContext } from '../import-context.ts';
import type { FieldSource } from './field-sources.ts';
import {
  booleanOf,
  dataOf,
  filledTextOf,
  listOf,
  numberOf,
  textOf,
  wholeOf,
  type Data,
} from '../../../basics/exported/lenient-values.ts';
import type { Items } from '../site-format.ts';
import type { Json, JsonObject } from '../../../basics/json.ts';

/** The default items. One that cannot be kept is reported. */
export const defaultItems = (source: FieldSource, type: string, context: ImportContext): Items => {
  const { instance, where } = source;
  if (filledTextOf(instance['default_value_callback']) !== undefined) {
    context.reporter.partly(where, 'a function makes the default value, here the field has none');
  }
  const written = listOf(instance['default_value']);
  if (isFileType(fieldTypeOf({ type }))) return [];
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

const reportLost = (where: string, element: Data, { reporter }: ImportContext): void => {
  if ('target_uuid' in element) reporter.partly(where, 'the default value names a record that does not exist here');
  else if ('default_date' in element || 'default_date_type' in element) {
    reporter.partly(where, 'the default value is a moment relative to now, here the field has none');
  } else if (Object.values(element).some((member) => filledTextOf(member) !== undefined)) {
    reporter.partly(where, 'the default value is none that the field type takes');
  }
};

type TermId = ImportContext['termId'];

/** How a value is read that must keep a rule of its type. Any other is a text. */
const readers = new Map<PropertyRule, (value: unknown) => Json | undefined>([
  [booleanRule, booleanOf],
  [integerRule, wholeOf],
  [floatRule, numberOf],
]);

/** Further members of an item, apart from filled texts. */
const members: Readonly<Record<string, (value: unknown) => Json | undefined>> = { options: () => [], summary: textOf };

/** An item of a field type. Undefined for an empty one. */
export const itemOf = (type: string, element: Data, termId: TermId): JsonObject | undefined => {
  const { refers, main, properties, rules = {} } = fieldTypeOf({ type });
  if (refers !== undefined) return referenceItem(refers, element, termId);
  const isText = main === 'uri' || properties.includes('format');
  if (properties.length > 1 && !isText) return scalarItem(element);
  const read = rules[main]?.flatMap((rule) => readers.get(rule) ?? [])[0] ?? filledTextOf;
  const value = read(element[main]);
  if (value === undefined) return undefined;
  const others = properties.filter((name) => name !== main);
  return {
    [main]: value,
    ...Object.fromEntries(others.map((name) => [name, (members[name] ?? filledTextOf)(element[name]) ?? null])),
  };
};

const referenceItem = (refers: FieldType['refers'], element: Data, termId: TermId): JsonObject | undefined => {
  const uuid = filledTextOf(element['target_uuid']);
  const id = uuid === undefined ? wholeOf(element['target_id']) : termId(uuid);
  if (id === undefined) return undefined;
  return { target_id: id, ...(refers === 'with-role' ? { rel_type: textOf(element['rel_type']) ?? null } : {}) };
};

/** The members that hold a text, a number or a boolean. */
export const scalarItem = (element: Data): JsonObject | undefined => {
  const members = Object.entries(element).flatMap(([name, value]) =>
    ['string', 'number', 'boolean'].includes(typeof value) && value !== '' ? [[name, value as Json] as const] : [],
  );
  return members.length === 0 ? undefined : Object.fromEntries(members);
};
