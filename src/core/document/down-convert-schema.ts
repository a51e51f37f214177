/** Converts one schema of JSON Schema 2020-12 to a Schema Object of OpenAPI 3.0.3. */
import { isRecord } from '../../basics/json.ts';
import { listOf, mapMembers, without, type Part } from './document-tree.ts';

/** A schema with the keywords of OpenAPI 3.0.3 §4.7.24. Other keywords are dropped. */
export const schemaAs30 = (schema: unknown): unknown => {
  if (schema === true) return {};
  if (schema === false) return { not: {} };
  if (!isRecord(schema)) return schema;
  if (typeof schema['$ref'] === 'string') return referenceAs30(schema, schema['$ref']);
  const steps = [
    nullAs30,
    typesAs30,
    constantAs30,
    boundsAs30,
    contentAs30,
    tupleAs30,
    openAs30,
    requiredAs30,
    exampleAs30,
  ];
  const changed = steps.reduce((current, step) => step(current), schema);
  return mapMembers(changed, (value, keyword) => {
    if (!keywords.has(keyword) && !keyword.startsWith('x-')) return undefined;
    return (subschemas[keyword] ?? unchanged)(value);
  });
};

const keywords: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'example', 'deprecated', 'readOnly', 'writeOnly', 'externalDocs', 'xml'],
  ...['type', 'format', 'nullable', 'enum', 'allOf', 'anyOf', 'oneOf', 'not', 'discriminator'],
  ...['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'pattern'],
  ...['items', 'minItems', 'maxItems', 'uniqueItems'],
  ...['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
]);

const unchanged = (value: unknown): unknown => value;
const each = (schemas: unknown): unknown => listOf(schemas).map(schemaAs30);

/** The keywords that hold other schemas, with the conversion of their values. */
const subschemas: Readonly<Record<string, (value: unknown) => unknown>> = {
  items: schemaAs30,
  not: schemaAs30,
  additionalProperties: (value) => (typeof value === 'boolean' ? value : schemaAs30(value)),
  allOf: each,
  anyOf: each,
  oneOf: each,
  properties: (value) => (isRecord(value) ? mapMembers(value, schemaAs30) : value),
};

/** OpenAPI 3.0 ignores the members beside a `$ref`, so the `$ref` moves into an `allOf`. */
const referenceAs30 = (schema: Part, reference: string): unknown => {
  const { $ref, allOf, ...beside } = schema;
  if (allOf === undefined && Object.keys(beside).length === 0) return { $ref };
  return schemaAs30({ ...beside, allOf: [{ $ref: reference }, ...listOf(allOf)] });
};

const isNull = (schema: unknown): boolean => isRecord(schema) && schema['type'] === 'null';

/** `null` as one of several choices becomes `nullable`. */
const nullAs30 = (schema: Part): Part =>
  (['anyOf', 'oneOf'] as const).reduce((current, keyword) => {
    const choices = listOf(current[keyword]);
    if (!choices.some(isNull)) return current;
    const rest = without(current, keyword);
    const others = choices.filter((choice) => !isNull(choice));
    const [only] = others;
    if (others.length !== 1) return { ...rest, nullable: true, [keyword]: others };
    return { ...rest, nullable: true, allOf: [...listOf(rest['allOf']), only] };
  }, schema);

/** A list of types becomes one type, or a choice between schemas of one type each. */
const typesAs30 = (schema: Part): Part => {
  const { type, ...rest } = schema;
  if (type !== 'null' && !Array.isArray(type)) return schema;
  const types = listOf(type === 'null' ? ['null'] : type).filter((name) => name !== 'null');
  const nullable = type === 'null' || listOf(type).includes('null') ? { nullable: true } : {};
  if (types.length === 0) return { ...rest, ...nullable, enum: [null] };
  if (types.length === 1) return { type: types[0], ...nullable, ...rest };
  const choice = {
    anyOf: types.map((name) => ({ type: name, ...nullable, ...(name === 'array' ? arrayParts(rest) : {}) })),
  };
  return rest['anyOf'] === undefined
    ? { ...rest, ...nullable, ...choice }
    : { ...rest, ...nullable, allOf: [...listOf(rest['allOf']), choice] };
};

const arrayParts = ({ items }: Part): Part => (items === undefined ? {} : { items });

const constantAs30 = (schema: Part): Part =>
  'const' in schema
    ? { ...schema, enum: [schema['const']], ...(schema['const'] === null ? { nullable: true } : {}) }
    : schema;

/** An exclusive bound is a number in 3.1, and in 3.0 a boolean beside the inclusive bound. */
const boundsAs30 = (schema: Part): Part =>
  (
    [
      ['minimum', 'exclusiveMinimum', Math.max],
      ['maximum', 'exclusiveMaximum', Math.min],
    ] as const
  ).reduce((current, [bound, exclusive, tighter]) => {
    const { [bound]: inclusive, [exclusive]: limit, ...rest } = current;
    if (typeof limit !== 'number') return current;
    const both = typeof inclusive === 'number' ? tighter(inclusive, limit) : limit;
    return { ...rest, [bound]: both, ...(both === limit ? { [exclusive]: true } : {}) };
  }, schema);

/** Bytes (OpenAPI 3.1 §4.8.14.1) become a `format`. Generators make a file of it, so limits of text are dropped. */
const contentAs30 = (schema: Part): Part => {
  const { format, contentEncoding, contentMediaType } = schema;
  if (format === undefined && contentEncoding === 'base64') return { ...schema, type: 'string', format: 'byte' };
  const isBinary = format === 'binary' || (format === undefined && contentMediaType === 'application/octet-stream');
  if (!isBinary) return schema;
  const unlimited = ['minLength', 'maxLength', 'pattern'].reduce(without, schema);
  return { ...unlimited, type: 'string', format: 'binary' };
};

/** Lists in 3.0 have one schema for all items, and it is required. */
const tupleAs30 = (schema: Part): Part => {
  const prefix = listOf(schema['prefixItems']);
  if (prefix.length > 0) {
    const further = schema['items'] === undefined || schema['items'] === true ? [{}] : [schema['items']];
    return { ...schema, items: { anyOf: [...prefix, ...further.filter((items) => items !== false)] } };
  }
  return schema['type'] === 'array' && schema['items'] === undefined ? { ...schema, items: {} } : schema;
};

/** 3.0 cannot describe members by a pattern, so it must not forbid them either. */
const openAs30 = (schema: Part): Part =>
  schema['patternProperties'] !== undefined && schema['additionalProperties'] === false
    ? { ...schema, additionalProperties: true }
    : schema;

/** A list of required members without any is nothing in 3.1, and forbidden in 3.0. */
const requiredAs30 = (schema: Part): Part =>
  Array.isArray(schema['required']) && schema['required'].length === 0 ? without(schema, 'required') : schema;

const exampleAs30 = (schema: Part): Part => {
  const [first] = listOf(schema['examples']);
  return first === undefined || 'example' in schema ? schema : { ...schema, example: first };
};
