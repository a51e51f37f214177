/** Makes the definitions of the fields that a bundle's file describes. */
import { isFileType, fieldTypeOf } from '../fields/field-types.ts';
import type { FieldDefinition } from '../model/bundle.ts';
import { relationNames, settingsOfField, shownOfField } from './field-settings.ts';
import type { FieldInput } from './site-files.ts';

/** In the order of their names. */
export const configuredFields = (fields: Readonly<Record<string, FieldInput>>): readonly FieldDefinition[] =>
  Object.entries(fields).sort(byName).map(configuredField);

const byName = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

const configuredField = ([name, input]: [string, FieldInput]): FieldDefinition => ({
  name,
  label: input.label,
  type: input.type,
  cardinality: input.cardinality === 'unlimited' ? Infinity : input.cardinality,
  required: input.required,
  configured: true,
  translatable: input.translatable,
  maxLength: input.max_length ?? fieldTypeOf(input).maxLength,
  target: targetOf(input),
  extensions: input.extensions,
  scheme: input.scheme,
  relations: relationNames(input.relations),
  access: input.access,
  default: input.default,
  ...settingsOfField(input),
  shown: shownOfField(input),
});

const targetOf = (input: FieldInput): FieldDefinition['target'] => {
  if (isFileType(fieldTypeOf(input))) return { type: 'file' };
  return input.target === undefined ? undefined : { type: input.target, bundles: input.bundles };
};
