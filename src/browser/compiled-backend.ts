/** Makes the backend of a document whose validators were compiled ahead of time. Replies are not checked: tests check them from outside. */
import { isRecord } from '../basics/json.ts';
import { once } from '../basics/once.ts';
import { backendWith, type CreateBackend, requestSchemas, operationsOf } from '../repository/repository-engine.ts';
import type { DocumentObject } from '../openapi/openapi-terms.ts';
import { createReferences, createSchemas, dialectOf, type Schemas, violationsFrom } from '../openapi/openapi-parts.ts';
import type { CompiledValidator, RequestValidators } from './prepared-site/prepared-site.ts';

/** `validators` are those of the document that the backend is made of. */
export const compiledBackend =
  (validators: RequestValidators): CreateBackend =>
  (document, operationIds) =>
    backendWith(document, operationIds, { schemas: compiledSchemas(document, validators), areRepliesChecked: false });

type Check = ReturnType<Schemas['check']>;

/** Reads the schemas of a document, whose requests are checked by its own `validators`. */
export const compiledSchemas = (document: DocumentObject, validators: RequestValidators): Schemas => {
  const checks = once(() => preparedChecks(document, validators));
  const schemas = createSchemas({
    ...{ references: createReferences(document), dialect: dialectOf(document) },
    // Only parts of requests have validators.
    createCompiler: () => () => () => [],
  });
  return {
    ...schemas,
    check: (schema, direction) => {
      const prepared = direction === 'request' && isRecord(schema) ? checks().get(schema) : undefined;
      return prepared ?? schemas.check(schema, direction);
    },
  };
};

const preparedChecks = (document: DocumentObject, validators: RequestValidators): ReadonlyMap<object, Check> =>
  new Map(
    operationsOf(document).flatMap((operation) =>
      requestSchemas(operation).flatMap((schema, at): [object, Check][] => {
        const validate = validators[operation.id]?.[at];
        return validate === undefined || !isRecord(schema) ? [] : [[schema, checkBy(validate)]];
      }),
    ),
  );

const checkBy =
  (validate: CompiledValidator): Check =>
  (value) =>
    validate(value) ? [] : violationsFrom(validate.errors, () => undefined);
