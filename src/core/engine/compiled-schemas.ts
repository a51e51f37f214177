/**
 * Keeps compiled schemas by their text. The documents of one process have most schemas in common: those of a document that is
 * read again, and those of several servers. Bounds the time that the schemas of an overlay may look at a value.
 */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { digest } from '../../basics/secrets/digest.ts';
import { withinTime } from '../../basics/time-limit.ts';

/** About four times as many as one document has. */
const most = 2000;

type CompiledSchemas<T> = (schemas: unknown, compile: () => T) => T;

/** `schemas` is all that the result of `compile` depends on. */
export const createCompiledSchemas = <T>(): CompiledSchemas<T> => {
  const known = new Map<string, T>();
  return (schemas, compile) => {
    const key = keyOf(schemas);
    if (key === undefined) return compile();
    const found = known.get(key) ?? compile();
    if (!known.has(key) && known.size >= most) known.clear();
    known.set(key, found);
    return found;
  };
};

/** Undefined for schemas that contain themselves. */
const keyOf = (schemas: unknown): string | undefined => {
  try {
    return digest('sha256', JSON.stringify(schemas), 'base64');
  } catch {
    return undefined;
  }
};

/** In milliseconds. With `uniqueItems` and objects, or schemas that have themselves twice as a member, it could be hours. */
export const checkMs = 500;

const tooLate: ErrorObject[] = [
  { instancePath: '', schemaPath: '#', keyword: 'time', params: {}, message: `cannot be checked within ${checkMs} ms` },
];

/** A value that takes longer is refused. */
export const boundedValidator = (validate: ValidateFunction): ValidateFunction => {
  const check = (value: unknown): value is unknown => {
    const verdict = withinTime(
      checkMs,
      () => validate(value),
      () => undefined,
    );
    bounded.errors = verdict === undefined ? tooLate : (validate.errors ?? null);
    return verdict === true;
  };
  const bounded: ValidateFunction = Object.assign(check, { schema: validate.schema, schemaEnv: validate.schemaEnv });
  return bounded;
};
