/** Says in words what a field is: its label, what the site tells people of it, what it holds, its bounds. */
import { fieldTypeOf, isFileType } from '../../fields/field-types.ts';
import type { FieldDefinition } from '../../model/bundle.ts';
import { explained } from '../field-shapes.ts';

/** `fields` are those of one name: one for each bundle that has it, each said once. */
export const fieldDescription = (fields: readonly FieldDefinition[]): string =>
  [...new Set(fields.map((field) => sentencesOf(field).join(' ')))].join(' ');

const sentencesOf = (field: FieldDefinition): readonly string[] =>
  [
    sentence(field.label),
    sentence(field.description ?? ''),
    holding(field),
    stating(field),
    field.maxLength === undefined ? '' : `At most ${field.maxLength} characters.`,
    field.required && field.workflow === undefined ? 'Required.' : '',
    ...boundsOf(field),
    ...formsOf(field),
  ].filter((words) => words !== '');

const sentence = (words: string): string => words.trim().replace(/([^.!?:])$/, '$1.');

const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

const targets = {
  node: 'A node',
  media: 'A media',
  file: 'A file',
  user: 'An account',
  taxonomy_term: 'A term',
  node_type: 'A node type',
  media_type: 'A media type',
  taxonomy_vocabulary: 'A vocabulary',
  user_role: 'A role',
} as const;

/** What a reference refers to, and which files are taken. The schema of the items says the rest. */
const holding = (field: FieldDefinition): string => {
  const { target, extensions, relations } = field;
  const type = fieldTypeOf(field);
  if (target !== undefined && !isFileType(type)) {
    const of = target.bundles === undefined || target.bundles.length === 0 ? '' : ` of ${listed(target.bundles)}`;
    const role = relations === undefined ? ', with a role' : `, with one of ${relations.length} roles`;
    return `${targets[target.type]}${of}${type.refers === 'with-role' ? role : ''}.`;
  }
  return extensions === undefined || extensions.length === 0 ? '' : `Files named ${listed(extensions)}.`;
};

const stating = ({ workflow, allowedValues = {} }: FieldDefinition): string =>
  workflow === undefined
    ? ''
    : `The workflow ${workflow.label} has ${explained(allowedValues)}; a new record is \`${workflow.defaultState}\`. Empty for bundles without a workflow.`;

const boundsOf = ({ min, max }: FieldDefinition): readonly string[] => [
  min === undefined ? '' : `At least ${min}.`,
  max === undefined ? '' : `At most ${max}.`,
];

/** What only forms ask for. */
const formsOf = ({ forms = {} }: FieldDefinition): readonly string[] => [
  forms.sources === undefined ? '' : `Forms offer the authorities ${explained(forms.sources)}.`,
  forms.formats === undefined ? '' : `Forms offer the text formats ${listed(forms.formats)}.`,
  forms.linkTitle === 'required' ? 'Forms ask for a title.' : '',
  forms.linkTitle === 'disabled' ? 'Forms have no title.' : '',
  forms.altRequired === true ? 'Forms ask for an alternative text.' : '',
];
