/** Defines the field types that refer to other records: references, typed relations, files and images. */
import { unprocessable } from '../../problem.ts';
import { entityKey, firstValue, textOf, type Json } from '../../model/entity.ts';
import type { FieldDefinition } from '../../model/bundle.ts';
import {
  isInteger,
  isText,
  lengthViolations,
  numberIfDigits,
  quotedInput,
  targetTypeOf,
  wrongPrimitive,
  type FieldType,
  type ItemViolation,
} from './field-type.ts';

/** Resolves a `target_uuid`, which wins over a `target_id`. `target_type` is checked only beside a uuid. */
const readReference: NonNullable<FieldType['read']> = (item, field, received, context) => {
  const uuid = received['target_uuid'];
  if (uuid === undefined || uuid === null) return item;
  if (uuid === '') throw unprocessable('If provided "target_uuid" cannot be empty for field "0".');
  const fieldTarget = field.target?.type ?? '';
  const receivedType = received['target_type'];
  if (receivedType !== undefined && receivedType !== null && receivedType !== '' && receivedType !== fieldTarget) {
    throw unprocessable(`The field "${field.name}" property "target_type" must be set to "${fieldTarget}" or omitted.`);
  }
  const type = targetTypeOf(field);
  const id = type === undefined ? undefined : context.idOf(type, textOf(uuid).toLowerCase());
  if (id === undefined) {
    throw unprocessable(
      `No "${quotedInput(receivedType ?? '')}" entity found with UUID "${quotedInput(uuid)}" for field "0".`,
    );
  }
  return { ...item, target_id: id };
};

const validateReference: FieldType['validate'] = ({ target_id: id }, field, context) => {
  const type = targetTypeOf(field);
  if (type === undefined) return [];
  const isNumeric = isInteger(id);
  const target = isNumeric ? context.find(entityKey(type, Number(id))) : undefined;
  if (target === undefined) {
    const message = `The referenced entity (${type}: ${quotedInput(id)}) does not exist.`;
    return [{ property: 'target_id', message }, ...(isNumeric ? [] : [wrongPrimitive('target_id')])];
  }
  const bundles = field.target?.bundles;
  const isAllowedBundle = bundles === undefined || bundles.includes(target.bundle);
  if (!isAllowedBundle || !context.mayReference(target)) {
    return [{ property: 'target_id', message: `This entity (${type}: ${target.id}) cannot be referenced.` }];
  }
  if (type !== 'file' || context.mayView(target)) return [];
  // Otherwise users could read and overwrite a guarded file by making a media of their own that uses it.
  return [
    { property: 'target_id', message: `You do not have access to the referenced entity (${type}: ${target.id}).` },
  ];
};

const numberOrNull = (value: Json | undefined): number | null => (isInteger(value) ? Number(value) : null);
const textOrNull = (value: Json | undefined): string | null => (isText(value) ? textOf(value) : null);

export const referenceType: FieldType = {
  main: 'target_id',
  properties: ['target_id'],
  read: readReference,
  validate: validateReference,
  store: ({ target_id: id }) => ({ target_id: numberIfDigits(id) }),
};

export const typedRelationType: FieldType = {
  ...referenceType,
  properties: ['target_id', 'rel_type'],
  validate: (item, field, context) => [
    ...validateReference(item, field, context),
    ...(item['rel_type'] === undefined || typeof item['rel_type'] === 'string' ? [] : [wrongPrimitive('rel_type')]),
    ...(field.relations !== undefined && !field.relations.includes(textOf(item['rel_type']))
      ? [{ property: 'rel_type', message: 'The value you selected is not a valid choice.' }]
      : []),
  ],
  store: (item) => ({ target_id: numberIfDigits(item['target_id']), rel_type: textOrNull(item['rel_type']) }),
};

const validateFile: FieldType['validate'] = (item, field, context) => {
  const violations = validateReference(item, field, context);
  if (violations.length > 0 || field.extensions === undefined) return violations;
  const file = context.find(entityKey('file', Number(item['target_id'])));
  const name = file === undefined ? '' : textOf(firstValue(file, 'filename'));
  return field.extensions.includes(extensionOf(name))
    ? []
    : [{ message: `Only files with the following extensions are allowed: ${field.extensions.join(' ')}.` }];
};

/** The part after the last dot, in lower case. Empty when there is none. */
export const extensionOf = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';

export const fileType: FieldType = {
  ...referenceType,
  properties: ['target_id', 'display', 'description'],
  validate: validateFile,
  store: (item) => ({
    target_id: numberIfDigits(item['target_id']),
    display: typeof item['display'] === 'boolean' ? item['display'] : null,
    description: textOrNull(item['description']),
  }),
};

export const imageType: FieldType = {
  ...referenceType,
  properties: ['target_id', 'alt', 'title', 'width', 'height'],
  validate: (item, field, context) => [
    ...validateFile(item, field, context),
    ...captionViolations(item['alt'], 'alt', field),
    ...captionViolations(item['title'], 'title', field),
    ...(['width', 'height'] as const).flatMap((property) =>
      item[property] === undefined || item[property] === null || isInteger(item[property])
        ? []
        : [wrongPrimitive(property)],
    ),
  ],
  store: (item) => ({
    target_id: numberIfDigits(item['target_id']),
    alt: textOrNull(item['alt']),
    title: textOrNull(item['title']),
    width: numberOrNull(item['width']),
    height: numberOrNull(item['height']),
  }),
};

const captionViolations = (
  value: Json | undefined,
  property: 'alt' | 'title',
  field: FieldDefinition,
): readonly ItemViolation[] => {
  if (value === undefined || value === null) return [];
  const maxLength = property === 'alt' ? 512 : 1024;
  return isText(value) ? lengthViolations(value, property, field, maxLength) : [wrongPrimitive(property)];
};
