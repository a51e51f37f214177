/** Checks the schemas of a document against their dialect, JSON Schema 2020-12. OpenAPI 3.1 itself leaves that open. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import { readPointer, type Keys } from '../../basics/json-pointer.ts';

/** `keys` lead from the root of the document to the value that the dialect does not allow. */
type SchemaViolation = { readonly keys: Keys; readonly message: string };

/** The deepest violation of each schema. References are not followed. */
export const schemaViolations = (document: DocumentObject): SchemaViolation[] => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  return schemasIn(document, []).flatMap(({ keys, schema }) => {
    if (ajv.validateSchema(schema)) return patternViolations(schema, keys);
    const [error] = [...(ajv.errors ?? [])].sort((a, b) => b.instancePath.length - a.instancePath.length);
    return [
      { keys: [...keys, ...readPointer(error?.instancePath ?? '')], message: error?.message ?? 'is not a schema' },
    ];
  });
};

/** The keywords whose content is data, not schemas. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);

type LocatedPattern = { readonly keys: Keys; readonly pattern: string };

/** The regular expressions of all schemas: those of `pattern`, and the names in `patternProperties`. */
export const patternsIn = (document: DocumentObject): LocatedPattern[] =>
  schemasIn(document, []).flatMap(({ keys, schema }) => patternsOf(schema, keys));

const patternsOf = (schema: object, keys: Keys): LocatedPattern[] =>
  Object.entries(schema).flatMap(([name, member]: [string, unknown]): LocatedPattern[] => {
    const here = [...keys, name];
    if (name === 'pattern' && typeof member === 'string') return [{ keys: here, pattern: member }];
    if (dataKeywords.has(name) || typeof member !== 'object' || member === null) return [];
    const names = name === 'patternProperties' ? Object.keys(member) : [];
    return [...names.map((pattern) => ({ keys: [...here, pattern], pattern })), ...patternsOf(member, here)];
  });

/** Ajv does not check the formats in the dialect's own schema. Only `regex` matters here. */
const patternViolations = (schema: object, keys: Keys): SchemaViolation[] =>
  patternsOf(schema, keys).flatMap(({ keys: here, pattern }) =>
    isPattern(pattern) ? [] : [{ keys: here, message: 'must be a regular expression' }],
  );

const isPattern = (text: string): boolean => {
  try {
    // With the flag that the validator uses.
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

type LocatedSchema = { readonly keys: Keys; readonly schema: object };

/** The schemas under `components`, and those of parameters, headers and bodies. */
const schemasIn = (value: unknown, keys: Keys): LocatedSchema[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (name === 'example' || name === 'examples' || name.startsWith('x-')) return [];
    const here = [...keys, name];
    const isSchema = name === 'schema' ? !hasFreeNames(keys) : keys.join('/') === 'components/schemas';
    if (!isSchema) return schemasIn(member, here);
    return typeof member === 'object' && member !== null ? [{ keys: here, schema: member }] : [];
  });
};

/** Whether authors choose the members' names of this object. One of them may be called `schema`. */
const hasFreeNames = (keys: Keys): boolean =>
  (keys.length === 2 && keys[0] === 'components') || ['headers', 'paths', 'callbacks'].includes(String(keys.at(-1)));
