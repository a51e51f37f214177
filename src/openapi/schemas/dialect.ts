/** Rewrites schemas of OpenAPI 3.0 and 3.1 as Ajv reads them: JSON Schema 2020-12, each `$ref` as a key. */
import { areEqual } from '../../basics/equal-values.ts';
import { isRecord } from '../../basics/json.ts';
import { rewriteDiscriminator } from './discriminator.ts';
import { isExpression, lists, maps, single, typeNames, withoutWrong } from './keywords.ts';
import type { Direction, Schema, SchemaObject } from './schema.ts';

/** `3.0`: `nullable`, bounds that are booleans, and members next to a `$ref` do not count. */
export type Dialect = '3.0' | '3.1';

/** YAML reads `3.0` as a number. */
export const versionOf = (openapi: unknown): string => (openapi === 3 ? '3.0' : String(openapi));

export const dialectOf = ({ openapi }: Readonly<Record<string, unknown>>): Dialect =>
  versionOf(openapi).startsWith('3.0') ? '3.0' : '3.1';

type Reading = {
  readonly dialect: Dialect;
  readonly follow: (value: unknown) => unknown;
  /** The key of a reference. Both directions have their own. */
  readonly keyOf: (reference: string, direction: Direction) => string;
  /** That of a schema that contains itself, as in a document whose references were resolved. */
  readonly keyOfSchema: (schema: SchemaObject, direction: Direction) => string;
  /** Receives a rewritten schema with the one of the document. */
  readonly onRewritten: (rewritten: object, schema: SchemaObject) => void;
};

/** Names that would make Ajv look for schemas elsewhere. References by them were resolved when the document was read. */
const identifiers: ReadonlySet<string> = new Set(['$id', '$anchor', '$schema', '$dynamicAnchor', '$vocabulary', 'id']);

/** Returns what rewrites a schema. The same schema gives the same object. */
export const readable = (reading: Reading): ((schema: unknown, direction: Direction) => Schema) => {
  const known = { request: new WeakMap<object, Schema>(), response: new WeakMap<object, Schema>() };
  const rewritten = new WeakSet<object>();
  const open = new Set<object>();
  const rewrite = (schema: unknown, direction: Direction): Schema => {
    if (typeof schema === 'boolean') return schema;
    if (!isRecord(schema)) return true;
    if (rewritten.has(schema)) return schema;
    const before = known[direction].get(schema);
    if (before !== undefined) return before;
    if (open.has(schema)) return { $ref: reading.keyOfSchema(schema, direction) };
    open.add(schema);
    const inDialect = rewriteObject(schema, direction, { ...reading, rewrite });
    open.delete(schema);
    known[direction].set(schema, inDialect);
    if (typeof inDialect === 'object') {
      // One that may be null is in an `anyOf`, and is not read a second time either.
      const inner = Array.isArray(inDialect['anyOf']) ? (inDialect['anyOf'] as unknown[]).filter(isRecord) : [];
      for (const part of [inDialect, ...inner]) {
        if (rewritten.has(part)) continue;
        rewritten.add(part);
        reading.onRewritten(part, schema);
      }
    }
    return inDialect;
  };
  return rewrite;
};

type Rewriting = Reading & { readonly rewrite: (schema: unknown, direction: Direction) => Schema };

const rewriteObject = (written: SchemaObject, direction: Direction, rewriting: Rewriting): Schema => {
  const schema = withoutWrong(written);
  const { dialect, keyOf, rewrite, follow } = rewriting;
  const { $ref: reference, nullable } = schema;
  if (typeof reference === 'string' && dialect === '3.0') {
    const referred = { $ref: keyOf(reference, direction) };
    return nullable === true ? { anyOf: [referred, { type: 'null' }] } : referred;
  }
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(schema)) {
    if (identifiers.has(name)) continue;
    if (single.includes(name)) result[name] = rewrite(value, direction);
    else if (lists.includes(name) && Array.isArray(value)) {
      // An empty list says nothing, and Ajv refuses it.
      const parts = name === 'allOf' ? value.map((each) => inheritedPart(each, written, follow)) : value;
      if (parts.length > 0) result[name] = parts.map((each) => rewrite(each, direction));
    } else if (maps.includes(name) && isRecord(value))
      setMembers(result, name, value, (each) => rewrite(each, direction));
    else setMember(result, name, value);
  }
  if (typeof reference === 'string') result['$ref'] = keyOf(reference, direction);
  rewriteDynamic(result, schema, direction, keyOf);
  rewritePatterns(result);
  rewriteDependencies(result, schema, direction, rewrite);
  rewriteItems(result, schema, direction, rewrite);
  rewriteTypes(result, schema);
  rewriteDefault(result);
  rewriteBounds(result, schema);
  rewriteRequired(result, schema, direction, rewriting);
  rewriteDiscriminator(result, schema, direction, rewrite);
  rewriting.onRewritten(result, schema);
  return nullable === true ? withNull(result) : result;
};

