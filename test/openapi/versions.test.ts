/** Schemas of OpenAPI 3.0, 3.1 and 3.2, with what authors carry over from other versions and drafts. */
import { describe, expect, it } from '@jest/globals';
import { answering, askFiles, postedStatus, taking } from './support/files.ts';

describe('A schema of a version', () => {
  /** Values that a schema allows, and others. */
  it.each<[version: string, kind: string, schema: string, allowed: unknown[], refused: unknown[]]>([
    ['3.0.3', 'nullable beside type', '{ type: string, nullable: true }', ['a', null], [1]],
    ['3.0.3', 'no nullable', '{ type: string }', ['a'], [null]],
    ['3.0.3', 'nullable: false', '{ type: string, nullable: false }', ['a'], [null]],
    ['3.0.3', 'nullable with an enum', '{ type: string, nullable: true, enum: [a] }', ['a', null], ['b']],
    [
      '3.0.3',
      'nullable beside allOf',
      '{ nullable: true, allOf: [{ $ref: "#/components/schemas/Text" }] }',
      ['a', null],
      [1],
    ],
    [
      '3.0.3',
      'nullable beside oneOf',
      '{ nullable: true, oneOf: [{ type: string }, { type: integer }] }',
      ['a', 1, null],
      [true],
    ],
    ['3.0.3', 'nullable beside anyOf', '{ nullable: true, anyOf: [{ type: string }] }', ['a', null], [1]],
    ['3.0.3', 'nullable in an item', '{ type: array, items: { type: integer, nullable: true } }', [[1, null]], [['a']]],
    [
      '3.0.3',
      'nullable in a member',
      '{ type: object, properties: { a: { type: object, nullable: true } } }',
      [{ a: null }, { a: {} }],
      [{ a: 1 }],
    ],
    [
      '3.0.3',
      'nullable in additionalProperties',
      '{ type: object, additionalProperties: { type: integer, nullable: true } }',
      [{ a: null }],
      [{ a: 'x' }],
    ],
    ['3.0.3', 'nullable in the target of a reference', '{ $ref: "#/components/schemas/Perhaps" }', ['a', null], [1]],
    ['3.0.3', 'a boolean exclusive minimum', '{ type: integer, minimum: 1, exclusiveMinimum: true }', [2], [1]],
    ['3.0.3', 'a boolean exclusive maximum', '{ type: integer, maximum: 9, exclusiveMaximum: true }', [8], [9]],
    ['3.0.3', 'exclusiveMinimum: false', '{ type: integer, minimum: 1, exclusiveMinimum: false }', [1], [0]],
    [
      '3.0.3',
      'members beside $ref, which do not count',
      '{ $ref: "#/components/schemas/Text", maxLength: 1 }',
      ['abc'],
      [1],
    ],
    [
      '3.0',
      'a version that YAML reads as a number',
      '{ type: integer, minimum: 1, exclusiveMinimum: true, nullable: true }',
      [2, null],
      [1],
    ],
    ['3.1.0', 'a list of types', '{ type: [string, "null"] }', ['a', null], [1]],
    [
      '3.1.0',
      'members beside $ref, which count',
      '{ $ref: "#/components/schemas/Text", maxLength: 1 }',
      ['a'],
      ['abc', 1],
    ],
    [
      '3.1.0',
      'a component that is a $ref with members beside it',
      '{ $ref: "#/components/schemas/Short" }',
      ['a'],
      ['abc', 1],
    ],
    ['3.1.0', 'numeric exclusive bounds', '{ exclusiveMinimum: 1, exclusiveMaximum: 3 }', [2], [1, 3]],
    ['3.1.0', 'const', '{ const: 1 }', [1], [2]],
    [
      '3.1.0',
      'prefixItems',
      '{ prefixItems: [{ type: integer }], items: { type: string } }',
      [[1, 'a']],
      [['a'], [1, 2]],
    ],
    [
      '3.1.0',
      'unevaluatedProperties',
      '{ allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }',
      [{ a: 1 }],
      [{ b: 1 }],
    ],
    ['3.1.0', 'dependentRequired', '{ dependentRequired: { a: [b] } }', [{ b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
    ['3.1.0', 'a boolean schema', 'true', [1, null, {}], []],
    [
      '3.1.0',
      'a list of items of older drafts',
      '{ type: array, items: [{ type: integer }], additionalItems: false }',
      [[1]],
      [['a'], [1, 2]],
    ],
    [
      '3.1.0',
      'dependencies of older drafts',
      '{ dependencies: { a: [b], c: { required: [d] } } }',
      [
        { a: 1, b: 1 },
        { c: 1, d: 1 },
      ],
      [{ a: 1 }, { c: 1 }],
    ],
    ['3.1.0', 'nullable of 3.0', '{ type: string, nullable: true }', ['a', null], [1]],
    ['3.1.0', 'a boolean exclusive minimum of 3.0', '{ minimum: 1, exclusiveMinimum: true }', [2], [1]],
    [
      '3.1.0',
      'a pattern that is none beside other rules',
      '{ type: string, pattern: "[", maxLength: 2 }',
      ['ab'],
      ['abc', 1],
    ],
    ['3.1.0', 'a pattern that needs no flag u', String.raw`{ type: string, pattern: '^[\w\-]+$' }`, ['a-b'], ['a b']],
    ['3.1.0', 'an unknown type beside other rules', '{ type: file, maxLength: 2 }', ['ab', 1], ['abc']],
    ['3.1.0', 'an unknown format and keywords', '{ type: string, format: isbn, x-y: 1, whatever: 2 }', ['ab'], [1]],
    [
      '3.1.0',
      'a text as a bound, next to other rules',
      '{ type: string, maxLength: "2", minLength: 1 }',
      ['abc'],
      ['', 1],
    ],
    [
      '3.1.0',
      'required as a boolean',
      '{ type: object, required: true, properties: { a: { type: integer, required: true } } }',
      [{}, { a: 1 }],
      [{ a: 'x' }],
    ],
    ['3.2.0', 'what 3.1 has', '{ type: [string, "null"] }', ['a', null], [1]],
  ])('%s: %s', async (version, _, schema, allowed, refused) => {
    const more = `components:
  schemas:
    Text: { type: string }
    Perhaps: { type: string, nullable: true }
    Short: { $ref: "#/components/schemas/Text", maxLength: 1 }
`;
    const ask = await askFiles({ 'api.yaml': taking(schema, version, more) });
    const send = postedStatus(ask);
    expect(await Promise.all(allowed.map(send))).toEqual(allowed.map(() => 204));
    expect(await Promise.all(refused.map(send))).toEqual(refused.map(() => 422));
  });

  it.each([
    ['3.0.3', 1],
    ['3.1.0', 1],
  ])('%s: members beside the $ref of a parameter do not count', async (version, missing) => {
    const ask = await askFiles({
      'api.yaml': `openapi: ${version}
paths: { /x: { get: { parameters: [{ $ref: "#/components/parameters/P", required: true }], responses: { "204": { description: ok } } } } }
components: { parameters: { P: { name: p, in: query, schema: { type: integer } } } }`,
    });
    expect([(await ask('/x')).status, (await ask('/x?p=a')).status, missing]).toEqual([204, 400, 1]);
  });

  it('3.0: an example of a schema and of a media type is answered', async () => {
    const ask = await askFiles({
      'api.yaml': answering(
        '{ type: object, properties: { a: { type: string, nullable: true, example: A } } }',
        '3.0.3',
      ),
    });
    expect((await ask('/x')).json).toEqual({ a: 'A' });
  });

  it('is made where a schema that may be null is composed of references (3.0.3)', async () => {
    const ask = await askFiles({
      'api.yaml': `${answering('{ $ref: "#/components/schemas/Node" }', '3.0.3')}components:
  schemas:
    Node:
      type: object
      properties:
        name: { type: string, example: a }
        owner: { nullable: true, allOf: [{ $ref: "#/components/schemas/Owner" }] }
        next: { nullable: true, allOf: [{ $ref: "#/components/schemas/Node" }] }
    Owner: { type: object, properties: { id: { type: integer, example: 7 } } }
`,
    });
    const { status, json } = await ask('/x');
    expect([status, json]).toEqual([200, expect.objectContaining({ name: 'a', owner: { id: 7 } })]);
  });
});
