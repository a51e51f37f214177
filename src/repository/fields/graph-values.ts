/** Writes values of JSON-LD for several field types. */
import type { FieldType } from './field-type.ts';
import type { Json, JsonObject } from '../../basics/json.ts';

type Writer = NonNullable<FieldType['jsonld']>;

export const typed = (value: string, type: string): JsonObject => ({
  '@value': value,
  '@type': `http://www.w3.org/2001/XMLSchema#${type}`,
});

/** Numbers and booleans are written as strings, as recorded for integers. open: booleans too are strings; none was recorded. */
const literal = (value: Json | undefined, type: string): readonly JsonObject[] =>
  value === undefined || value === null || typeof value === 'object' ? [] : [typed(String(value), type)];

export const literalOf =
  (type: string): Writer =>
  ({ value }) =>
    literal(value, type);

export const textValue: Writer = ({ value }, field, { langcode }) =>
  typeof value === 'string' && field.translatable
    ? [{ '@value': value, '@language': langcode }]
    : literal(value, 'string');
