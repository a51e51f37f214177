/** Compiles the validators of a document's requests into the text of JavaScript, which needs no `eval` where it runs. */
import { _, type Ajv2020, type KeywordCxt, Name, type Options } from 'ajv/dist/2020.js';
import { strConcat } from 'ajv/dist/compile/codegen/index.js';
import standalone from 'ajv/dist/standalone/index.js';
import type { DocumentObject } from '../../core/document/document.ts';
import { type CompileSchema, createAjv, requestValidatorsBy } from '../../core/engine/backend.ts';
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
  /** The validators of each operation, in the order in which they are applied. */
  readonly operations: Readonly<Record<string, readonly ValidatorPlace[]>>;
};

/** The index of the module, and the key there. */
type ValidatorPlace = { readonly module: number; readonly key: string };

/** The schemas of a context of openapi-backend, by their keys. */
type Context = { readonly options: Options; readonly keys: Map<string, string> };

/**
 * The validators that `createBackend` applies to the requests of a document without references. What each says of a request
 * is equal to what is said there. Throws when a schema cannot be compiled.
 */
export const compileValidators = (document: DocumentObject): ValidatorTexts => {
  const contexts = new Map<string, Context>();
  const places = new Map<unknown, ValidatorPlace>();
  // Everything is compiled at the end. Until then each schema has a function that stands for its validator.
  const compile: CompileSchema = (schema, name, options) => {
    const { keys } = contexts.get(name) ?? { keys: new Map<string, string>() };
    contexts.set(name, { options, keys });
    const text = JSON.stringify(schema);
    const key = keys.get(text) ?? `v${keys.size}`;
    keys.set(text, key);
    const standIn = (() => true) as unknown as ReturnType<CompileSchema>; // nobody calls it
    places.set(standIn, { module: [...contexts.keys()].indexOf(name), key });
    return standIn;
  };
  const byOperation = [...requestValidatorsBy(structuredClone(document), compile)];
  return {
    modules: [...contexts.values()].map(textOf),
    operations: Object.fromEntries(
      byOperation.map(([id, validators]) => [id, validators.flatMap((each) => places.get(each) ?? [])]),
    ),
  };
};

const textOf = ({ options, keys }: Context): string => {
  const ajv = createAjv(options, { source: true, optimize: true });
  const names = [...keys.values()];
  const written = [...keys.keys()].map((text) => JSON.parse(text) as Schema);
  const { schemas, parts }: SharedSchemas = isSharing(options, written)
    ? shareSchemas(written)
    : { schemas: written, parts: new Map() };
  for (const [key, part] of parts) ajv.addSchema(part, key);
  addSharedKeyword(ajv);
  for (const [index, name] of names.entries()) ajv.addSchema(schemas[index] ?? {}, name);
  const text = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])));
  return parts.size === 0 ? text : withSharedPaths(text);
};

/**
 * A shared part does not say which members it has looked at. Where values are coerced, who calls its function keeps a value as
 * it was, and the gain is small.
 */
const isSharing = ({ coerceTypes = false }: Options, schemas: readonly Schema[]): boolean =>
  coerceTypes === false && !JSON.stringify(schemas).includes('"unevaluated');
