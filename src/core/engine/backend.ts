/** Makes the backend of a document whose schemas are compiled when they are first needed. */
import { regExpWith } from '../../basics/time-limit.ts';
import { ajvCompiler, type KeptChecks, loadBoundedGenerator, withKeptChecks } from '../../openapi/openapi.ts';
import { createReferences, createSchemas, dialectOf } from '../../openapi/openapi-parts.ts';
import { backendWith, type CreateBackend } from './document-backend.ts';

export type { Backend, CreateBackend } from './document-backend.ts';

/** By all that they depend on. */
const kept: KeptChecks = new Map();

export const createBackend: CreateBackend = (document, operationIds, slowPatterns) => {
  const schemas = createSchemas({
    ...{ references: createReferences(document), dialect: dialectOf(document) },
    regExp: slowPatterns && regExpWith(slowPatterns),
    createCompiler: ajvCompiler({ fillsDefaults: false, onUnusable: refuse }),
  });
  return backendWith(document, operationIds, {
    schemas: withKeptChecks(schemas, kept, JSON.stringify([...(slowPatterns ?? [])])),
    loadGenerator: loadBoundedGenerator,
    areRepliesChecked: true,
  });
};

const refuse = (_schema: unknown, reason: string): never => {
  throw new Error(`A schema of the document cannot be compiled: ${reason}`);
};
