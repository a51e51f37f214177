/** Compiles the schemas of the control document where the program may compile: each when it is first needed. */
import { ajvCompiler, type KeptChecks, withKeptChecks } from '../../openapi/openapi.ts';
import { createReferences, createSchemas, dialectOf, type Schemas } from '../../openapi/openapi-parts.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';

/** The same document is served by each server of a process. */
const kept: KeptChecks = new Map();

export const compiledSchemas = (document: DocumentObject): Schemas => {
  const schemas = createSchemas({
    ...{ references: createReferences(document), dialect: dialectOf(document) },
    createCompiler: ajvCompiler({ fillsDefaults: false, onUnusable: refuse }),
  });
  return withKeptChecks(schemas, kept, '');
};

const refuse = (_schema: unknown, reason: string): never => {
  throw new Error(`A schema of the control document cannot be compiled: ${reason}`);
};
