/** Says what of the schemas of a document is not checked, or is read otherwise. */
import { isRecord } from '../../basics/json.ts';
import { readPointer } from '../../basics/json-pointer.ts';
import { branchesByValue } from '../schemas/discriminator.ts';
import { dialectOf } from '../schemas/dialect.ts';
import { isExpression, typeNames, wrongKeywords } from '../schemas/keywords.ts';
import type { References } from '../schemas/references.ts';
import { partOf, type Part } from './nodes.ts';

export type Say = (keys: readonly string[], rule: string, message: string, remedy?: string) => void;

/** Whether `$schema` or `jsonSchemaDialect` names 2020-12, or the dialect of OpenAPI that it is the base of. */
export const isKnownDialect = (dialect: string): boolean =>
  /^https:\/\/(json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.[12]\/)/.test(dialect);

const schemaMaps: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
]);
/** Of one schema, or of a list of them. */
const schemaWords: ReadonlySet<string> = new Set([
  ...['allOf', 'anyOf', 'oneOf', 'prefixItems'],
  ...['not', 'if', 'then', 'else', 'items', 'additionalItems', 'additionalProperties', 'contains', 'propertyNames'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
]);

/** Says of each schema once what of it is not checked, or is read otherwise. Schemas may lead to one another thousands of times. */
export const createSchemaVisit = (
  document: Part,
  { at }: References,
  say: Say,
): ((schema: unknown, keys: readonly string[]) => void) => {
  const seen = new WeakSet<object>();
  const isOf30 = dialectOf(document) === '3.0';
  return (first, firstKeys) => {
    const waiting: [schema: unknown, keys: readonly string[]][] = [[first, firstKeys]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [schema, keys] = next;
      if (!isRecord(schema) || seen.has(schema)) continue;
      seen.add(schema);
      if (typeof schema['$ref'] === 'string') {
        waiting.push([at(schema['$ref']), readPointer(schema['$ref'])]);
        if (isOf30) continue;
      }
      sayOfSchema(schema, keys, isOf30, say);
      waiting.push(...partsOf(schema, keys));
    }
  };
};

/** References replace schemas, responses and other whole objects, not the map of them. */
export const sayOfMap = (holder: Part, name: string, keys: readonly string[], say: Say): void => {
  if (typeof partOf(holder[name])['$ref'] !== 'string') return;
  const message = `A $ref in place of ${name} is not followed, so what it names is not there.`;
  say([...keys, name, '$ref'], 'reference', message, 'Refer to each of them, or to what holds them all.');
};

const partsOf = (schema: Part, keys: readonly string[]): [schema: unknown, keys: readonly string[]][] =>
  Object.entries(schema).flatMap(([name, value]): [unknown, readonly string[]][] => {
    if (schemaMaps.has(name))
      return Object.entries(partOf(value)).map(([key, member]) => [member, [...keys, name, key]]);
    if (!schemaWords.has(name)) return [];
    if (Array.isArray(value)) return value.map((item, index) => [item, [...keys, name, String(index)]]);
    return [[value, [...keys, name]]];
  });

const sayOfSchema = (schema: Part, keys: readonly string[], isOf30: boolean, say: Say): void => {
  const { xml, $schema } = schema;
  sayOfTypes(schema, keys, say);
  for (const name of schemaMaps) sayOfMap(schema, name, keys, say);
  for (const name of wrongKeywords(schema))
    say(
      [...keys, name],
      'keyword',
      `The keyword "${name}" does not take such a value, so it is ignored.`,
      'Correct it.',
    );
  if (schema['$dynamicRef'] !== undefined)
    say([...keys, '$dynamicRef'], 'dynamic-reference', '$dynamicRef is read as $ref: no other schema takes its place.');
  if (schema['$recursiveRef'] !== undefined)
    say([...keys, '$recursiveRef'], 'dynamic-reference', '$recursiveRef is not checked.');
  if (!isOf30 && schema['nullable'] !== undefined)
    say(
      [...keys, 'nullable'],
      'nullable',
      'nullable is of OpenAPI 3.0; it is read as in 3.0.',
      'Add "null" to the type.',
    );
  if (typeof $schema === 'string' && !isKnownDialect($schema))
    say([...keys, '$schema'], 'schema-dialect', `The schema is read as JSON Schema 2020-12, not as ${$schema}.`);
  sayOfDiscriminator(schema, [...keys, 'discriminator'], say);
  if (isRecord(xml) && xml['nodeType'] !== undefined)
    say([...keys, 'xml', 'nodeType'], 'openapi-3.2', 'OpenAPI 3.2 is read as 3.1: nodeType is not read.');
};

const sayOfTypes = ({ type, pattern, patternProperties }: Part, keys: readonly string[], say: Say): void => {
  const types = type === undefined ? [] : Array.isArray(type) ? (type as unknown[]) : [type];
  for (const each of types) {
    if (typeNames.has(String(each))) continue;
    const message = `JSON Schema has no type "${String(each).slice(0, 50)}"; the type is not checked.`;
    say([...keys, 'type'], 'type', message, 'Correct it.');
  }
  const expressions: readonly (readonly [string, unknown])[] = [
    ['pattern', pattern],
    ...Object.keys(partOf(patternProperties)).map((each) => ['patternProperties', each] as const),
  ];
  for (const [name, expression] of expressions) {
    if (typeof expression !== 'string' || isExpression(expression)) continue;
    const message = `"${expression.slice(0, 100)}" is not a regular expression of ECMAScript; it is not checked.`;
    say([...keys, name], 'pattern', message, 'Correct it.');
  }
};

const sayOfDiscriminator = (schema: Part, keys: readonly string[], say: Say): void => {
  const { discriminator } = schema;
  if (!isRecord(discriminator)) return;
  if (discriminator['defaultMapping'] !== undefined)
    say([...keys, 'defaultMapping'], 'openapi-3.2', 'OpenAPI 3.2 is read as 3.1: defaultMapping is not read.');
  if (branchesByValue(schema) === undefined)
    say(keys, 'discriminator', 'The discriminator chooses nothing: the schema has no oneOf or anyOf of references.');
};
