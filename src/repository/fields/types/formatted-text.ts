/** Texts with a text format: of one line, of several, and with a summary. */
import { Markup, markup } from '../../markup/page-markup.ts';
import { textOfHtml } from '../../../basics/formats/text-of-html.ts';
import { formattedText, plainText } from '../web-links.ts';
import { type FieldType, type FormPart, type JsonContext, shapes } from '../field-type.ts';
import type { ItemRule, PropertyRule } from '../rule.ts';
import { noLonger, text } from '../rules.ts';
import { isMissing, isMissingOrEmptyText, isScalar, noChoice, scalarText, textOrNull } from '../values.ts';
import { anyText, structured } from './string.ts';
import { type FieldItem, textOf } from '../../../openapi/openapi-records.ts';
import type { JsonObject } from '../../../basics/json.ts';

const isKnownFormat: PropertyRule = (value, _field, context) =>
  isScalar(value) && !context.textFormats.includes(scalarText(value)) ? noChoice : undefined;

const json = ({ value, format }: FieldItem, { site }: JsonContext): JsonObject => ({
  value: value ?? null,
  format: format ?? null,
  processed: typeof value === 'string' ? formattedText(value, format, site) : '',
});

/** `plainText` escapes its text itself, and its anchors lead to web and mail addresses only. */
const page: FieldType['page'] = ({ value, format }, { world }) => {
  const written = textOf(value ?? '');
  const isHtml = typeof format === 'string' && world.site.htmlFormats.has(format);
  return markup`<div class="text">${new Markup(plainText(isHtml ? textOfHtml(written) : written))}</div>`;
};

/** Every account may use the first format. */
const sample: NonNullable<FieldType['sample']> = (field, draw) => {
  const [first] = draw.site.textFormats;
  const format = field.forms?.formats?.find((name) => name === first) ?? first ?? null;
  return { value: draw.sentences(field), format };
};

const form: readonly FormPart[] = [
  { property: 'value', label: 'Text', input: 'paragraph' },
  { property: 'format', label: 'Format', choicesIn: 'formats' },
];

export const textLong = {
  ...anyText,
  name: 'text_long',
  isFreeText: true,
  properties: ['value', 'format'],
  computed: ['processed'],
  store: ({ value, format }) => ({ value: scalarText(value), format: textOrNull(format) }),
  rules: { value: [text], format: [text, isKnownFormat] },
  json,
  page,
  sample,
  form: (): readonly FormPart[] => form,
  trials: () => ({
    taken: [{ value: 'A plain text' }],
    refused: [{ value: 'x', format: 'verify_none' }, structured],
  }),
  schema: shapes('TextItem', 'TextInput'),
  module: 'text',
  widget: 'text_textarea',
  keys: ['formats'],
} satisfies FieldType;

export const formattedLine: FieldType = {
  ...textLong,
  name: 'text',
  item: [noLonger(({ maxLength: most }) => most, 'the text may not be')],
  widget: 'text_textfield',
  keys: ['max_length', 'formats'],
  maxLength: 255,
};

/** A summary needs its text, which may be empty. */
const hasText: ItemRule = ({ value }) =>
  isMissing(value) ? [{ property: 'value', message: 'This value should not be null.' }] : [];

export const textWithSummary: FieldType = {
  ...textLong,
  name: 'text_with_summary',
  properties: ['value', 'format', 'summary'],
  // A summary alone is a value, too.
  isEmpty: ({ value, summary }) => isMissingOrEmptyText(value) && isMissingOrEmptyText(summary),
  store: ({ value, format, summary }) => ({
    value: isMissing(value) ? null : scalarText(value),
    format: textOrNull(format),
    summary: textOrNull(summary),
  }),
  item: [hasText],
  rules: { ...textLong.rules, summary: [text] },
  json: (item, context) => ({ ...json(item, context), summary: item['summary'] ?? null }),
  sample: (field, draw) => ({ ...sample(field, draw), summary: draw.name(field) }),
  form: () => [...form, { property: 'summary', label: 'Summary', input: 'paragraph' }],
  schema: shapes('TextWithSummaryItem', 'TextWithSummaryInput'),
  widget: 'text_textarea_with_summary',
  settings: () => ({ display_summary: true, required_summary: false }),
};
