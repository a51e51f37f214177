/** The schemas of a document whose author has to write them right: each is compiled when it is first needed, once for a process. */
import { regExpWith } from '../basics/time-limit.ts';
import type { DocumentObject } from './document/nodes.ts';
import { ajvCompiler } from './schemas/compiler.ts';
import { dialectOf } from './schemas/dialect.ts';
import { type KeptChecks, withKeptChecks } from './schemas/kept-checks.ts';
import { createReferences } from './schemas/references.ts';
import { createSchemas, type Schemas } from './schemas/schemas.ts';

/** By all that they depend on. */
const kept: KeptChecks = new Map();

/** The document has no references. `slowPatterns` look at a text for a bounded time. A schema that cannot be compiled throws when it is needed. */
export const onDemandSchemas = (document: DocumentObject, slowPatterns?: ReadonlySet<string>): Schemas => {
  const schemas = createSchemas({
    ...{ references: createReferences(document), dialect: dialectOf(document) },
    regExp: slowPatterns && regExpWith(slowPatterns),
    createCompiler: ajvCompiler({ fillsDefaults: false, onUnusable: refuse }),
  });
  return withKeptChecks(schemas, kept, JSON.stringify([...(slowPatterns ?? [])]));
};

const refuse = (_schema: unknown, reason: string): never => {
  throw new Error(`A schema of the document cannot be compiled: ${reason}`);
};
