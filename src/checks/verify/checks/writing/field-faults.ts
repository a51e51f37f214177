/** Lists wrong values for each type of field, with the line that the refusal must have. */
import { fieldTypeOf } from '../../../../core/fields/field-types.ts';
import type { FieldDefinition } from '../../../../core/model/bundle.ts';
import { CheckSkip } from '../../answer.ts';
import type { CheckContext } from '../../check.ts';
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
const notAChoice = 'The value you selected is not a valid choice.';
const absentUuid = '00000000-0000-4000-8000-000000000000';

/** A fault of one item: `lines` is the message behind the path of the item. */
const item = (name: string, words: string, sent: unknown, property: string, says: string): FieldFault => ({
  ...{ name, words, value: () => [sent] },
  says: (field) => `${field.name}.0${property === '' ? '' : `.${property}`}: ${says}`,
});

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

const tooLong: FieldFault = {
  ...{ name: 'too-long', words: 'with one character more than it holds' },
  value: (_context, { maxLength = 0 }) => [{ value: 'x'.repeat(maxLength + 1) }],
  says: ({ name, label, type, maxLength = 0 }) =>
    `${name}.0.value: ${label}: ${type === 'text' ? 'the text may' : 'may'} not be longer than ${maxLength} characters.`,
};

const structured: FieldFault = {
  ...item('object-as-text', 'whose text is an object', { value: { text: 'x' } }, 'value', primitive),
  isAdvice: true,
};

const text: Faults = [structured];

const edtfTexts = [
  'not a date',
  '2015-13',
  '2015-01-32',
  '20155',
  '215',
  '2015-X1',
  '2015-01-01T10:00',
  '2015/nowhere',
];
const edtf: Faults = edtfTexts.map((sent, index) => ({
  ...item(`edtf-${index + 1}`, `with "${sent}", which is not a date of EDTF`, { value: sent }, '', ''),
  says: ({ name }: FieldDefinition) => `${name}.0: ${sent} is not valid EDTF: `,
}));

const number = (sent: unknown, name: string, words: string): FieldFault => ({
  ...item(name, words, { value: sent }, 'value', ''),
});

const integers: Faults = [
  number('ten', 'word', 'with a word in place of a number'),
  number(1.5, 'fraction', 'with a fraction in place of a whole number'),
  { ...number({ number: 1 }, 'object', 'with an object in place of a number'), isAdvice: true },
];
const floats: Faults = [number('ten', 'word', 'with a word in place of a number')];

const boundsOf = ({ min, max, unsigned }: FieldDefinition): Faults => [
  ...(min === undefined ? [] : [number(min - 1, 'below-minimum', `below ${min}`)]),
  ...(max === undefined ? [] : [number(max + 1, 'above-maximum', `above ${max}`)]),
  ...(unsigned === true && min === undefined ? [number(-1, 'negative', 'below 0')] : []),
];

const targetType = ({ target }: FieldDefinition): string => target?.type ?? '';
/** Typed relations without a relation are not items. */
const withRelation = (field: FieldDefinition, reference: object): object =>
  fieldTypeOf(field).refers === 'with-role'
    ? { ...reference, rel_type: field.relations?.[0] ?? 'relators:aut' }
    : reference;

const references: Faults = [
  {
    ...{ name: 'absent-target', words: 'that refers to a record that does not exist' },
    value: ({ subjects }, field) => [withRelation(field, { target_id: subjects.absentId })],
    says: (field) => `${field.name}.0.target_id: The referenced entity (${targetType(field)}: `,
  },
  {
    ...{ name: 'target-word', words: 'whose target_id is a word' },
    value: (_context, field) => [withRelation(field, { target_id: 'nothing' })],
    says: ({ name }) => `${name}.0.target_id: ${primitive}`,
  },
  {
    ...{ name: 'absent-uuid', words: 'with a target_uuid that no record has' },
    value: (_context, field) => [withRelation(field, { target_uuid: absentUuid })],
    says: () => `entity found with UUID "${absentUuid}" for field "0".`,
  },
  {
    ...{ name: 'empty-uuid', words: 'with an empty target_uuid' },
    value: (_context, field) => [withRelation(field, { target_uuid: '' })],
    says: () => 'If provided "target_uuid" cannot be empty for field "0".',
  },
  {
    ...{ name: 'uuid-of-other-type', words: 'with a target_uuid and a target_type that is not that of the field' },
    value: (_context, field) => [withRelation(field, { target_uuid: absentUuid, target_type: 'block' })],
    says: (field) =>
      `The field "${field.name}" property "target_type" must be set to "${targetType(field)}" or omitted.`,
  },
];

