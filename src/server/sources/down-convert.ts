/** Converts a document from OpenAPI 3.1 to 3.0.3 with its schemas, for generators that read no newer one. */
import { isRecord, listOf } from '../../basics/json.ts';
import { type DocumentObject, mapMembers, type Part, partOf, without } from '../../openapi/openapi-terms.ts';

/**
 * A copy of the document as OpenAPI 3.0.3 (https://spec.openapis.org/oas/v3.0.3), with its references. What 3.0 cannot
 * express is left out, so a schema may accept more than before (below `not` and `oneOf`: less).
 */
export const downConvert = (document: DocumentObject): DocumentObject => {
  const kept = mapMembers(withoutRepeatedIds(document), (value, name) => (only31.has(name) ? undefined : value));
  return {
    ...kept,
    openapi: '3.0.3',
    ...(isRecord(document['info']) ? { info: infoAs30(document['info']) } : {}),
    paths: mapMembers(partOf(kept['paths']), (item) => convert(item)),
    components: mapMembers(partOf(kept['components']), (components, kind) =>
      kind === 'pathItems' ? undefined : mapMembers(partOf(components), convertComponent(kind)),
    ),
  } as DocumentObject; // paths and components stay maps of objects
};

/**
 * Validators compile the components as one schema of JSON Schema draft 4, in which an `id` names a schema, also in an example. Of two
 * shared examples with one `id` the second is left out.
 */
const withoutRepeatedIds = (document: DocumentObject): DocumentObject => {
  const ids = new Set<string>();
  const repeated = new Set<string>();
  for (const [name, example] of Object.entries(partOf(document.components['examples']))) {
    const ofExample = schemaIds(partOf(example)['value']);
    if (ofExample.some((id) => ids.has(id))) repeated.add(`#/components/examples/${name}`);
    else for (const id of ofExample) ids.add(id);
  }
  if (repeated.size === 0) return document;
  const withoutRepeated = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withoutRepeated);
    if (!isRecord(value)) return value;
    return mapMembers(value, (member, name) => {
      if (name !== 'examples' || !isRecord(member)) return withoutRepeated(member);
      const others = mapMembers(member, (each) => (repeated.has(String(partOf(each)['$ref'])) ? undefined : each));
      return Object.keys(others).length === 0 ? undefined : others;
    });
  };
  const { examples, ...components } = document.components;
  return {
    ...document,
    paths: withoutRepeated(document.paths),
    components: {
      ...partOf(withoutRepeated(components)),
      examples: mapMembers(partOf(examples), (example, name) =>
        repeated.has(`#/components/examples/${name}`) ? undefined : example,
      ),
    },
  } as DocumentObject; // only examples are gone
};

/** Such validators look into the members of objects, and into no list. */
const schemaIds = (value: unknown): string[] =>
  !isRecord(value)
    ? []
    : Object.entries(value).flatMap(([name, member]) =>
        name === 'id' && typeof member === 'string' ? [member] : schemaIds(member),
      );

const only31: ReadonlySet<string> = new Set(['jsonSchemaDialect', 'webhooks']);

/** 3.0 has neither a summary of the document nor the identifier of a licence. */
const infoAs30 = (info: Part): Part => {
  const { summary, description, license } = info;
  const texts = [summary, description].filter((text) => typeof text === 'string');
  return {
    ...without(info, 'summary'),
    ...(texts.length > 0 ? { description: texts.join('\n\n') } : {}),
    ...(isRecord(license) ? { license: licenseAs30(license) } : {}),
  };
};

const licenseAs30 = (license: Part): Part => {
  const { identifier, ...rest } = license;
  return typeof identifier === 'string' ? { url: `https://spdx.org/licenses/${identifier}.html`, ...rest } : rest;
};

const convertComponent =
  (kind: string) =>
  (value: unknown): unknown => {
    if (kind === 'schemas') return schemaAs30(value);
    // An example is data: only a `$ref` in its place is converted.
    return kind === 'examples' ? referenceAs30(value) : convert(value);
  };

/** Members whose content is data. It is copied unchanged. */
const dataMembers: ReadonlySet<string> = new Set(['example', 'examples', 'value']);

/** Converts any part but a schema: converts the schemas in it, and drops the members next to a `$ref`. */
const convert = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(convert);
  if (!isRecord(value)) return value;
  const part = referenceAs30(value);
  return mapMembers(partOf(part), (member, name) => {
    if (name === 'schema') return schemaAs30(member);
    if (name === 'examples') return mapMembers(partOf(member), referenceAs30);
    return dataMembers.has(name) || name.startsWith('x-') ? member : convert(member);
  });
};

/** Members next to a `$ref` are ignored in 3.0 (OpenAPI 3.0.3 §4.7.23). */
const referenceAs30 = (value: unknown): unknown =>
  isRecord(value) && typeof value['$ref'] === 'string' ? { $ref: value['$ref'] } : value;

/** A schema with the keywords of OpenAPI 3.0.3 §4.7.24. Other keywords are dropped. */
export const schemaAs30 = (schema: unknown): unknown => {
  if (schema === true) return {};
  if (schema === false) return { not: {} };
  if (!isRecord(schema)) return schema;
  if (typeof schema['$ref'] === 'string') return schemaReferenceAs30(schema, schema['$ref']);
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

/** OpenAPI 3.0 ignores the members next to a `$ref`, so the `$ref` moves into an `allOf`. */
const schemaReferenceAs30 = (schema: Part, reference: string): unknown => {
  const { $ref, allOf, ...others } = schema;
  if (allOf === undefined && Object.keys(others).length === 0) return { $ref };
  return schemaAs30({ ...others, allOf: [{ $ref: reference }, ...listOf(allOf)] });
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

/** A list of types becomes one type. Several are left out: generators make no program of a choice between them. */
const typesAs30 = (schema: Part): Part => {
  const { type, ...rest } = schema;
  if (type !== 'null' && !Array.isArray(type)) return schema;
  const types = listOf(type === 'null' ? ['null'] : type).filter((name) => name !== 'null');
  const nullable = type === 'null' || listOf(type).includes('null') ? { nullable: true } : {};
  if (types.length === 0) return { ...rest, ...nullable, enum: [null] };
  return types.length === 1 ? { type: types[0], ...nullable, ...rest } : without(rest, 'items');
};

const constantAs30 = (schema: Part): Part =>
  'const' in schema
    ? { ...schema, enum: [schema['const']], ...(schema['const'] === null ? { nullable: true } : {}) }
    : schema;

/** An exclusive bound is a number in 3.1, and in 3.0 a boolean next to the inclusive bound. */
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
