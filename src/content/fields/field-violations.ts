/** Validates fields by their definitions. `denormalise.ts` reads them before. */
import type { Violation } from '../../problem.ts';
import type { FieldItems, FieldName } from '../../model/entity.ts';
import type { ValidationContext } from './field-type.ts';
import { fieldTypes } from './field-types.ts';
import type { Bundle, FieldDefinition } from '../../model/bundle.ts';

const maxViolations = 50;

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
  if (items.length > field.cardinality) {
    const message = `${field.label}: this field cannot hold more than ${field.cardinality} values.`;
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
