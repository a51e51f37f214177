/** Names of people, in their parts. */
import { markup } from '../../pages/page-markup.ts';
import { type FieldType, shapes } from '../field-type.ts';
import { fits, text } from '../rules.ts';
import { isMissingOrEmptyText, textOrNull } from '../values.ts';

const parts = ['title', 'given', 'middle', 'family', 'generational', 'credentials'] as const;

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
  schema: shapes('PersonNameItem', 'PersonNameInput'),
  module: 'name',
  widget: 'name_default',
};
