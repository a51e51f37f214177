/** The keywords of JSON Schema, and what each takes. */
import { isRecord } from '../../basics/json.ts';
import type { SchemaObject } from './schema.ts';

/** Keywords that hold one schema, a list of schemas, and schemas by name. */
export const single = [
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];
export const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
export const maps = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];

export const typeNames: ReadonlySet<string> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'object',
  'array',
  'null',
]);

/** Authors also write expressions without the flag that JSON Schema recommends. */
export const isExpression = (pattern: unknown): boolean =>
  typeof pattern === 'string' && ['u', ''].some((flags) => canCompile(pattern, flags));

const canCompile = (pattern: string, flags: string): boolean => {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
};

type Takes = (value: unknown) => boolean;
const isNumber: Takes = (value) => typeof value === 'number';
const isCount: Takes = (value) => Number.isInteger(value) && Number(value) >= 0;
const isSchema: Takes = (value) => typeof value === 'boolean' || isRecord(value);
const isBound: Takes = (value) => isNumber(value) || typeof value === 'boolean';

const formsOf = (names: readonly string[], takes: Takes): (readonly [string, Takes])[] =>
  names.map((name) => [name, takes]);

/** What each keyword takes. A value of another form would make the whole schema unusable. */
const keywordForms: ReadonlyMap<string, Takes> = new Map([
  ...formsOf(['minimum', 'maximum'], isNumber),
  ...formsOf(['exclusiveMinimum', 'exclusiveMaximum'], isBound),
  ...formsOf(['multipleOf'], (value) => isNumber(value) && Number(value) > 0),
  ...formsOf(
    ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties', 'minContains', 'maxContains'],
    isCount,
  ),
  ...formsOf(['uniqueItems', 'nullable', 'readOnly', 'writeOnly', 'deprecated'], (value) => typeof value === 'boolean'),
  ...formsOf(
    ['pattern', 'format', '$ref', '$dynamicRef', 'contentEncoding', 'contentMediaType'],
    (value) => typeof value === 'string',
  ),
  ...formsOf(['required', 'enum', ...lists], Array.isArray),
  ...formsOf(maps, isRecord),
  ...formsOf([...single, 'additionalProperties'], isSchema),
  ...formsOf(['items', 'additionalItems'], (value) => isSchema(value) || Array.isArray(value)),
]);

/** Whether a name is a keyword of schemas, such as `type` or `minimum`. */
export const isSchemaKeyword = (name: string): boolean =>
  keywordForms.has(name) || ['type', 'title', 'default', 'const', 'discriminator', 'xml'].includes(name);

/** The keywords of a schema whose values are of another form than they take. */
export const wrongKeywords = (schema: SchemaObject): string[] =>
  Object.keys(schema).filter((name) => keywordForms.get(name)?.(schema[name]) === false);

/** The schema without them. */
export const withoutWrong = (schema: SchemaObject): SchemaObject => {
  const wrong = wrongKeywords(schema);
  return wrong.length === 0
    ? schema
    : Object.fromEntries(Object.entries(schema).filter(([name]) => !wrong.includes(name)));
};
