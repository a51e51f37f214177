/** Validates fields by `field-rules.ts` and the rules of their types. `denormalise.ts` reads them before. */
import { identityOf } from '../../model/entity.ts';
import type { ReceivedFields } from './denormalise.ts';
import { areEmpty, fieldTypeOf, fieldTypes } from '../../fields/field-types.ts';
import type { PropertyRule, ValidationContext } from '../../fields/rule.ts';
import { readBoolean } from '../../fields/values.ts';
import { fieldsInOrder, listRules, maxFieldValues } from './field-rules.ts';
import type { Bundle, FieldDefinition } from '../../model/bundle.ts';
import type { Violation } from '../../../openapi/openapi-terms.ts';
import type { FieldItem, FieldItems, FieldName, Fields } from '../../../openapi/openapi-records.ts';

const maxViolations = 50;

/** The most values in all fields of a record. A record is read, checked and written as a whole, which must stay quick. */
export const maxRecordValues = 5000;

/** Every broken rule of the named fields, in the order of the real site; at most 50. */
export const violationsOf = (
  bundle: Bundle,
  names: ReadonlySet<FieldName>,
  itemsOf: (field: FieldName) => FieldItems,
  context: ValidationContext,
): readonly Violation[] => {
  const violations: Violation[] = [];
  for (const field of fieldsInOrder(bundle)) {
    if (!names.has(field.name)) continue;
    const items = itemsOf(field.name);
    // Only `required` says something of a list without items. Most fields of most records are such lists.
    if (items.length === 0 && !field.required) continue;
    addFieldViolations(violations, field, items, context);
    if (violations.length >= maxViolations) return violations.slice(0, maxViolations);
  }
  return violations;
};

type RulesOfProperty = { readonly property: string; readonly rules: readonly PropertyRule[] };

/** The rules of the properties by type, as a list: every item needs them. */
const propertyRules: ReadonlyMap<string, readonly RulesOfProperty[]> = new Map(
  fieldTypes.map(({ name, rules: ofType = {} }) => [
    name,
    Object.entries(ofType).map(([property, rules]) => ({ property, rules })),
  ]),
);

type Place = { readonly delta?: number; readonly property?: string; readonly message: string };

const noRules: readonly never[] = [];

/** Goes through the rules of a field: those of the list, then those of each item, then those of its properties. */
const addFieldViolations = (
  violations: Violation[],
  field: FieldDefinition,
  items: FieldItems,
  context: ValidationContext,
): void => {
  const type = fieldTypeOf(field);
  const { list = noRules } = type;
  for (const rule of listRules) add(violations, field, rule(items, field, context));
  // This many values are refused already. Their own faults would take too long to find.
  if (items.length > maxFieldValues) return;
  for (const rule of list) add(violations, field, rule(items, field, context));
  if (areEmpty(items, field)) return;
  let isLeading = true;
  let delta = 0;
  for (const item of items) {
    if (violations.length >= maxViolations) return;
    const isEmpty = type.isEmpty(item);
    isLeading &&= isEmpty;
    addItemViolations(violations, field, { item, delta, isLeading, isEmpty }, context);
    delta += 1;
  }
};

type JudgedItem = {
  readonly item: FieldItem;
  readonly delta: number;
  readonly isLeading: boolean;
  readonly isEmpty: boolean;
};

const addItemViolations = (
  violations: Violation[],
  field: FieldDefinition,
  { item, delta, isLeading, isEmpty }: JudgedItem,
  context: ValidationContext,
): void => {
  for (const rule of fieldTypeOf(field).item ?? noRules) {
    add(violations, field, rule(item, field, context, isLeading), delta);
  }
  if (isEmpty) return;
  for (const { property, rules } of propertyRules.get(field.type) ?? noRules) {
    const value = item[property] ?? null;
    if (value === null) continue;
    for (const rule of rules) {
      const message = rule(value, field, context);
      if (message !== undefined) add(violations, field, [{ property, message }], delta);
    }
  }
};

/** Nearly always there is nothing to add. */
const add = (violations: Violation[], { name }: FieldDefinition, places: readonly Place[], item?: number): void => {
  for (const { delta = item, property, message } of places) {
    violations.push({ path: [name, delta, property].filter((part) => part !== undefined).join('.'), message });
  }
};

/**
 * The violation of a record that has too many values in all. Its path is the received field with the most. A record that had
 * too many before may keep them.
 */
export const sizeViolations = (
  received: ReadonlyMap<FieldName, FieldItems>,
  before: () => Fields,
  after: Fields,
): readonly Violation[] => {
  const count = valuesIn(after);
  if (count <= maxRecordValues || count <= valuesIn(before())) return [];
  const [path = ''] = [...received.keys()].sort((a, b) => (after[b]?.length ?? 0) - (after[a]?.length ?? 0));
  return [{ path, message: `A record cannot hold more than ${maxRecordValues} values in all its fields.` }];
};

const valuesIn = (fields: Fields): number => {
  let count = 0;
  for (const name in fields) count += fields[name]?.length ?? 0;
  return count;
};

/** The violation of a source that is not a web address. The real site also asks the provider, and refuses unknown ones. */
export const addressViolations = ({ source, fields }: Bundle, received: ReceivedFields): Violation[] => {
  if (source?.kind !== 'oembed') return [];
  const field = fields.get(source.field);
  const sent = (received.get(source.field) ?? []).filter(
    (item) => field !== undefined && !fieldTypeOf(field).isEmpty(item),
  );
  return sent.every((item) => isWebAddress(item['value'] ?? item['uri']))
    ? []
    : [{ path: source.field, message: 'The given URL does not match any known oEmbed providers.' }];
};

const isWebAddress = (value: unknown): boolean =>
  typeof value === 'string' && /^https?:\/\/[^/?#]/i.test(value) && URL.canParse(value);

/** Computed values that are sent with a new record. The real site answers 500. A PATCH ignores them. */
export const computedViolations = (bundle: Bundle, received: ReceivedFields): Violation[] => {
  const violations: Violation[] = [];
  for (const [name, receivedItems] of received) {
    const field = bundle.fields.get(name);
    const { computed = [] } = field === undefined ? {} : fieldTypeOf(field);
    receivedItems.forEach((item, delta) => {
      for (const property of computed) {
        if ((item[property] ?? null) === null) continue;
        const message = 'This value is computed and cannot be set.';
        violations.push({ path: `${name}.${delta}.${property}`, message });
      }
    });
  }
  return violations;
};

/** A record keeps its revision id, and the flag of its only translation. The real site answers 500 to both. */
export const fixedViolations = (changed: ReceivedFields, bundle: Bundle): Violation[] => {
  const revision = identityOf(bundle.entityType).revision;
  return [
    ...(revision !== undefined && changed.has(revision)
      ? [{ path: revision, message: 'The revision ID cannot be changed.' }]
      : []),
    ...(changed.get('default_langcode')?.some((item) => readBoolean(item['value']) === false)
      ? [{ path: 'default_langcode', message: 'The default translation flag cannot be removed.' }]
      : []),
  ];
};
