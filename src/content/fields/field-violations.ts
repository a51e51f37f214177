/** Validates fields by the table in `field-rules.ts`. `denormalise.ts` reads them before. */
import type { Violation } from '../../problem.ts';
import type { FieldItems, FieldName, Fields } from '../../model/entity.ts';
import type { ValidationContext } from './field-type.ts';
import { fieldRules, fieldsInOrder, listRules, maxFieldValues } from './field-rules.ts';
import { isEmptyItem } from './field-types.ts';
import type { PropertyRule } from './rule.ts';
import type { Bundle, FieldDefinition } from '../../model/bundle.ts';

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
    // Of a list without items only `required` says something. Most fields of most records are such lists.
    if (items.length === 0 && !field.required) continue;
    for (const violation of fieldViolations(field, items, context)) {
      if (violations.push(violation) === maxViolations) return violations;
    }
  }
  return violations;
};

/** The rules of the properties by type, as pairs: every item needs them. */
const propertyRules: ReadonlyMap<string, readonly (readonly [string, readonly PropertyRule[]])[]> = new Map(
  Object.entries(fieldRules).map(([type, { properties }]) => [type, Object.entries(properties)]),
);

type Place = { readonly delta?: number; readonly property?: string; readonly message: string };

/** Goes through the rules of a field: those of the list, then those of each item, then those of its properties. */
function* fieldViolations(field: FieldDefinition, items: FieldItems, context: ValidationContext): Generator<Violation> {
  const { list = [], item: itemRules = [] } = fieldRules[field.type];
  const at = ({ delta, property, message }: Place): Violation => ({
    path: [field.name, delta, property].filter((part) => part !== undefined).join('.'),
    message,
  });
  for (const rule of listRules) yield* rule(items, field, context).map(at);
  // So many values are refused already. Their own faults would take too long to find.
  if (items.length > maxFieldValues) return;
  for (const rule of list) yield* rule(items, field, context).map(at);
  if (items.every((item) => isEmptyItem(item, field.type))) return;
  let isLeading = true;
  for (const [delta, item] of items.entries()) {
    const isEmpty = isEmptyItem(item, field.type);
    isLeading &&= isEmpty;
    for (const rule of itemRules) {
      for (const broken of rule(item, field, context, isLeading)) yield at({ delta, ...broken });
    }
    if (isEmpty) continue;
    for (const [property, rules] of propertyRules.get(field.type) ?? []) {
      const value = item[property] ?? null;
      for (const rule of value === null ? [] : rules) {
        const message = rule(value, field, context);
        if (message !== undefined) yield at({ delta, property, message });
      }
    }
  }
}

/**
 * The violation of a record that has too many values in all. Its path is the received field with the most. A record that had
 * too many before may keep them.
 */
export const sizeViolations = (
  received: ReadonlyMap<FieldName, FieldItems>,
  before: Fields,
  after: Fields,
): readonly Violation[] => {
  const count = valuesIn(after);
  if (count <= maxRecordValues || count <= valuesIn(before)) return [];
  const [path = ''] = [...received.keys()].sort((a, b) => (after[b]?.length ?? 0) - (after[a]?.length ?? 0));
  return [{ path, message: `A record cannot hold more than ${maxRecordValues} values in all its fields.` }];
};

const valuesIn = (fields: Fields): number => {
  let count = 0;
  for (const name in fields) count += fields[name]?.length ?? 0;
  return count;
};
