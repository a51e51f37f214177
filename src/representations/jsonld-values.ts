/** Writes the items of a field as JSON-LD values, by field type. `jsonld.ts` writes references as graph nodes. */
import type { FieldItem, Json, JsonObject } from '../model/entity.ts';
import type { FieldDefinition, FieldTypeName } from '../model/bundle.ts';
import { formatTimestamp } from '../content/fields/timestamps.ts';
import { escapeUri } from './uri.ts';

type ValueWriter = (item: FieldItem, field: FieldDefinition, langcode: string) => readonly JsonObject[];

/** The values of a stored item. References and items without a value have no values here. */
export const jsonldValues: ValueWriter = (item, field, langcode) => writers[field.type](item, field, langcode);

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

const text: ValueWriter = ({ value }, field, langcode) =>
  typeof value === 'string' && field.translatable
    ? [{ '@value': value, '@language': langcode }]
    : literal(value, 'string');

const time: ValueWriter = ({ value }) => (typeof value === 'number' ? [typed(formatTimestamp(value), 'dateTime')] : []);

const link: ValueWriter = ({ uri }) => (typeof uri === 'string' ? [{ '@id': escapeUri(uri) }] : []);

const dateTypes: readonly (readonly [RegExp, string])[] = [
  [/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'date'],
  [/^\d{4}-(0[1-9]|1[0-2])$/, 'gYearMonth'],
  [/^\d{4}$/, 'gYear'],
];

/** The string, and a plain date as a date too. open: uncertain dates and intervals stay strings only. */
const edtf: ValueWriter = ({ value }) => {
  if (typeof value !== 'string') return [];
  const dates = dateTypes.flatMap(([pattern, type]) => (pattern.test(value) ? [typed(value, type)] : []));
  return [typed(value, 'string'), ...dates];
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
};