/**
 * A part of `allOf` as its heir has it. Authors let a schema choose among its heirs (`oneOf`), each of which begins with that schema: the
 * heir means it without the choice, which would not end.
 */
export const inheritedPart = (part: unknown, heir: SchemaObject, follow: (value: unknown) => unknown): unknown => {
  if (!isRecord(part) || typeof part['$ref'] !== 'string') return part;
  const target = follow(part);
  if (!isRecord(target)) return part;
  const { oneOf, anyOf } = target;
  const branches = [oneOf, anyOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  return branches.some((branch) => isRecord(branch) && follow(branch) === heir) ? withoutChoice(target) : part;
};

const withoutChoice = (schema: SchemaObject): SchemaObject =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !choices.has(name)));

const choices: ReadonlySet<string> = new Set(['oneOf', 'anyOf', 'discriminator']);

/** A member may have any name, also `__proto__`. */
const setMember = (into: Record<string, unknown>, name: string, value: unknown): void => {
  Object.defineProperty(into, name, { value, writable: true, enumerable: true, configurable: true });
};

const setMembers = (
  into: Record<string, unknown>,
  name: string,
  members: Readonly<Record<string, unknown>>,
  change: (value: unknown) => unknown,
): void => {
  const changed: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(members)) setMember(changed, key, change(value));
  into[name] = changed;
};

/** A list of `items` is `prefixItems` since 2020-12. */
const rewriteItems = (
  result: Record<string, unknown>,
  { items, additionalItems, additionalProperties }: SchemaObject,
  direction: Direction,
  rewrite: Rewriting['rewrite'],
): void => {
  if (Array.isArray(items)) {
    result['prefixItems'] = items.map((each) => rewrite(each, direction));
    delete result['items'];
    if (additionalItems !== undefined) result['items'] = rewrite(additionalItems, direction);
  } else if (items !== undefined) result['items'] = rewrite(items, direction);
  delete result['additionalItems'];
  if (additionalProperties !== undefined) result['additionalProperties'] = rewrite(additionalProperties, direction);
};

/** Read as a `$ref` to the anchor: what other schemas put in its place is not looked for. */
const rewriteDynamic = (
  result: Record<string, unknown>,
  { $ref, $dynamicRef: dynamic }: SchemaObject,
  direction: Direction,
  keyOf: Reading['keyOf'],
): void => {
  delete result['$dynamicRef'];
  delete result['$recursiveRef'];
  if (typeof dynamic !== 'string' || typeof $ref === 'string') return;
  result['$ref'] = keyOf(dynamic, direction);
};

/** Leaves out expressions that cannot be compiled. The rest of the schema still counts. */
const rewritePatterns = (result: Record<string, unknown>): void => {
  const { pattern, patternProperties } = result;
  if (pattern !== undefined && !isExpression(pattern)) delete result['pattern'];
  if (!isRecord(patternProperties)) return;
  const usable = Object.entries(patternProperties).filter(([name]) => isExpression(name));
  result['patternProperties'] = Object.fromEntries(usable);
};

