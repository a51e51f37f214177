/**
 * Lets Ajv compile what a schema refers to when a value first reaches it. Ajv itself compiles all of it at once, each reference within
 * the one before: large documents take seconds, and a thousand schemas in a row overflow its stack.
 */
import type { SchemaValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { isRecord } from '../../basics/json.ts';
import type { Schema, SchemaObject } from './schema.ts';

/** In place of the `$ref` of a member or an item. */
const deferredKeyword = 'x-atoll-deferred';
/** Next to a `$ref` of a member or an item that stays. */
const countedKeyword = 'x-atoll-counted';

/** Where a schema holds those of other values. A reference elsewhere, as in `allOf`, is of the same value, and stays. */
const ofMembers: ReadonlySet<string> = new Set(['properties', 'patternProperties']);
const ofValues: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'additionalProperties',
  'contains',
  'propertyNames',
]);
const ofSame: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else']);

/** Each level of a value can double what its alternatives refuse. */
const mostErrors = 200;

type OnCopied = (copy: object, schema: object) => void;

/** The schema with the references of its members and items deferred. `onCopied` learns which object each new one is a copy of. */
export const withDeferred = (schema: Schema, onCopied: OnCopied): Schema => {
  const changed = (from: SchemaObject): SchemaObject => {
    const result: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(from)) {
      let next = value;
      if (ofMembers.has(name)) next = mapMembers(value, deferred);
      else if (ofValues.has(name)) next = Array.isArray(value) ? value.map(deferred) : deferred(value);
      else if (name === 'dependentSchemas') next = mapMembers(value, same);
      else if (ofSame.has(name)) next = Array.isArray(value) ? value.map(same) : same(value);
      // `__proto__` is a name like any other.
      Object.defineProperty(result, name, { value: next, writable: true, enumerable: true, configurable: true });
    }
    onCopied(result, from);
    return result;
  };
  const same = (part: unknown): unknown => (isRecord(part) ? changed(part) : part);
  /** `unevaluatedProperties` next to a reference has to know what its target has looked at. */
  const deferred = (part: unknown): unknown => {
    if (!isRecord(part)) return part;
    const { $ref: reference, ...rest } = part;
    if (typeof reference !== 'string') return changed(part);
    if ('unevaluatedProperties' in rest || 'unevaluatedItems' in rest)
      return Object.assign(changed(part), { [countedKeyword]: true });
    return { ...changed(rest), [deferredKeyword]: reference };
  };
  return same(schema) as Schema; // a boolean, or a changed object
};

const mapMembers = (members: unknown, change: (schema: unknown) => unknown): unknown =>
  isRecord(members)
    ? Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, change(schema)]))
    : members;

type Errors = { readonly instancePath: string; readonly schemaPath: string }[];
/** Returns the errors of a value, none where it is valid. */
type Validate = (value: unknown) => Errors | null | undefined;

/** `compiled` gives what checks the target of a reference. `step` is called for each value below another one that has a reference. */
export const addDeferred = (ajv: Ajv2020, compiled: (reference: string) => Validate, step: () => void): void => {
  ajv.addKeyword({
    keyword: countedKeyword,
    schemaType: 'boolean',
    // What comes after a keyword that refuses a value is not reached.
    before: '$ref',
    validate: () => {
      step();
      return true;
    },
  });
  ajv.addKeyword({
    keyword: deferredKeyword,
    schemaType: 'string',
    errors: true,
    compile: (reference: string) => {
      let validate: Validate | undefined;
      const check: SchemaValidateFunction = (value: unknown, context?: { readonly instancePath: string }) => {
        step();
        const errors = (validate ??= compiled(reference))(value) ?? [];
        const path = context?.instancePath ?? '';
        check.errors = errors
          .slice(0, mostErrors)
          .map((error) => keptPath({ ...error, instancePath: path + error.instancePath }));
        return errors.length === 0;
      };
      return check;
    },
  });
};

/** Ajv would put the place of the deferred reference over that of the rule. */
const keptPath = <E extends { readonly schemaPath: string }>(error: E): E => {
  const { schemaPath } = error;
  return Object.defineProperty(error, 'schemaPath', { get: () => schemaPath, set: () => undefined, enumerable: true });
};
