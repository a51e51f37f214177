/** Reads the schemas of a document in one dialect, JSON Schema 2020-12, and compiles each when it is first needed. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isRecord } from '../../basics/json.ts';
import { branchesKeyword } from './discriminator.ts';
import { addDeferred, withDeferred } from './deferred-references.ts';
import { type Dialect, readable } from './dialect.ts';
import type { Direction, Schema, SchemaObject } from './schema.ts';
import { referenceName, type References } from '../document/references.ts';
import { violationsFrom, type ViolatedRule, type Violation } from './violations.ts';

export type { Direction, Schema, SchemaObject };

/** Returns what a value violates: nothing when it is as the schema says. May fill in the defaults of a request. */
export type Check = (value: unknown) => readonly Violation[];

export type Schemas = {
  /** The schema in the dialect, without a reference at its top. `$ref`s below it stay; `read` follows them. */
  readonly read: (schema: unknown, direction: Direction) => Schema;
  readonly check: (schema: unknown, direction: Direction) => Check;
  /** The last step of the pointer that the schema's `$ref` has, such as `Pet`. Undefined without one. */
  readonly nameOf: (schema: unknown) => string | undefined;
  /** The schema of the document that has a rule which a check has named. */
  readonly holderOf: (rule: ViolatedRule) => SchemaObject | undefined;
};

type SchemasOptions = {
  readonly references: References;
  readonly dialect: Dialect;
  /** Makes a regular expression; patterns that can take long are bounded by the caller. */
  readonly regExp?: ((pattern: string, flags: string) => RegExp) | undefined;
  /** Called for a schema that cannot be compiled. Its values are not checked. */
  readonly onUnusable?: ((schema: unknown, reason: string) => void) | undefined;
};

export const createSchemas = (options: SchemasOptions): Schemas => {
  const { references, dialect } = options;
  const { targets, keyOf } = createKeys();
  const { onRewritten, onCopied, note, holderOf } = createHolders();
  const follow = dialect === '3.0' ? references.follow : references.overlaid;
  const inDialect = readable({ dialect, follow, keyOf, onRewritten });

  const readTarget = (key: string): Schema => {
    const target = targets.get(key);
    if (target === undefined) return true;
    return inDialect(references.at(target.reference), target.direction);
  };

  const top = topWith(readTarget);
  const tops = new WeakMap<object, Schema>();

  const ajvs = new Map<Direction, Compiler>();
  const compilerFor = (direction: Direction): Compiler => {
    const known = ajvs.get(direction) ?? createCompiler(direction, options, { readTarget, note, onCopied });
    ajvs.set(direction, known);
    return known;
  };

  const checks = { request: new WeakMap<object, Check>(), response: new WeakMap<object, Check>() };
  return {
    read: (schema, direction) => {
      const own = inDialect(schema, direction);
      if (typeof own === 'boolean') return own;
      const known = tops.get(own) ?? top(own);
      tops.set(own, known);
      return known;
    },
    check: (schema, direction) => {
      const own = inDialect(schema, direction);
      if (typeof own === 'boolean') return own ? accept : refuse;
      const known = checks[direction].get(own);
      if (known !== undefined) return known;
      // Most operations are never asked.
      let compiled: Check | undefined;
      const check: Check = (value) => (compiled ??= compilerFor(direction)(own))(value);
      checks[direction].set(own, check);
      return check;
    },
    holderOf,
    nameOf: (schema) => {
      const reference = isRecord(schema) ? schema['$ref'] : undefined;
      if (typeof reference !== 'string') return undefined;
      return referenceName(targets.get(reference)?.reference ?? reference);
    },
  };
};

/** Returns what follows the references at the top of a schema. */
const topWith = (readTarget: (key: string) => Schema) => {
  const top = (schema: Schema, hops = 0): Schema => {
    if (typeof schema === 'boolean' || typeof schema['$ref'] !== 'string') return schema;
    const { $ref: key, ...siblings } = schema;
    if (hops > 100) return true;
    const target = top(readTarget(key), hops + 1);
    if (typeof target === 'boolean' || Object.keys(siblings).length === 0) return target;
    return { ...target, ...siblings };
  };
  return top;
};

const scheme = 'schema:';

/** Remembers of which schema of the document each other one was made. */
const createHolders = () => {
  const sources = new WeakMap<object, SchemaObject>();
  const holders = new WeakMap<ViolatedRule, object>();
  return {
    onRewritten: (rewritten: object, schema: SchemaObject): void => void sources.set(rewritten, schema),
    onCopied: (copy: object, rewritten: object): void => {
      const source = sources.get(rewritten);
      if (source !== undefined) sources.set(copy, source);
    },
    note: (rule: ViolatedRule, holder: object): void => void holders.set(rule, holder),
    holderOf: (rule: ViolatedRule): SchemaObject | undefined => {
      const holder = holders.get(rule);
      return holder && sources.get(holder);
    },
  };
};

