/** Schemas of a document's components, compiled as the engine compiles them. */
import { createReferences, createSchemas } from '../../../src/openapi/openapi-parts.ts';
import { ajvCompiler } from '../../../src/openapi/schemas/compiler.ts';

export const schemasOf = (schemas: Readonly<Record<string, unknown>> = {}) =>
  createSchemas({
    references: createReferences({ components: { schemas } }),
    dialect: '3.1',
    createCompiler: ajvCompiler(),
  });
