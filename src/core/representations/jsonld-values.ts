/** Writes the items of a field as JSON-LD values, by field type. `jsonld.ts` writes references as graph nodes. */
import { textOf, type FieldItem, type FieldItems, type Json, type JsonObject } from '../model/entity.ts';
import type { FieldDefinition, FieldTypeName } from '../model/bundle.ts';
import { plainDate } from '../content/fields/edtf-dates.ts';
import { formatTimestamp } from '../content/fields/value-types.ts';
import { escapeUri } from './uri.ts';

/** `isConverted`: whether the mapping makes one date of what an EDTF text says. Else the text stays as it is. */
type Writing = { readonly langcode: string; readonly isConverted: boolean };

type ValueWriter = (item: FieldItem, field: FieldDefinition, writing: Writing) => readonly JsonObject[];

/** The values of stored items. References and items without a value have none here. Dates follow once more, typed. */
export const jsonldValues = (stored: FieldItems, field: FieldDefinition, writing: Writing): readonly JsonObject[] => {
  const write = writers[field.type];
  const [only] = stored;
  const isSingle = only !== undefined && stored.length === 1;
  const values = isSingle ? write(only, field, writing) : stored.flatMap((item) => write(item, field, writing));
  return field.type === 'edtf' ? [...values, ...values.map(typedDate)] : values;
};

const typed = (value: string, type: string): JsonObject => ({
  '@value': value,
  '@type': `http://www.w3.org/2001/XMLSchema#${type}`,
});

/** Numbers and booleans are written as strings, as recorded for integers. open: booleans too are strings; none was recorded. */
const literal = (value: Json | undefined, type: string): readonly JsonObject[] =>
  value === undefined || value === null || typeof value === 'object' ? [] : [typed(String(value), type)];

const literalOf =
  (type: string): ValueWriter =>
  ({ value }) =>
    literal(value, type);

const text: ValueWriter = ({ value }, field, { langcode }) =>
  typeof value === 'string' && field.translatable
    ? [{ '@value': value, '@language': langcode }]
    : literal(value, 'string');

const time: ValueWriter = ({ value }) => (typeof value === 'number' ? [typed(formatTimestamp(value), 'dateTime')] : []);

const link: ValueWriter = ({ uri }) => (typeof uri === 'string' ? [{ '@id': escapeUri(uri) }] : []);

const edtf: ValueWriter = ({ value }, _field, { isConverted }) =>
  typeof value === 'string' ? [typed(isConverted ? plainDate(value) : value, 'string')] : [];

/** The real site converts once more what it has converted: of a year of five digits nothing is left. */
const typedDate = ({ '@value': converted }: JsonObject): JsonObject => {
  const date = plainDate(textOf(converted));
  const partCount = date.split('-').length;
  // The real site, too, counts the sign of a year as a separator.
  return typed(date, partCount === 1 ? 'gYear' : partCount === 2 ? 'gYearMonth' : 'date');
};

const noValues: ValueWriter = () => [];

const writers: { readonly [T in FieldTypeName]: ValueWriter } = {
  boolean: literalOf('boolean'),
  integer: literalOf('int'),
  string: text,
  string_long: text,
  text_long: text,
  uuid: literalOf('string'),
  language: literalOf('string'),
  timestamp: time,
  changed: time,
  entity_reference: noValues,
  typed_relation: noValues,
  file: noValues,
  image: noValues,
  file_uri: literalOf('string'),
  link,
  edtf,
  path: noValues,
  metatag: noValues,
  redirect_source: noValues,
  text,
  text_with_summary: text,
  list_string: text,
  list_integer: literalOf('int'),
  email: text,
  authority_link: link,
  // The module writes only what an item keeps under `value`, and these keep nothing there.
  geolocation: noValues,
  media_track: noValues,
  comment: noValues,
  name: noValues,
  datetime: literalOf('dateTime'),
  decimal: literalOf('decimal'),
  float: literalOf('float'),
  other: text,
};
