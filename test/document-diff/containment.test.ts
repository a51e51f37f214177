/** Properties of the comparison: a document equals itself, and what it calls harmless for clients is, by Ajv's judgement. */
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { readContract, loadSite } from '../support/site-sources.ts';
import { specialise } from '../../src/repository/repository-engine.ts';
import { diffDocuments } from '../../src/sites/document-diff/diff-documents.ts';
import { root } from '../support/atoll.ts';
import { withOperation, type Json } from './small-documents.ts';

const contract = await readContract(join(root, 'openapi.yaml'));

describe('A document has no difference from itself', () => {
  it('that of the default site, also once it was written and read again', () => {
    expect(diffDocuments(contract, JSON.parse(JSON.stringify(contract)), { judgeFor: 'both' })).toEqual([]);
  });

  it('that of another site', async () => {
    const site = await loadSite(join(root, 'data/sites/starter-site'));
    const document = specialise(contract, site, 'http://localhost:8000');
    expect(diffDocuments(document, document, { judgeFor: 'both' })).toEqual([]);
  });
});

const words = fc.constantFrom('a', 'bb', 'ccc', '');
const plain: fc.Arbitrary<Json> = fc.oneof(
  fc.record({ type: fc.constant('string'), minLength: fc.nat(2), maxLength: fc.nat(4) }, { requiredKeys: ['type'] }),
  fc.record(
    {
      type: fc.constantFrom('integer', 'number'),
      minimum: fc.nat(3),
      exclusiveMaximum: fc.nat(6),
      multipleOf: fc.constantFrom(1, 2),
    },
    { requiredKeys: ['type'] },
  ),
  fc.record({ type: fc.uniqueArray(fc.constantFrom('string', 'integer', 'null', 'boolean'), { minLength: 1 }) }),
  fc.record({ enum: fc.uniqueArray(fc.oneof(words, fc.nat(3), fc.constant(null)), { minLength: 1 }) }),
  fc.constant({}),
);

/** Closed objects: of open ones the comparison lets a new member pass that clients may have sent in another form. */
const schemaOf = fc.letrec<{ readonly schema: Json; readonly object: Json }>((tie) => ({
  object: fc
    .tuple(fc.dictionary(fc.constantFrom('x', 'y', 'z'), tie('schema'), { maxKeys: 3 }), fc.subarray(['x', 'y', 'z']))
    .map(([properties, required]) => ({
      ...{ type: 'object', additionalProperties: false, properties },
      required: required.filter((name) => name in properties),
    })),
  schema: fc.oneof(
    { depthSize: 'small' },
    plain,
    tie('object'),
    fc.record({ type: fc.constant('array'), items: tie('schema'), maxItems: fc.nat(2) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(plain, { minLength: 1, maxLength: 2 }) }),
  ),
})).schema;

const value = fc.letrec<{ readonly value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    words,
    fc.integer({ min: -1, max: 7 }),
    fc.constantFrom<unknown>(null, true, 1.5, 'dddd', {}),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('x', 'y', 'z'), tie('value'), { maxKeys: 3 }),
  ),
})).value;

const sends = (schema: Json): Json => withOperation({ requestBody: { content: { 'application/json': { schema } } } });
const answers = (schema: Json): Json =>
  withOperation({ responses: { 200: { description: 'd', content: { 'application/json': { schema } } } } });

const ajv = new Ajv2020({ strict: false });
const isValid = (schema: Json, instance: unknown): boolean => ajv.compile(schema)(instance);

/** A schema as a client reads an answer with it: a member that it does not know harms nobody. */
const opened = (schema: unknown): unknown => {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(opened);
  const kept = Object.entries(schema).filter(([name]) => name !== 'additionalProperties');
  return Object.fromEntries(kept.map(([name, part]) => [name, opened(part)]));
};

/** Changes of a schema, near and far. */
const pair = fc.oneof(
  fc.tuple(schemaOf, schemaOf),
  fc.tuple(schemaOf, plain).map(([schema, more]) => [schema, { allOf: [schema, more] }] as const),
  fc.tuple(schemaOf, schemaOf).map(([schema, more]) => [schema, { anyOf: [more, schema] }] as const),
);

describe('For any two schemas', () => {
  it('what clients sent is still taken, unless the comparison says otherwise', () => {
    let judged = 0;
    const property = fc.property(pair, fc.array(value, { minLength: 12, maxLength: 12 }), ([before, after], values) => {
      if (diffDocuments(sends(before), sends(after)).some(({ kind }) => kind !== 'harmless')) return;
      judged += 1;
      for (const each of values) if (isValid(before, each)) expect([each, isValid(after, each)]).toEqual([each, true]);
    });
    fc.assert(property, { numRuns: 60 });
    expect(judged).toBeGreaterThan(3);
  });

  it('what clients receive was known before, unless the comparison says otherwise', () => {
    const property = fc.property(pair, fc.array(value, { minLength: 12, maxLength: 12 }), ([after, before], values) => {
      if (diffDocuments(answers(before), answers(after)).some(({ kind }) => kind !== 'harmless')) return;
      const read = opened(before) as Json; // a copy of a schema is one
      for (const each of values) if (isValid(after, each)) expect([each, isValid(read, each)]).toEqual([each, true]);
    });
    fc.assert(property, { numRuns: 60 });
  });

  it('nothing is said of a schema against itself', () => {
    fc.assert(
      fc.property(schemaOf, (schema) => {
        expect(diffDocuments(sends(schema), sends(schema), { judgeFor: 'both' })).toEqual([]);
        expect(diffDocuments(answers(schema), answers(schema), { judgeFor: 'both' })).toEqual([]);
      }),
    );
  });

  it('what breaks a server one way breaks a client the other way', () => {
    const property = fc.property(pair, ([before, after]) => {
      const breaks = (from: Json, to: Json, party: 'client' | 'server'): string[] =>
        diffDocuments(sends(from), sends(to))
          .filter((change) => change.breaks.includes(party))
          .map(({ place, rule }) => `${rule} ${place}`)
          .sort();
      expect(breaks(before, after, 'server').every((line) => breaks(after, before, 'client').includes(line))).toBe(
        true,
      );
    });
    fc.assert(property, { numRuns: 50 });
  });
});
