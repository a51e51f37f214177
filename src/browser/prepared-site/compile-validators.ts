/** Compiles the validators of a document's requests into the text of JavaScript, which needs no `eval` where it runs. */
import { _, type Ajv2020, type KeywordCxt, Name } from 'ajv/dist/2020.js';
import { strConcat } from 'ajv/dist/compile/codegen/index.js';
import standalone from 'ajv/dist/standalone/index.js';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import { operationsOf, requestSchemas } from '../../repository/repository-engine.ts';
import { newAjv } from '../../openapi/openapi.ts';
import { createReferences, createSchemas, dialectOf, type Schemas } from '../../openapi/openapi-parts.ts';
import { type PartUse, type Schema, sharedKeyword, type SharedSchemas, shareSchemas } from './share-schemas.ts';

/** Lets Ajv call the function of a shared part, whose errors name a rule as if the part stood where it is used. */
const [instancePath, rootData, vErrors, errors, rulePath] = (
  ['instancePath', 'rootData', 'vErrors', 'errors', 'rulePath'] as const
).map((name) => new Name(name)) as [Name, Name, Name, Name, Name]; // as many as above

/** The parts must have been added to Ajv by their keys. */
const addSharedKeyword = (ajv: Ajv2020): void => {
  ajv.addKeyword({ keyword: sharedKeyword, schemaType: 'object', code: (part) => callPart(ajv, part) });
};

/** As Ajv calls the function of a reference, and says where in the whole schema that is. */
const callPart = (ajv: Ajv2020, part: KeywordCxt): void => {
  const { gen, it, data } = part;
  const { key, path } = part.schema as PartUse; // as `shareSchemas` wrote it
  const validate = gen.scopeValue('validate', { ref: ajv.getSchema(key) });
  const place = gen.object(
    [instancePath, strConcat(instancePath, it.errorPath)],
    [new Name('parentData'), it.parentData],
    [new Name('parentDataProperty'), it.parentDataProperty],
    [rootData, rootData],
    // `withSharedPaths` leaves the second alone: it begins with no quotation mark.
    [rulePath, path === undefined ? it.errSchemaPath : _`(${path})`],
  );
  part.result(_`${validate}(${data}, ${place})`, undefined, () => {
    const found = _`${validate}.errors`;
    gen.assign(vErrors, _`${vErrors} === null ? ${found} : ${vErrors}.concat(${found})`);
    gen.assign(errors, _`${vErrors}.length`);
  });
};

/** The text of Ajv's functions, which take the path that `callPart` gives them. Without it a path begins with `#`. */
const withSharedPaths = (text: string): string =>
  text
    .replaceAll('{instancePath="", parentData,', '{instancePath="", rulePath="#", parentData,')
    // No text in the code has these words: a quotation mark there has a backslash before it.
    .replaceAll(/\b(schemaPath|rulePath):"#/g, '$1:rulePath+"');

/** Validators as text. */
export type ValidatorTexts = {
  /** Each is the body of a function with the parameters `require` and `exports`. It exports validators by their keys. */
  readonly modules: readonly string[];
  /** The validators of each operation, in the order of `requestSchemas`. */
  readonly operations: Readonly<Record<string, readonly ValidatorPlace[]>>;
};

/** The index of the module, and the key there. */
type ValidatorPlace = { readonly module: number; readonly key: string };

/**
 * The validators of the requests of a document without references. What each says of a request is equal to what the server says.
 * Throws when a schema cannot be compiled.
 */
export const compileValidators = (document: DocumentObject): ValidatorTexts => {
  const schemas = createSchemas({
    ...{ references: createReferences(document), dialect: dialectOf(document) },
    createCompiler: () => () => () => [],
  });
  // Everything is compiled at the end.
  const keys = new Map<string, string>();
  const placeOf = (schema: unknown): ValidatorPlace => {
    const text = JSON.stringify(schemas.read(schema, 'request'));
    const key = keys.get(text) ?? `v${keys.size}`;
    keys.set(text, key);
    return { module: 0, key };
  };
  const operations = Object.fromEntries(
    operationsOf(document).map((operation) => [operation.id, requestSchemas(operation).map(placeOf)]),
  );
  return { modules: [textOf(keys, schemas)], operations };
};

const textOf = (keys: ReadonlyMap<string, string>, schemas: Schemas): string => {
  const ajv = newAjv({ code: { source: true, optimize: true } });
  const names = [...keys.values()];
  const written = [...keys.keys()].map((text) => JSON.parse(text) as Schema);
  const targets = targetsIn(written, schemas);
  const isSharing = targets.size === 0 && !JSON.stringify(written).includes('"unevaluated');
  const { schemas: shared, parts }: SharedSchemas = isSharing
    ? shareSchemas(written)
    : { schemas: written, parts: targets };
  for (const [key, part] of parts) ajv.addSchema(part, key);
  addSharedKeyword(ajv);
  for (const [index, name] of names.entries()) ajv.addSchema(shared[index] ?? {}, name);
  const text = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
  return parts.size === 0 ? text : withSharedPaths(text);
};

/** What the references in schemas that contain themselves stand for, by their keys. */
const targetsIn = (schemas: readonly Schema[], { read }: Schemas): ReadonlyMap<string, Schema> => {
  const targets = new Map<string, Schema>();
  const add = (part: unknown): void => {
    for (const [, key = ''] of JSON.stringify(part).matchAll(/"\$ref":"(schema:[^"]*)"/g)) {
      if (targets.has(key)) continue;
      const target = read({ $ref: key }, 'request') as Schema; // only objects contain themselves
      targets.set(key, target);
      add(target);
    }
  };
  add(schemas);
  return targets;
};
