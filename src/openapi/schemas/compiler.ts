/** Compiles the schemas of a document with Ajv. What a schema refers to is compiled when a value first reaches it. */
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isRecord } from '../../basics/json.ts';
import { addUniqueItems, type Budget, createBudget, tooLate } from './bounded.ts';
import { addDeferred, withDeferred } from './deferred-references.ts';
import { branchesKeyword } from './discriminator.ts';
import { addListedValues } from './listed-values.ts';
import type { Compiler, MakeExpression, ReferenceTargets, SchemasOptions } from './schemas.ts';
import type { Direction, Schema } from './schema.ts';
import { violationsFrom, type Violation } from './violations.ts';

type CompilerOptions = {
  /** Called for a schema that cannot be compiled. Its values are not checked. */
  readonly onUnusable?: ((schema: unknown, reason: string) => void) | undefined;
  /** Whether the check of a request sets the defaults of members that are absent. Default: true. */
  readonly fillsDefaults?: boolean | undefined;
};

/** Compilers that use Ajv, whose checks take a bounded time. */
export const ajvCompiler = (options: CompilerOptions = {}): SchemasOptions['createCompiler'] => {
  const budget = createBudget();
  return (direction, targets) => createCompiler(direction, options, { ...targets, budget });
};

const createCompiler = (
  direction: Direction,
  { onUnusable, fillsDefaults = true }: CompilerOptions,
  { readTarget, note, onCopied, budget, makeExpression }: ReferenceTargets & { readonly budget: Budget },
): Compiler => {
  const code = {
    // Ajv's optimiser takes a third of the time to compile, which the first request of each operation waits for.
    optimize: false,
    regExp: Object.assign(askingFirst(makeExpression, budget), { code: 'askingFirst' }),
  };
  // Errors name the schema that has the rule: from their paths nobody can tell which reference was followed.
  const ajv = newAjv({ code, verbose: true, useDefaults: fillsDefaults && direction === 'request' });
  addUniqueItems(ajv, budget);
  addListedValues(ajv);
  const added = new Set<string>();
  const deferred = new Map<string, ValidateFunction>();
  addDeferred(
    ajv,
    (key) => {
      const validate = deferred.get(key) ?? compile(readTarget(key));
      deferred.set(key, validate);
      return (value) => (validate(value) ? undefined : validate.errors);
    },
    budget.step,
  );
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
    const check = (value: unknown): readonly Violation[] =>
      validate(value) ? noViolations : violationsFrom(validate.errors, note);
    return (value) => budget.within(check, value, tooLate);
  };
};

/** An Ajv for schemas of the dialect. */
export const newAjv = (options: Options): Ajv2020 => {
  const ajv = new Ajv2020({
    ...{ strict: false, validateSchema: false, allErrors: false, logger: false, addUsedSchema: false },
    // JSON such as `1e999` is read as Infinity, and JSON has no such number.
    strictNumbers: true,
    ...options,
  });
  addFormats.default(ajv);
  for (const name of ['binary', 'password']) ajv.addFormat(name, true);
  // That of ajv-formats refuses `http://localhost/`.
  ajv.addFormat('url', { type: 'string', validate: (text: string) => URL.canParse(text) });
  return ajv;
};

const noViolations: readonly Violation[] = [];

/** An expression that is bounded may still take its time for each of many texts. */
const askingFirst =
  (make: MakeExpression, { longStep }: Budget) =>
  (pattern: string, flags: string): RegExp => {
    const expression = make(pattern, flags);
    if (expression instanceof RegExp) return expression;
    const test = (text: string): boolean => {
      longStep();
      return expression.test(text);
    };
    return { test, toString: () => expression.toString() } as RegExp; // Ajv uses no more of it
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