/** Names for references: Ajv reads a reference as an address, in which the signs of a pointer would have to be escaped. */
const createKeys = () => {
  const targets = new Map<string, { readonly reference: string; readonly direction: Direction }>();
  const keys = new Map<string, string>();
  const keyOf = (reference: string, direction: Direction): string => {
    // A schema that was read before may be read again.
    if (targets.has(reference)) return reference;
    const name = `${direction} ${reference}`;
    const known = keys.get(name);
    if (known !== undefined) return known;
    const key = `${scheme}/${keys.size}`;
    keys.set(name, key);
    targets.set(key, { reference, direction });
    return key;
  };
  return { targets, keyOf };
};

const accept: Check = () => [];
const refuse: Check = () => [{ pointer: '', message: 'is not allowed' }];

type Compiler = (schema: SchemaObject) => Check;

type Reader = {
  readonly readTarget: (key: string) => Schema;
  readonly note: (rule: ViolatedRule, holder: object) => void;
  readonly onCopied: (copy: object, rewritten: object) => void;
};

const createCompiler = (
  direction: Direction,
  { regExp, onUnusable }: SchemasOptions,
  { readTarget, note, onCopied }: Reader,
): Compiler => {
  const code = {
    // Ajv's optimiser takes a third of the time to compile, which the first request of each operation waits for.
    optimize: false,
    regExp: Object.assign(tolerantRegExp(regExp), { code: 'tolerantRegExp' }),
  };
  const ajv = new Ajv2020({
    ...{ strict: false, validateSchema: false, allErrors: false, logger: false, code },
    // JSON such as `1e999` is read as Infinity, and JSON has no such number.
    strictNumbers: true,
    // Errors name the schema that has the rule: from their paths nobody can tell which reference was followed.
    verbose: true,
    ...{ useDefaults: direction === 'request', discriminator: false, addUsedSchema: false },
  });
  addFormats.default(ajv);
  for (const name of ['binary', 'password']) ajv.addFormat(name, true);
  // That of ajv-formats refuses `http://localhost/`.
  ajv.addFormat('url', { type: 'string', validate: (text: string) => URL.canParse(text) });
  const added = new Set<string>();
  const deferred = new Map<string, ValidateFunction>();
  addDeferred(ajv, (key) => {
    const validate = deferred.get(key) ?? compile(readTarget(key));
    deferred.set(key, validate);
    return (value) => (validate(value) ? undefined : validate.errors);
  });
  const addTargets = (part: unknown): void => {
    for (const key of keysIn(part)) {
      if (added.has(key)) continue;
      added.add(key);
      const target = withDeferred(readTarget(key), onCopied);
      ajv.addSchema(target, key); // Ajv takes a boolean as well
      addTargets(target);
    }
  };
  const compile = (schema: Schema): ValidateFunction => {
    try {
      const compiled = withDeferred(schema, onCopied);
      addTargets(compiled);
      return ajv.compile(compiled);
    } catch (error) {
      onUnusable?.(schema, error instanceof Error ? error.message : String(error));
      return ajv.compile(true);
    }
  };
  return (schema) => {
    const validate = compile(schema);
    return (value) => (validate(value) ? noViolations : violationsFrom(validate.errors, note));
  };
};

const noViolations: readonly Violation[] = [];

/** Authors write patterns without the flag that JSON Schema recommends: `\-`, `\_`. */
const tolerantRegExp =
  (make: (pattern: string, flags: string) => RegExp = (pattern, flags) => new RegExp(pattern, flags)) =>
  (pattern: string, flags: string): RegExp => {
    try {
      return make(pattern, flags);
    } catch {
      return make(pattern, '');
    }
  };

/** The keys of all references in a schema of the dialect. Its data (`const`, `enum`, examples) have none. */
function* keysIn(part: unknown): Generator<string> {
  if (Array.isArray(part)) {
    for (const item of part) yield* keysIn(item);
  } else if (isRecord(part)) {
    for (const [name, member] of Object.entries(part)) {
      if (name === '$ref' && typeof member === 'string') yield member;
      else if (!dataKeywords.has(name)) yield* keysIn(member);
    }
  }
}

/** The keywords whose values are data and no schemas. */
const dataKeywords: ReadonlySet<string> = new Set([
  ...['const', 'default', 'enum', 'example', 'examples', 'xml', 'discriminator'],
  branchesKeyword,
]);
