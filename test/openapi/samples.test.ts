/** Values that are made of schemas: they are valid, bounded, and look like what their names say. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { generateSync } from 'json-schema-faker';
import { createSampler } from '../../src/openapi/openapi-parts.ts';
import { schemasOf } from './schemas/compiled-schemas.ts';

type Node = Readonly<Record<string, unknown>>;

const samplerOf = (components: Node = {}, seed = '') => {
  const schemas = schemasOf(components);
  return {
    schemas,
    sample: createSampler({ schemas, seed, makeAny: (schema, number) => generateSync(schema, { seed: number }) }),
  };
};

const isValid = (schema: unknown, components: Node = {}): boolean => {
  const { schemas, sample } = samplerOf(components);
  return schemas.check(schema, 'response')(sample(schema)).length === 0;
};

const ref = (name: string): Node => ({ $ref: `#/components/schemas/${name}` });

const valid: readonly (readonly [string, Node, Node?])[] = [
  [
    'names by a pattern',
    {
      type: 'object',
      patternProperties: { '^x-\\d$': { type: 'integer' } },
      additionalProperties: false,
      minProperties: 2,
    },
  ],
  [
    'names that have rules',
    {
      type: 'object',
      propertyNames: { pattern: '^[A-Z]{2}$' },
      additionalProperties: { type: 'integer' },
      minProperties: 2,
    },
  ],
  ...['^\\p{Lu}{3}$', '^[\\p{L}\\p{Nd}]{4}-\\p{Ll}+$'].map(
    (pattern) => [`the pattern ${pattern}`, { type: 'string', pattern }] as const,
  ),
  ...[
    'date',
    'date-time',
    'time',
    'duration',
    'email',
    'idn-email',
    'hostname',
    'ipv4',
    'ipv6',
    'uri',
    'uri-reference',
    'iri',
  ].map((format) => [`the format ${format}`, { type: 'string', format }] as const),
  ...[
    'uuid',
    'json-pointer',
    'relative-json-pointer',
    'uri-template',
    'regex',
    'byte',
    'binary',
    'password',
    'int64',
  ].map((format) => [`the format ${format}`, { type: 'string', format }] as const),
  ['a pattern', { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' }],
  ['a pattern with a length', { type: 'string', pattern: '^[a-z]+$', minLength: 20, maxLength: 25 }],
  ['a long text', { type: 'string', minLength: 300 }],
  ['a short text', { type: 'string', maxLength: 1 }],
  ['a short email', { type: 'string', format: 'email', maxLength: 20 }],
  ['bounds', { type: 'integer', minimum: 10, maximum: 12 }],
  ['exclusive bounds', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }],
  ['exclusive bounds of integers', { type: 'integer', exclusiveMinimum: 5, exclusiveMaximum: 7 }],
  ['negative bounds', { type: 'integer', maximum: -5 }],
  ['multiples', { type: 'integer', multipleOf: 7, minimum: 10 }],
  ['multiples of a fraction', { type: 'number', multipleOf: 0.01, minimum: 3 }],
  ['least items', { type: 'array', minItems: 4, items: { type: 'integer' } }],
  ['unique items', { type: 'array', minItems: 3, uniqueItems: true, items: { type: 'integer' } }],
  ['unique texts', { type: 'array', minItems: 3, uniqueItems: true, items: { type: 'string' } }],
  ['unique items of an enum', { type: 'array', minItems: 3, uniqueItems: true, items: { enum: ['a', 'b', 'c'] } }],
  ['no items', { type: 'array', maxItems: 0, items: { type: 'integer' } }],
  ['a tuple', { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }], items: false, minItems: 2 }],
  ['an item that is contained', { type: 'array', items: { type: ['integer', 'string'] }, contains: { const: 'x' } }],
  ['least members', { type: 'object', minProperties: 3, additionalProperties: { type: 'integer' } }],
  [
    'names of members',
    {
      type: 'object',
      minProperties: 2,
      propertyNames: { enum: ['a', 'b'] },
      additionalProperties: { type: 'integer' },
    },
  ],
  ['a required member that is not described', { type: 'object', required: ['a'] }],
  [
    'patterns of members',
    { type: 'object', patternProperties: { '^x-': { type: 'integer' } }, additionalProperties: false },
  ],
  ['no other members', { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false }],
  [
    'a choice',
    {
      oneOf: [
        { type: 'object', required: ['a'], properties: { a: { const: 1 } } },
        { type: 'object', required: ['b'], properties: { b: { const: 2 } } },
      ],
    },
  ],
  [
    'a choice that overlaps',
    {
      oneOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
        { type: 'object', properties: { b: { type: 'string' } } },
      ],
    },
  ],
  [
    'an overlap in a member',
    {
      type: 'object',
      properties: {
        m: {
          oneOf: [
            { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
            { type: 'object', properties: { b: { type: 'string' } } },
          ],
        },
      },
    },
  ],
  ['any of two', { anyOf: [{ type: 'integer', minimum: 5 }, { type: 'string' }] }],
  [
    'all of two',
    {
      allOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
        { type: 'object', required: ['b'], properties: { b: { type: 'string' } } },
      ],
    },
  ],
  ['all of two bounds', { allOf: [{ type: 'integer', minimum: 5 }, { maximum: 6 }] }],
  [
    'all of two, unevaluated',
    {
      allOf: [{ properties: { a: { type: 'string' } } }],
      properties: { b: { type: 'integer' } },
      unevaluatedProperties: false,
      type: 'object',
    },
  ],
  [
    'a nullable reference',
    { anyOf: [{ type: 'null' }, ref('Pet')] },
    { Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
  ],
  [
    'if and then',
    {
      type: 'object',
      required: ['kind'],
      properties: { kind: { enum: ['a', 'b'] } },
      if: { properties: { kind: { const: 'a' } } },
      then: { required: ['size'], properties: { size: { type: 'integer' } } },
    },
  ],
  ['not', { type: 'integer', not: { const: 1 } }],
  [
    'members that depend on others',
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      required: ['a'],
      dependentRequired: { a: ['b'] },
    },
  ],
  [
    'a discriminator',
    {
      oneOf: [ref('Cat'), ref('Dog')],
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat', dog: ref('Dog').$ref } },
    },
    {
      Cat: {
        type: 'object',
        required: ['kind', 'lives'],
        properties: { kind: { type: 'string' }, lives: { type: 'integer' } },
      },
      Dog: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } },
    },
  ],
  [
    'a list of itself',
    ref('Tree'),
    {
      Tree: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, children: { type: 'array', items: ref('Tree') } },
      },
    },
  ],
  [
    'a required list of itself',
    ref('Tree'),
    {
      Tree: {
        type: 'object',
        required: ['name', 'children'],
        properties: { name: { type: 'string' }, children: { type: 'array', items: ref('Tree') } },
      },
    },
  ],
  [
    'itself as a member',
    ref('Node'),
    { Node: { type: 'object', properties: { next: ref('Node'), value: { type: 'integer' } } } },
  ],
  [
    'itself or null, required',
    ref('Node'),
    { Node: { type: 'object', required: ['next'], properties: { next: { anyOf: [ref('Node'), { type: 'null' }] } } } },
  ],
  [
    'two that contain each other',
    ref('A'),
    {
      A: { type: 'object', properties: { b: ref('B') } },
      B: { type: 'object', properties: { a: ref('A'), list: { type: 'array', items: ref('A') } } },
    },
  ],
  ['itself as the value of any member', ref('Map'), { Map: { type: 'object', additionalProperties: ref('Map') } }],
];

describe('A sample', () => {
  it.each(valid)('of %s is valid', (_name, schema, components = {}) => {
    expect(isValid(schema, components)).toBe(true);
  });

  it('of a discriminator is a whole value of its first branch', () => {
    const kinds = {
      Cat: {
        type: 'object',
        required: ['kind', 'lives'],
        properties: { kind: { type: 'string' }, lives: { type: 'integer', example: 9 } },
      },
    };
    const schema = { oneOf: [ref('Cat')], discriminator: { propertyName: 'kind' } };
    expect(samplerOf(kinds).sample(schema)).toEqual({ kind: 'Cat', lives: 9 });
  });

  it('of a discriminator in a parent names the schema itself, or the first heir of its mapping', () => {
    const parent = (more: Node): Node => ({
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' } },
      discriminator: { propertyName: 'kind', ...more },
    });
    const heir = { allOf: [ref('Pet'), { type: 'object', properties: { lives: { example: 9 } } }] };
    expect(samplerOf({ Pet: parent({}), Cat: heir }).sample(ref('Cat'))).toEqual({ kind: 'Cat', lives: 9 });
    expect(samplerOf({ Pet: parent({}), Cat: heir }).sample(ref('Pet'))).toEqual({ kind: 'Pet' });
    const mapped = { Pet: parent({ mapping: { cat: ref('Cat')['$ref'] } }), Cat: heir };
    expect(samplerOf(mapped).sample(ref('Cat'))).toEqual({ kind: 'cat', lives: 9 });
    expect(samplerOf(mapped).sample(ref('Pet'))).toEqual({ kind: 'cat', lives: 9 });
    // A mapping need not have all names (OpenAPI 3.1 §4.8.25), and a schema may stand alone in another.
    const dog = { allOf: [ref('Pet'), { type: 'object', properties: { size: { example: 3 } } }] };
    for (const schema of [ref('Dog'), { allOf: [ref('Dog')] }, { anyOf: [ref('Dog'), { type: 'null' }] }])
      expect(samplerOf({ ...mapped, Dog: dog }).sample(schema)).toEqual({ kind: 'Dog', size: 3 });
    expect(samplerOf({ ...mapped, Dog: dog }).sample({ allOf: [ref('Pet')] })).toEqual({ kind: 'cat', lives: 9 });
  });

  it('has the examples of all parts of a schema', () => {
    const part = (name: string): Node => ({ properties: { [name]: { type: 'string' } }, example: { [name]: 'A' } });
    expect(samplerOf().sample({ allOf: [part('a'), part('b')] })).toEqual({ a: 'A', b: 'A' });
  });

  it('has all other examples where one is wrong, and what an example lacks', () => {
    const [whole, text] = [
      { type: 'integer', example: '12' },
      { type: 'string', example: 'Ada' },
    ];
    const members = { type: 'object', properties: { id: whole, name: text } };
    expect(samplerOf().sample(members)).toEqual({ id: expect.any(Number), name: 'Ada' });
    const short = { type: 'object', required: ['a', 'name'], properties: { a: {}, name: text }, example: { a: 5 } };
    expect(samplerOf().sample(short)).toEqual({ a: 5, name: 'Ada' });
  });

  it('has optional members, and leaves out those that would lead back', () => {
    const tree = {
      Tree: {
        type: 'object',
        properties: {
          name: { type: 'string', example: 'a' },
          parent: ref('Tree'),
          children: { type: 'array', items: ref('Tree') },
        },
      },
    };
    expect(samplerOf(tree).sample(ref('Tree'))).toEqual({ name: 'a' });
  });

  it('has no writeOnly members in a response and no readOnly ones in a request', () => {
    const schema = {
      type: 'object',
      required: ['id', 'secret'],
      properties: {
        id: { example: 1, readOnly: true },
        secret: { example: 's', writeOnly: true },
        name: { example: 'a' },
      },
    };
    const { sample } = samplerOf();
    expect(sample(schema)).toEqual({ id: 1, name: 'a' });
    expect(sample(schema, { direction: 'request' })).toEqual({ secret: 's', name: 'a' });
  });

  it.each([
    ['email', { maxLength: 12 }],
    ['email', { minLength: 30 }],
    ['hostname', { maxLength: 8 }],
    ['uri', { maxLength: 8 }],
    ['ipv6', { maxLength: 5 }],
  ])('of the format %s has the length %j', (format, lengths) => {
    const schema = { type: 'object', properties: { a: { type: 'string', format, ...lengths } } };
    expect(samplerOf().sample(schema)).toEqual({ a: expect.any(String) });
    expect(isValid(schema)).toBe(true);
  });

  it('looks like what its names say', () => {
    const properties = Object.fromEntries(
      ['email', 'firstName', 'city', 'created_at', 'title', 'id', 'url'].map((name) => [
        name,
        { type: name === 'id' ? 'integer' : 'string' },
      ]),
    );
    expect(samplerOf().sample({ type: 'object', properties })).toEqual({
      ...{ email: 'ada@example.org', firstName: 'Ada', city: 'Amsterdam', created_at: '2024-05-17T09:30:00Z' },
      ...{ title: 'The harbour at low tide', id: 1, url: 'https://example.org/' },
    });
  });

  it('is the same for the same seed, and another for another', () => {
    const schema = { type: 'object', properties: { token: { type: 'string', format: 'uuid' } } };
    expect(samplerOf({}, 'a').sample(schema)).toEqual(samplerOf({}, 'a').sample(schema));
    expect(samplerOf({}, 'a').sample(schema)).not.toEqual(samplerOf({}, 'b').sample(schema));
  });

  it('of references that multiply is bounded', () => {
    const levels = Object.fromEntries(
      [...Array(9).keys()].map((level) => [
        `L${level}`,
        {
          type: 'object',
          properties: Object.fromEntries(
            Array.from('abcdef', (name) => [name, level === 8 ? { type: 'string' } : ref(`L${level + 1}`)]),
          ),
        },
      ]),
    );
    expect(JSON.stringify(samplerOf(levels).sample(ref('L0'))).length).toBeLessThan(200_000);
  });

  it('of lengths that no memory holds is bounded', () => {
    const huge = {
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 1e9 },
        list: { type: 'array', minItems: 1e9, items: { type: 'integer' } },
      },
    };
    expect(JSON.stringify(samplerOf().sample(huge)).length).toBeLessThan(100_000);
  });

  it('of any simple schema is valid', () => {
    const leaf = fc.oneof(
      fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: -50, max: 50 }) }),
      fc.record({ type: fc.constant('string'), minLength: fc.integer({ min: 0, max: 30 }) }),
      fc.record({ type: fc.constant('boolean') }),
      fc.record({ enum: fc.array(fc.string(), { minLength: 1, maxLength: 3 }) }),
    );
    const { schema } = fc.letrec<{ schema: object }>((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.record({ type: fc.constant('array'), items: tie('schema'), minItems: fc.integer({ min: 0, max: 3 }) }),
        fc.record({
          type: fc.constant('object'),
          properties: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 4 }),
        }),
      ),
    }));
    fc.assert(
      fc.property(schema, (each) => isValid(each as Node)),
      { seed: 44, numRuns: 200 },
    );
  });
});
