/** Says for each field type which inputs an item has, and how the text of an input becomes JSON. */
import { leadsToRecords, type Choice, type ModelField } from './model.ts';

/** `moment` is a day with a time in UTC. */
export type InputKind = 'line' | 'paragraph' | 'choice' | 'reference' | 'day' | 'moment';

/** One input of an item. */
export type Part = {
  /** The member of the item. Empty when the input is the whole item, as JSON. */
  readonly property: string;
  readonly label: string;
  readonly input: InputKind;
  /** What its text becomes. A text that is not a number is sent as it is, so that the server can refuse it. */
  readonly as: 'text' | 'number' | 'boolean' | 'json';
  readonly choices?: readonly Choice[];
  readonly hint?: string;
  /** The text of a new item. */
  readonly initial?: string;
};

const line = (property: string, label: string, more: Partial<Part> = {}): Part => ({
  property,
  label,
  input: 'line',
  as: 'text',
  ...more,
});

/** A choice where the model names the values, else a text. */
const choiceOr = (property: string, label: string, choices: readonly Choice[] | undefined, more: Partial<Part> = {}) =>
  line(property, label, choices === undefined || choices.length === 0 ? more : { ...more, input: 'choice', choices });

const yesOrNo: readonly Choice[] = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];
const flag = (property: string, label: string, choices = yesOrNo): Part =>
  line(property, label, { input: 'choice', as: 'boolean', choices });

const choicesOf = (values: readonly string[]): readonly Choice[] => values.map((value) => ({ value, label: value }));

const reference = (field: ModelField): Part =>
  line('target_id', 'Refers to', { as: 'number', input: leadsToRecords(field) ? 'reference' : 'line' });

const format = ({ formats }: ModelField): Part => {
  const [first] = formats ?? [];
  const choices = formats === undefined ? undefined : choicesOf(formats);
  return choiceOr('format', 'Format', choices, first === undefined ? {} : { initial: first });
};

const formatted = (field: ModelField): readonly Part[] => [
  line('value', 'Text', { input: 'paragraph' }),
  format(field),
];

const link = ({ linkTitle, link: kind }: ModelField): readonly Part[] => [
  line('uri', 'Address', {
    hint: kind === 'internal' ? 'Such as internal:/node/1.' : 'Such as https://example.org or internal:/node/1.',
  }),
  ...(linkTitle === 'disabled' ? [] : [line('title', 'Title')]),
];

/** The choices of a list of numbers have to be sent as numbers. */
const choiceOfValue = (field: ModelField, as: Part['as']): readonly Part[] => [
  choiceOr('value', 'Value', field.allowedValues, { as }),
];

const day = line('value', 'Day', { input: 'day' });
const moment = line('value', 'Time', { input: 'moment', hint: 'In UTC.' });

const wholeItem: Part = {
  ...{ property: '', label: 'Item', input: 'paragraph', as: 'json' },
  hint: 'JSON, such as {"value": "a text"}.',
};

const edtfHint = 'EDTF, such as 1984, 2004-06, 2004-06-11/2004-07, 1984? or 198X.';

