/**
 * The rules of validation that hold for every field, and the order in which the real site checks all of them. A field's rules about its whole
 * list come first, then for each item the rules about the item, then for each property of a filled item the rules about the
 * property. The types have their own rules (`repository/fields`). `field-violations.ts` goes through them, field by field in the order of `fieldsInOrder`.
 *
 * Before that a request is refused for the first of these: a bundle that cannot be read (422), fields that the bundle does
 * not have (422), a field that cannot be read (422, in the order of the body), a missing permission for the bundle (403),
 * a field that the account may not set (403, in the order of the body). After it: what only the record itself shows (422, 409).
 */
import { areEmpty } from '../../fields/field-types.ts';
import type { ListRule } from '../../fields/rule.ts';
import { oncePerBundle, type FieldDefinition } from '../../model/bundle.ts';
import { identityOf } from '../../model/entity.ts';
import { transition } from './moderation.ts';

/** The most values of a field, also of one that has no limit of its own. */
export const maxFieldValues = 1000;

const required: ListRule = (items, field) =>
  field.required && areEmpty(items, field) ? [{ message: 'This value should not be null.' }] : [];

const cardinality: ListRule = (items, field) => {
  const most = Math.min(field.cardinality, maxFieldValues);
  return items.length > most ? [{ message: `${field.label}: this field cannot hold more than ${most} values.` }] : [];
};

const stated: ListRule = (items, field, context) =>
  field.workflow === undefined ? [] : transition(items, field.workflow, context);

/** The rules about the list of every field. */
export const listRules: readonly ListRule[] = [required, cardinality, stated];

/**
 * The fields of a bundle in the order in which the real site validates them. The owner comes before the label. The field
 * that keeps a media's file comes before the other configured fields.
 */
export const fieldsInOrder = oncePerBundle((bundle): readonly FieldDefinition[] => {
  const { label } = identityOf(bundle.entityType);
  const fields = [...bundle.fields.values()];
  const source = fields.filter(({ name }) => name === bundle.source?.field);
  const owner = fields.filter(({ name }) => name === 'uid' && bundle.entityType !== 'user');
  const firstConfigured = fields.find(({ configured }) => configured);
  return fields.flatMap((field) => {
    if (source.includes(field) || owner.includes(field)) return field === firstConfigured ? source : [];
    if (field.name === label) return [...owner, field];
    return field === firstConfigured ? [...source, field] : [field];
  });
});
