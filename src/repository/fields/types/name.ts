/** Names of people, in their parts. */
import { markup } from '../../markup/page-markup.ts';
import { type FieldType, shapes } from '../field-type.ts';
import { fits, text } from '../rules.ts';
import { isMissingOrEmptyText, textOrNull } from '../values.ts';

const labels = {
  title: 'Title',
  given: 'Given name',
  middle: 'Middle names',
  family: 'Family name',
  generational: 'Generation',
  credentials: 'Credentials',
};
const parts = Object.keys(labels);

export const name: FieldType = {
  name: 'name',
  main: 'title',
  properties: parts,
  isEmpty: (item) => parts.every((part) => isMissingOrEmptyText(item[part])),
  store: (item) => Object.fromEntries(parts.map((part) => [part, textOrNull(item[part])])),
  rules: Object.fromEntries(parts.map((part) => [part, [text, fits(255)]])),
  reasonOfDrop: () => 'An item without any value is dropped.',
  json: (item) => Object.fromEntries(parts.map((part) => [part, item[part] ?? null])),
  page: (item) => markup`${parts.flatMap((part) => (typeof item[part] === 'string' ? [item[part]] : [])).join(' ')}`,
  sample: (field, draw) => ({ given: 'Ada', family: draw.name(field) }),
  form: () => Object.entries(labels).map(([property, label]) => ({ property, label })),
  schema: shapes('PersonNameItem', 'PersonNameInput'),
  module: 'name',
  widget: 'name_default',
};
