/** Checks `const` and `enum`. Ajv itself fails for objects that have a member such as `valueOf`. */
import type { SchemaValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { areEqualJson } from '../../basics/equal-values.ts';

export const addListedValues = (ajv: Ajv2020): void => {
  for (const keyword of ['const', 'enum']) ajv.removeKeyword(keyword);
  ajv.addKeyword({
    ...{ keyword: 'const', errors: true, before: 'not' },
    compile: (allowedValue: unknown, parentSchema: object) =>
      oneOf([allowedValue], {
        ...{ keyword: 'const', message: 'must be equal to constant', params: { allowedValue }, parentSchema },
      }),
  });
  ajv.addKeyword({
    ...{ keyword: 'enum', schemaType: 'array', errors: true, before: 'not' },
    compile: (allowedValues: unknown[], parentSchema: object) =>
      oneOf(allowedValues, {
        ...{ keyword: 'enum', message: 'must be equal to one of the allowed values', params: { allowedValues } },
        parentSchema,
      }),
  });
};

type RuleError = {
  readonly keyword: string;
  readonly message: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Errors name the schema that has the rule, as those of Ajv's own keywords do. */
  readonly parentSchema: object;
};

const oneOf = (values: readonly unknown[], error: RuleError): SchemaValidateFunction => {
  const scalars = new Set(values.filter((value) => typeof value !== 'object' || value === null));
  const others = values.filter((value) => typeof value === 'object' && value !== null);
  const check: SchemaValidateFunction = (value: unknown) => {
    if (scalars.has(value) || others.some((each) => areEqualJson(each, value))) return true;
    check.errors = [{ ...error }];
    return false;
  };
  return check;
};