const typeParts: Readonly<Record<string, (field: ModelField) => readonly Part[]>> = {
  boolean: ({ allowedValues }) => [flag('value', 'Value', booleanChoices(allowedValues))],
  integer: () => [line('value', 'Number', { as: 'number' })],
  weight: () => [line('value', 'Weight', { as: 'number', hint: 'The lightest comes first.' })],
  float: () => [line('value', 'Number', { as: 'number' })],
  decimal: () => [line('value', 'Number')],
  string: (field) => choiceOfValue(field, 'text'),
  string_long: () => [line('value', 'Text', { input: 'paragraph' })],
  text: formatted,
  text_long: formatted,
  text_with_summary: (field) => [...formatted(field), line('summary', 'Summary', { input: 'paragraph' })],
  uuid: () => [line('value', 'UUID')],
  language: (field) => choiceOfValue(field, 'text'),
  timestamp: () => [moment],
  changed: () => [moment],
  datetime: ({ dateOnly }) => [dateOnly === true ? day : moment],
  daterange: ({ dateOnly }) => [
    { ...(dateOnly === true ? day : moment), label: 'Start' },
    { ...(dateOnly === true ? day : moment), property: 'end_value', label: 'End' },
  ],
  edtf: () => [line('value', 'Date', { hint: edtfHint })],
  email: () => [line('value', 'Address')],
  telephone: () => [line('value', 'Number')],
  file_uri: () => [line('value', 'Address')],
  list_string: (field) => choiceOfValue(field, 'text'),
  list_integer: (field) => choiceOfValue(field, 'number'),
  entity_reference: (field) => [reference(field)],
  entity_reference_revisions: (field) => [reference(field), line('target_revision_id', 'Revision', { as: 'number' })],
  typed_relation: (field) => [choiceOr('rel_type', 'Relation', field.relations), reference(field)],
  file: (field) => [reference(field), line('description', 'Description'), flag('display', 'Listed')],
  image: (field) => [reference(field), line('alt', 'Alternative text'), line('title', 'Title')],
  media_track: (field) => [
    reference(field),
    line('label', 'Label'),
    choiceOr('kind', 'Kind', choicesOf(['subtitles', 'captions', 'descriptions', 'chapters', 'metadata'])),
    line('srclang', 'Language', { hint: 'Such as en.' }),
    flag('default', 'On by default'),
  ],
  link,
  authority_link: (field) => [choiceOr('source', 'Authority', field.sources), ...link(field)],
  geolocation: () => [
    line('lat', 'Latitude', { as: 'number', hint: 'Degrees, such as 47.37.' }),
    line('lng', 'Longitude', { as: 'number', hint: 'Degrees, such as 8.54.' }),
  ],
  name: () => [
    line('title', 'Title'),
    line('given', 'Given name'),
    line('middle', 'Middle names'),
    line('family', 'Family name'),
    line('generational', 'Generation'),
    line('credentials', 'Credentials'),
  ],
  comment: () => [line('status', 'Comments', { input: 'choice', as: 'number', choices: commentStates })],
  path: () => [line('alias', 'Alias', { hint: 'Begins with a slash.' })],
  redirect_source: () => [line('path', 'Path')],
};

const commentStates: readonly Choice[] = [
  { value: '0', label: 'Hidden' },
  { value: '1', label: 'Closed' },
  { value: '2', label: 'Open' },
];

/** The site's own words for yes and no, where it has some. */
const booleanChoices = (allowed: readonly Choice[] | undefined): readonly Choice[] =>
  yesOrNo.map(({ value, label }) => {
    const digit = value === 'true' ? '1' : '0';
    return { value, label: allowed?.find((choice) => [value, digit].includes(choice.value))?.label ?? label };
  });

/** The inputs of each item of a field. A type without inputs of its own is written as JSON. */
export const partsOf = (field: ModelField): readonly Part[] => typeParts[field.type]?.(field) ?? [wholeItem];

/** Whether the items of the field are written as JSON. */
export const isWrittenAsJson = (field: ModelField): boolean => partsOf(field).some(({ property }) => property === '');

/** The input that has the value of the item, where a fault of the whole item is shown. */
export const mainPart = (field: ModelField): Part => {
  const parts = partsOf(field);
  return parts.find(({ property }) => property === field.main) ?? parts[0] ?? wholeItem;
};

/** The text that an input shows for a value of JSON. */
export const textOfValue = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;
/** More digits would change when they become a number. */
const mostDigits = 15;

/** The value of JSON that a text of an input stands for. Throws a `SyntaxError` for a text that should be JSON and is not. */
export const valueOfText = (text: string, { as }: Part): unknown => {
  if (as === 'json') return JSON.parse(text) as unknown;
  if (as === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  const trimmed = text.trim();
  const isNumber = as === 'number' && numberPattern.test(trimmed) && trimmed.replace(/\D/g, '').length <= mostDigits;
  return isNumber ? Number(trimmed) : text;
};
