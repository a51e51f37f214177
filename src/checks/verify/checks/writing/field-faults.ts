/** Lists wrong values of a field, with the line that the refusal must have. */
import { fieldTypeOf, isFileType } from '../../../../core/fields/field-types.ts';
import type { FieldDefinition } from '../../../../core/model/bundle.ts';
import type { FieldItem } from '../../../../core/model/entity.ts';
import { CheckSkip, shown } from '../../answer.ts';
import type { CheckContext } from '../../check.ts';
import { outcomeOf } from './field-oracle.ts';
import { withRole } from './field-samples.ts';
import type { FieldOf } from './fields-of.ts';
import { fileOfOtherKind, forbiddenTerm } from './known-terms.ts';

/** `source` and `isOurs` say where the rule comes from: a recording of the real service, or what helps clients. */
export type FieldFault = {
  /** Words with hyphens, unique for the field. */
  readonly name: string;
  /** What is wrong, as the end of "A field … is refused". */
  readonly words: string;
  /** What to send as the field. */
  readonly value: (context: CheckContext, field: FieldDefinition) => unknown;
  /** What the message must contain. */
  readonly says: (field: FieldDefinition) => string;
  /** Where the real service fails with 500 in place of a refusal. */
  readonly isAdvice?: boolean;
};

type Faults = readonly FieldFault[];

const primitive = 'This value should be of the correct primitive type.';
const absentUuid = '00000000-0000-4000-8000-000000000000';

const bareText: FieldFault = {
  ...{ name: 'bare-text', words: 'that is a text in place of a list', value: () => 'some text' },
  says: ({ name }) => `Field values for "${name}" must use an array structure`,
};

const bareNumber: FieldFault = {
  ...{ name: 'bare-number', words: 'that is a number in place of a list', value: () => 12 },
  says: ({ name }) => `Field values for "${name}" must use an array structure`,
};

const nullRequired = ['null', 'empty-list'].map((name): FieldFault => ({
  name: `required-${name}`,
  words: `that is required and ${name === 'null' ? 'null' : 'an empty list'}`,
  value: () => (name === 'null' ? null : []),
  says: (field) => `${field.name}: This value should not be null.`,
}));

const targetType = ({ target }: FieldDefinition): string => target?.type ?? '';
const references: Faults = [
  {
    ...{ name: 'absent-target', words: 'that refers to a record that does not exist' },
    value: ({ subjects }, field) => [withRole(field, { target_id: subjects.absentId })],
    says: (field) => `${field.name}.0.target_id: The referenced entity (${targetType(field)}: `,
  },
  {
    ...{ name: 'target-word', words: 'whose target_id is a word' },
    value: (_context, field) => [withRole(field, { target_id: 'nothing' })],
    says: ({ name }) => `${name}.0.target_id: ${primitive}`,
  },
  {
    ...{ name: 'absent-uuid', words: 'with a target_uuid that no record has' },
    value: (_context, field) => [withRole(field, { target_uuid: absentUuid })],
    says: () => `entity found with UUID "${absentUuid}" for field "0".`,
  },
  {
    ...{ name: 'empty-uuid', words: 'with an empty target_uuid' },
    value: (_context, field) => [withRole(field, { target_uuid: '' })],
    says: () => 'If provided "target_uuid" cannot be empty for field "0".',
  },
  {
    ...{ name: 'uuid-of-other-type', words: 'with a target_uuid and a target_type that is not that of the field' },
    value: (_context, field) => [withRole(field, { target_uuid: absentUuid, target_type: 'block' })],
    says: (field) =>
      `The field "${field.name}" property "target_type" must be set to "${targetType(field)}" or omitted.`,
  },
];

const forbidden: FieldFault = {
  ...{ name: 'other-vocabulary', words: 'that refers to a term of a vocabulary that the field does not allow' },
  value: async (context, field) => {
    const id = await forbiddenTerm(context, field);
    if (id === undefined) throw new CheckSkip('The site has no term of another vocabulary.');
    return [withRole(field, { target_id: id })];
  },
  says: (field) => `${field.name}.0.target_id: This entity (${targetType(field)}: `,
};

const otherExtension: FieldFault = {
  ...{ name: 'other-extension', words: 'that refers to a file whose extension the field does not allow' },
  value: async (context, { extensions = [] }) => {
    const id = await fileOfOtherKind(context, extensions);
    if (id === undefined) throw new CheckSkip('The site has no media for files of another extension.');
    return [{ target_id: id }];
  },
  says: ({ name, extensions = [] }) =>
    `${name}.0: Only files with the following extensions are allowed: ${extensions.join(' ')}.`,
};

/** What the type of the field tries, and a text that is too long, as far as the field refuses them. */
const triedOf = (of: FieldOf): Faults => {
  const { main, trials } = fieldTypeOf(of.field);
  const { maxLength } = of.field;
  const tooLong = maxLength === undefined ? [] : [{ [main]: 'x'.repeat(maxLength + 1) }];
  return [...tooLong, ...(trials?.(of.field).refused ?? [])].flatMap((item: FieldItem, at) => {
    const outcome = outcomeOf(of, [item]);
    if (!('refused' in outcome)) return [];
    // The real site answers 500 to a value that is an object.
    const isAdvice = Object.values(item).some((value) => typeof value === 'object');
    const fault = { name: `value-${at + 1}`, words: `with ${shown(item)}`, value: () => [item] };
    return [{ ...fault, says: () => outcome.refused, isAdvice }];
  });
};

const referring = ({ target, type }: FieldDefinition): Faults => {
  const { refers } = fieldTypeOf({ type });
  if (isFileType(fieldTypeOf({ type }))) return [...references.slice(0, 2), otherExtension];
  if (refers !== 'plainly' && refers !== 'with-role') return [];
  return [...references, ...(target?.bundles === undefined ? [] : [forbidden])];
};

/** The wrong values of a field. `null` and `[]` are among them for a required one. */
export const faultsOf = (of: FieldOf): Faults => [
  bareText,
  ...(of.field.configured ? [] : [bareNumber]),
  ...(of.field.required && of.field.configured ? nullRequired : []),
  ...referring(of.field),
  ...triedOf(of),
];
