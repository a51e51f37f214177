/** Reads the schemas of a document in one dialect, JSON Schema 2020-12. Each gets its check when it is first needed. */
import { isRecord } from '../../basics/json.ts';
import type { Expression } from '../../basics/time-limit.ts';
import { isExpression } from './keywords.ts';
import { type Dialect, readable } from './dialect.ts';
import type { Direction, Schema, SchemaObject } from './schema.ts';
import { referenceName, type References } from './references.ts';
import type { ViolatedRule, Violation } from './violations.ts';

export type { Direction, Schema, SchemaObject };

/** Returns what a value violates: nothing when it is as the schema says. May fill in the defaults of a request. */
export type Check = (value: unknown) => readonly Violation[];

export type Schemas = {
  /** The schema in the dialect, without a reference at its top. `$ref`s below it stay; `read` follows them. */
  readonly read: (schema: unknown, direction: Direction) => Schema;
  readonly check: (schema: unknown, direction: Direction) => Check;
  /** Whether a text has the form of a pattern. Not for one that cannot be compiled. */
  readonly matches: (pattern: string, text: string) => boolean;
  /** The last step of the pointer that the schema's `$ref` has, such as `Pet`. Undefined without one. */
  readonly nameOf: (schema: unknown) => string | undefined;
  /** The schema of the document that has a rule which a check has named. */
  readonly holderOf: (rule: ViolatedRule) => SchemaObject | undefined;
};

export type MakeExpression = (pattern: string, flags: string) => Expression;

export type SchemasOptions = {
  readonly references: References;
  readonly dialect: Dialect;
  /** Makes a regular expression that looks at a text for a bounded time only. */
  readonly regExp?: MakeExpression | undefined;
  /** Called once for each direction. */
  readonly createCompiler: (direction: Direction, targets: ReferenceTargets) => Compiler;
};

/** Makes the check of a schema of the dialect. */
export type Compiler = (schema: SchemaObject) => Check;

/** What a compiler needs to know of the references in a schema. */
export type ReferenceTargets = {
  /** The schema that the key of a reference stands for. */
  readonly readTarget: (key: string) => Schema;
  readonly makeExpression: MakeExpression;
  /** Receives each violated rule with the schema that has it. */
  readonly note: (rule: ViolatedRule, holder: object) => void;
  /** Receives a copy of a schema. */
  readonly onCopied: (copy: object, schema: object) => void;
};

export const createSchemas = (options: SchemasOptions): Schemas => {
  const { references, dialect } = options;
  const { targets, keyOf, keyOfSchema } = createKeys();
  const { onRewritten, onCopied, note, holderOf } = createHolders();
  const follow = dialect === '3.0' ? references.follow : references.overlaid;
  const inDialect = readable({ dialect, follow, keyOf, keyOfSchema, onRewritten });

  const readTarget = (key: string): Schema => {
    const target = targets.get(key);
    if (target === undefined) return true;
    const { reference, direction } = target;
    return inDialect(typeof reference === 'string' ? references.at(reference) : reference, direction);
  };

  const top = topWith(readTarget);
  const tops = new WeakMap<object, Schema>();

  const makeExpression = tolerantRegExp(options.regExp);
  const compilers = new Map<Direction, Compiler>();
  const compilerFor = (direction: Direction): Compiler => {
    const known =
      compilers.get(direction) ?? options.createCompiler(direction, { readTarget, note, onCopied, makeExpression });
    compilers.set(direction, known);
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
    ...{ holderOf, matches: matcher(makeExpression) },
    nameOf: (schema) => {
      const reference = isRecord(schema) ? schema['$ref'] : undefined;
      if (typeof reference !== 'string') return undefined;
      const named = targets.get(reference)?.reference ?? reference;
      return typeof named === 'string' ? referenceName(named) : undefined;
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
  const targets = new Map<string, { readonly reference: string | SchemaObject; readonly direction: Direction }>();
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
  const ownKeys = { request: new WeakMap<object, string>(), response: new WeakMap<object, string>() };
  const keyOfSchema = (schema: SchemaObject, direction: Direction): string => {
    const key = ownKeys[direction].get(schema) ?? `${scheme}/own/${targets.size}`;
    ownKeys[direction].set(schema, key);
    targets.set(key, { reference: schema, direction });
    return key;
  };
  return { targets, keyOf, keyOfSchema };
};

const accept: Check = () => [];
const refuse: Check = () => [{ pointer: '', message: 'is not allowed' }];

/** Authors write patterns without the flag that JSON Schema recommends: `\-`, `\_`. */
const tolerantRegExp =
  (make: MakeExpression = (pattern, flags) => new RegExp(pattern, flags)): MakeExpression =>
  (pattern, flags) => {
    try {
      return make(pattern, flags);
    } catch {
      return make(pattern, '');
    }
  };

const matcher = (make: MakeExpression): Schemas['matches'] => {
  const expressions = new Map<string, Expression>();
  return (pattern, text) => {
    if (!isExpression(pattern)) return false;
    const expression = expressions.get(pattern) ?? make(pattern, 'u');
    expressions.set(pattern, expression);
    return expression.test(text);
  };
};
