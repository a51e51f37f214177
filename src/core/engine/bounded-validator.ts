/** Bounds the time that the schemas of an overlay may look at a value. */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { withinTime } from '../../basics/time-limit.ts';

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