/** `dependencies` is `dependentRequired` and `dependentSchemas` since 2019-09. */
const rewriteDependencies = (
  result: Record<string, unknown>,
  { dependencies }: SchemaObject,
  direction: Direction,
  rewrite: Rewriting['rewrite'],
): void => {
  delete result['dependencies'];
  if (!isRecord(dependencies)) return;
  const entries = Object.entries(dependencies);
  const names = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries
    .filter(([, value]) => !Array.isArray(value))
    .map(([name, value]) => [name, rewrite(value, direction)]);
  if (names.length > 0)
    result['dependentRequired'] = {
      ...Object.fromEntries(names),
      ...(result['dependentRequired'] as object | undefined),
    };
  if (schemas.length > 0)
    result['dependentSchemas'] = {
      ...Object.fromEntries(schemas),
      ...(result['dependentSchemas'] as object | undefined),
    };
};

/** Types that JSON Schema does not have (`file`, `any`) say nothing, nor does an empty `enum`. */
const rewriteTypes = (result: Record<string, unknown>, { type, enum: values }: SchemaObject): void => {
  if (type !== undefined) {
    const names = (Array.isArray(type) ? type : [type]).filter((name) => typeNames.has(String(name)));
    if (names.length === 0) delete result['type'];
    else result['type'] = names.length === 1 ? names[0] : [...new Set(names)];
  }
  if (values !== undefined && (!Array.isArray(values) || values.length === 0)) delete result['enum'];
};

/** A default of another type would be filled in and then refused, though the client has sent nothing wrong. */
const rewriteDefault = (result: Record<string, unknown>): void => {
  const { enum: values, nullable, default: value } = result;
  const type = result['type'] as string | string[] | undefined; // of the dialect
  if (value === undefined || (value === null && nullable === true)) return;
  const types = type === undefined ? undefined : [type].flat();
  const isOfType = types === undefined || typesOfValue(value).some((name) => types.includes(name));
  const isListed = !Array.isArray(values) || values.some((each) => areEqual(each, value));
  if (!isOfType || !isListed) delete result['default'];
};

const typesOfValue = (value: unknown): string[] => {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  return Number.isInteger(value) ? ['integer', 'number'] : [typeof value];
};

/** In 3.0 an exclusive bound is a boolean next to the bound. */
const rewriteBounds = (result: Record<string, unknown>, schema: SchemaObject): void => {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    const isExclusive = schema[exclusive] && typeof schema[bound] === 'number';
    Reflect.deleteProperty(result, exclusive);
    if (isExclusive) {
      result[exclusive] = schema[bound];
      Reflect.deleteProperty(result, bound);
    }
  }
};

/** What only the other direction has is not required in this one. */
const rewriteRequired = (
  result: Record<string, unknown>,
  schema: SchemaObject,
  direction: Direction,
  { follow }: Rewriting,
): void => {
  const { required } = schema;
  if (!Array.isArray(required)) {
    // A boolean, as drafts before 4 had it at the member.
    delete result['required'];
    return;
  }
  const excluded = direction === 'request' ? 'readOnly' : 'writeOnly';
  const names = [...new Set(required)].filter((name) => {
    if (typeof name !== 'string') return false;
    const member = memberNamed(schema, name, follow);
    return member === undefined || member[excluded] !== true;
  });
  result['required'] = names;
};

/** The schema of a member: of the object itself, or of what it is composed of. */
const memberNamed = (
  schema: SchemaObject,
  name: string,
  follow: (value: unknown) => unknown,
  depth = 0,
): SchemaObject | undefined => {
  const { properties, allOf } = schema;
  if (isRecord(properties) && Object.hasOwn(properties, name)) {
    const member = follow(properties[name]);
    if (isRecord(member)) return member;
  }
  if (depth > 5) return undefined;
  for (const part of Array.isArray(allOf) ? allOf : []) {
    const branch = follow(part);
    const found = isRecord(branch) ? memberNamed(branch, name, follow, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
};

const withNull = (nullable: Record<string, unknown>): SchemaObject => {
  const schema = { ...nullable };
  delete schema['nullable'];
  const { type, enum: values } = schema;
  const isSimple = ['oneOf', 'anyOf', 'allOf', '$ref', 'not', 'const'].every((name) => !(name in schema));
  if (!isSimple || type === undefined) return { anyOf: [schema, { type: 'null' }] };
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return {
    ...schema,
    type: types.includes('null') ? types : [...types, 'null'],
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...(values as unknown[]), null] } : {}),
  };
};
