/** Makes violations of the errors that Ajv reports. */
import type { ContractViolation } from '../document/contract-violation.ts';

/** The part of Ajv's errors that is used. */
type AjvError = {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly message?: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
};

export const violationsFrom = (errors: readonly AjvError[] | null | undefined): ContractViolation[] =>
  (errors ?? []).map(({ instancePath, schemaPath, keyword, message, params }) => ({
    pointer: instancePath,
    message: `${message ?? keyword}${nameOfUnexpected(params)}`,
    rule: { keyword, schemaPath, params },
  }));

const nameOfUnexpected = (params: Readonly<Record<string, unknown>>): string =>
  typeof params['additionalProperty'] === 'string' ? ` (${params['additionalProperty']})` : '';
