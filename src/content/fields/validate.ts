/** Judges fields by their definitions: the second family of 422, one line per broken rule (R 1.9 b). */
import type { Violation } from '../../problem.ts';
import type { FieldItems, FieldName } from '../../model/entity.ts';
import { fieldTypes, type JudgeContext } from './field-types.ts';
import type { Bundle, FieldDefinition } from '../../model/bundle.ts';

/** More lines than this help nobody. */
const mostViolations = 50;

/** Every broken rule of the named fields, in the order of the bundle's definitions; at most 50. */
export const violationsOf = (
  bundle: Bundle,
  names: ReadonlySet<FieldName>,
  itemsOf: (field: FieldName) => FieldItems,
  context: JudgeContext,
): readonly Violation[] => {
  const violations: Violation[] = [];
  for (const field of bundle.fields.values()) {
    if (!names.has(field.name)) continue;
    for (const violation of fieldViolations(field, itemsOf(field.name), context)) {
      if (violations.push(violation) === mostViolations) return violations;
    }
  }
  return violations;
};

function* fieldViolations(field: FieldDefinition, fieldItems: FieldItems, context: JudgeContext): Generator<Violation> {
  if (field.required && fieldItems.length === 0) {
    yield { path: field.name, message: 'This value should not be null.' };
  }
  if (fieldItems.length > field.cardinality) {
    const message = `${field.label}: this field cannot hold more than ${field.cardinality} values.`;
    yield { path: field.name, message };
    return;
  }
  const type = fieldTypes[field.type];
  for (const [delta, item] of fieldItems.entries()) {
    for (const fault of type.judge(item, field, context)) {
      const property = fault.property === undefined ? '' : `.${fault.property}`;
      yield { path: `${field.name}.${delta}${property}`, message: fault.message };
    }
  }
}
