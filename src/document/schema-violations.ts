/** Whether the schemas of a document are schemas: OpenAPI 3.1 leaves that to their dialect. The rest of a document is not looked at here. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { DocumentObject } from './document.ts';

type Keys = readonly (string | number)[];

/** `keys` lead from the root of the document to what its schema's dialect does not allow. */
export type SchemaViolation = { readonly keys: Keys; readonly message: string };

/** The first fault of each schema that is none (JSON Schema 2020-12); references are not followed. */
export const schemaViolations = (document: DocumentObject): SchemaViolation[] => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  return schemasIn(document, []).flatMap(({ keys, schema }) => {
    if (ajv.validateSchema(schema)) return patternFaults(schema, keys);
    const [error] = [...(ajv.errors ?? [])].sort((a, b) => b.instancePath.length - a.instancePath.length);
    const inside = (error?.instancePath ?? '').split('/').slice(1).map(unescaped);
    return [{ keys: [...keys, ...inside], message: error?.message ?? 'is no schema' }];
  });
};

/** What holds values instead of schemas. */
const valued: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);

/** Ajv does not hold the dialect's own schema to its formats, of which `regex` is the one that matters. */
const patternFaults = (schema: object, keys: Keys): SchemaViolation[] =>
  Object.entries(schema).flatMap(([name, member]: [string, unknown]): SchemaViolation[] => {
    const here = [...keys, name];
    if (name === 'pattern' && typeof member === 'string') {
      return isPattern(member) ? [] : [{ keys: here, message: 'must be a regular expression' }];
    }
    if (valued.has(name) || typeof member !== 'object' || member === null) return [];
    return patternFaults(member, here);
  });

const isPattern = (text: string): boolean => {
  try {
    // As the validator reads it.
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
};

/** RFC 6901 §4. */
const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

type Placed = { readonly keys: Keys; readonly schema: object };

/** Those that have a name, and those of parameters, headers and bodies. */
const schemasIn = (value: unknown, keys: Keys): Placed[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (name === 'example' || name === 'examples' || name.startsWith('x-')) return [];
    const here = [...keys, name];
    const isSchema = name === 'schema' ? !isNaming(keys) : keys.join('/') === 'components/schemas';
    if (!isSchema) return schemasIn(member, here);
    return typeof member === 'object' && member !== null ? [{ keys: here, schema: member }] : [];
  });
};

/** Where every member is called as somebody likes: `schema` as well. */
const isNaming = (keys: Keys): boolean =>
  (keys.length === 2 && keys[0] === 'components') || ['headers', 'paths', 'callbacks'].includes(String(keys.at(-1)));