const forbidden: FieldFault = {
  ...{ name: 'other-vocabulary', words: 'that refers to a term of a vocabulary that the field does not allow' },
  value: async (context, field) => {
    const id = await forbiddenTerm(context, field);
    if (id === undefined) throw new CheckSkip('The site has no term of another vocabulary.');
    return [withRelation(field, { target_id: id })];
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

const links: Faults = ['javascript:alert(1)', 'data:text/plain,x', 'urn:isbn:0', 'no address'].map((uri, index) =>
  item(`link-${index + 1}`, `with the address "${uri}"`, { uri }, '', `The path '${uri}' is invalid.`),
);
const linkKinds = ({ link = 'both' }: FieldDefinition): Faults => {
  if (link === 'both') return [];
  const uri = link === 'internal' ? 'http://example.org/' : 'internal:/node';
  return [item('link-kind', `with an address that is not ${link}`, { uri }, '', `The path '${uri}' is invalid.`)];
};

const times: Faults = ['yesterday', '2020-13-01T00:00:00+00:00', '2020-01-02'].map((value, index) => ({
  ...item(`time-${index + 1}`, `with "${value}", which is not a time`, { value }, '', ''),
  says: () => `The specified date "${value}" is not in an accepted format: `,
}));

const days: Faults = ['yesterday', '2020-02-31T'].map((value, index) => ({
  ...item(`day-${index + 1}`, `with "${value}", which is not a date`, { value }, '', ''),
  says: () => `The specified date "${value}" is not in an accepted format: `,
}));

const format = item(
  'unknown-format',
  'with a text format that nobody may use',
  { value: 'x', format: 'verify_none' },
  'format',
  notAChoice,
);

const byType: Partial<Record<FieldDefinition['type'], (field: FieldDefinition) => Faults>> = {
  string: () => text,
  string_long: () => text,
  text: () => [format, structured],
  text_long: () => [format, structured],
  text_with_summary: () => [format, structured],
  boolean: () => [
    item('word', 'with a word in place of true or false', { value: 'perhaps' }, 'value', primitive),
    item('two', 'with a number that is neither 0 nor 1', { value: 2 }, 'value', primitive),
  ],
  integer: (field) => [...integers, ...boundsOf(field)],
  float: (field) => [...floats, ...boundsOf(field)],
  decimal: (field) => [...floats, ...boundsOf(field)],
  language: () => [
    item('unknown', 'with a language that the site does not have', { value: 'xx-none' }, '', notAChoice),
  ],
  timestamp: () => times,
  datetime: () => days,
  edtf: () => edtf,
  entity_reference: (field) => [...references, ...(field.target?.bundles === undefined ? [] : [forbidden])],
  typed_relation: (field) => [...references, ...(field.target?.bundles === undefined ? [] : [forbidden])],
  file: () => [...references.slice(0, 2), otherExtension],
  image: () => [...references.slice(0, 2), otherExtension],
  media_track: () => references.slice(0, 2),
  link: (field) => [...links, ...linkKinds(field)],
  authority_link: () => links,
  email: () => [
    item(
      'no-address',
      'with a text that is not an address',
      { value: 'nobody' },
      'value',
      'This value is not a valid email address.',
    ),
  ],
  list_string: ({ allowedValues }) =>
    allowedValues === undefined
      ? []
      : [item('no-choice', 'with a value that is not in its list', { value: 'verify-none' }, '', notAChoice)],
  list_integer: ({ allowedValues }) =>
    allowedValues === undefined
      ? []
      : [item('no-choice', 'with a value that is not in its list', { value: -99 }, '', notAChoice)],
  geolocation: () => [item('word', 'with a word in place of a latitude', { lat: 'north', lng: 2 }, 'lat', primitive)],
};

/** The wrong values of a field. `null` and `[]` are among them for a required one. */
export const faultsOf = (field: FieldDefinition): Faults => [
  bareText,
  ...(field.configured ? [] : [bareNumber]),
  ...(field.required && field.configured ? nullRequired : []),
  ...(field.maxLength === undefined || field.type === 'uuid' || field.type === 'edtf' ? [] : [tooLong]),
  ...(byType[field.type]?.(field) ?? []),
];
