/** Checks are compiled once for all documents that have their schemas. */
import { expect, it } from '@jest/globals';
import { createReferences, createSchemas } from '../../../src/openapi/openapi-parts.ts';
import { withKeptChecks, type KeptChecks } from '../../../src/openapi/schemas/kept-checks.ts';

/** The schemas of one document, which count how often one is compiled. */
const countingSchemas = (kept: KeptChecks, context = '') => {
  const counted = { times: 0 };
  const schemas = createSchemas({
    ...{ references: createReferences({}), dialect: '3.1' },
    createCompiler: () => () => {
      counted.times += 1;
      return () => [];
    },
  });
  return { counted, check: withKeptChecks(schemas, kept, context).check };
};

it('compiles the same schema once, and others by themselves', () => {
  const kept: KeptChecks = new Map();
  const [one, two, bounded] = [countingSchemas(kept), countingSchemas(kept), countingSchemas(kept, 'bounded')];
  one.check({ type: 'object' }, 'request')({});
  one.check({ type: 'object' }, 'request')({});
  two.check({ type: 'object' }, 'request')({});
  expect([one.counted.times, two.counted.times]).toEqual([1, 0]);
  two.check({ type: 'object' }, 'response')({});
  two.check({ type: 'array' }, 'request')([]);
  bounded.check({ type: 'object' }, 'request')({});
  expect([one.counted.times, two.counted.times, bounded.counted.times]).toEqual([1, 2, 1]);
});

it('compiles a schema that contains itself for each document', () => {
  const schema: Record<string, unknown> = { type: 'object' };
  schema['properties'] = { child: schema };
  const kept: KeptChecks = new Map();
  const [one, two] = [countingSchemas(kept), countingSchemas(kept)];
  one.check(schema, 'request')({});
  two.check(schema, 'request')({});
  expect([one.counted.times, two.counted.times]).toEqual([1, 1]);
});
