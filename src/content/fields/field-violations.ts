/** Validates fields by their definitions. `denormalise.ts` reads them before. */
import type { Violation } from '../../problem.ts';
import type { FieldItems, FieldName, Fields } from '../../model/entity.ts';
import type { ValidationContext } from './field-type.ts';
import { fieldTypes } from './field-types.ts';
import type { Bundle, FieldDefinition } from '../../model/bundle.ts';

const maxViolations = 50;

/** The most values of a field, also of one that has no limit of its own. */
export const maxFieldValues = 1000;

/** The most values in all fields of a record. A record is read, checked and written as a whole, which must stay quick. */
export const maxRecordValues = 5000;

/** Every broken rule of the named fields, in the order of the bundle's definitions; at most 50. */
export const violationsOf = (
  bundle: Bundle,
  names: ReadonlySet<FieldName>,
  itemsOf: (field: FieldName) => FieldItems,
  context: ValidationContext,
): readonly Violation[] => {
  const violations: Violation[] = [];
  for (const field of bundle.fields.values()) {
    if (!names.has(field.name)) continue;
    for (const violation of fieldViolations(field, itemsOf(field.name), context)) {
      if (violations.push(violation) === maxViolations) return violations;
    }
  }
  return violations;
};

function* fieldViolations(field: FieldDefinition, items: FieldItems, context: ValidationContext): Generator<Violation> {
  if (field.required && items.length === 0) {
    yield { path: field.name, message: 'This value should not be null.' };
  }
  const maxValues = Math.min(field.cardinality, maxFieldValues);
  if (items.length > maxValues) {
    const message = `${field.label}: this field cannot hold more than ${maxValues} values.`;
    yield { path: field.name, message };
    return;
  }
  const type = fieldTypes[field.type];
  for (const [delta, item] of items.entries()) {
    for (const { property, message } of type.validate(item, field, context)) {
      yield { path: `${field.name}.${delta}${property === undefined ? '' : `.${property}`}`, message };
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
