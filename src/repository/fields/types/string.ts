/** Plain texts: of one line and of several, and what all types have whose items are a text. */
import type { FieldDefinition } from '../../model/bundle.ts';
import { markup } from '../../markup/page-markup.ts';
import { type FieldType, type FormPart, shapes, type Trials } from '../field-type.ts';
import { textValue } from '../graph-values.ts';
import { maxLength, text } from '../rules.ts';
import { isMissingOrEmptyText, scalarText } from '../values.ts';
import { type FieldItem, textOf } from '../../../openapi/openapi-records.ts';

/** A type whose items have a text as `value` and nothing else. */
export const anyText = {
  main: 'value',
  properties: ['value'],
  isEmpty: ({ value }) => isMissingOrEmptyText(value),
  store: ({ value }) => ({ value: scalarText(value) }),
  rules: { value: [text] },
  jsonld: textValue,
  page: ({ value }) => markup`${textOf(value ?? '')}`,
  form: (): readonly FormPart[] => [{ property: 'value', label: 'Value', choicesIn: 'allowedValues' }],
  schema: shapes('StringItem'),
} satisfies Partial<FieldType>;

/** The real site answers 500 to it. */
export const structured: FieldItem = { value: { text: 'x' } };

const longest = 2000;

/** Characters count, not bytes: each of the second has several. */
const trials = ({ maxLength: most = longest }: FieldDefinition): Trials => ({
  taken: [{ value: 'x'.repeat(most) }, { value: 'é'.repeat(most) }, { value: `"a" <b> & 'c' \\ / é ж 日本 𝄞` }],
  refused: [structured],
});

export const string = {
  ...anyText,
  name: 'string',
  isFreeText: true,
  sourceOf: 'address',
  item: [maxLength],
  sample: (field, draw) => ({ value: draw.name(field) }),
  trials,
  maxLength: 255,
  keys: ['max_length'],
  storageSettings: () => ({ case_sensitive: false, is_ascii: false }),
} satisfies FieldType;

export const stringLong: FieldType = {
  ...anyText,
  name: 'string_long',
  isFreeText: true,
  sourceOf: 'address',
  page: ({ value }) => markup`<span class="lines">${textOf(value ?? '')}</span>`,
  sample: (field, draw) => ({ value: draw.sentences(field) }),
  form: () => [{ property: 'value', label: 'Text', input: 'paragraph' }],
  trials,
  widget: 'string_textarea',
  storageSettings: () => ({ case_sensitive: false }),
};
