/** What the comparison of documents says of each change of a schema: in requests, and in answers. */
import { describe, expect, it } from '@jest/globals';
import { receivedLines, sentLines, type Json } from './small-documents.ts';

const text = { type: 'string' };
const whole = { type: 'integer' };
const closed = (properties: Json, required: readonly string[] = []): Json => ({
  ...{ type: 'object', additionalProperties: false, properties, required },
});

/** What is said of a schema that becomes narrower: sent forwards and backwards, received forwards and backwards. */
type Narrowing = readonly [unknown, unknown, string];
const narrowings: readonly Narrowing[] = [
  [{ type: ['string', 'null'] }, text, 'type null'],
  [{ ...text, nullable: true }, text, 'type null'],
  [{}, text, 'values of any type'],
  [{ type: 'number' }, whole, 'type number'],
  [{ enum: ['a', 'b'] }, { enum: ['a'] }, 'the value b'],
  [{ enum: ['a', 'b'] }, { const: 'a' }, 'the value b'],
  [text, { ...text, enum: ['a'] }, 'values of its own'],
  [{ ...text, pattern: '^(a|b)$' }, { ...text, pattern: '^(a)$' }, 'the value b'],
  [{ enum: ['a', 'b'] }, { ...text, pattern: '^(a)$' }, 'the value b'],
  [{ enum: ['a', 'b'] }, { ...text, pattern: '^a' }, 'the value b'],
  [text, { ...text, pattern: '^a' }, 'values of another pattern than "^a"'],
  [text, { ...text, format: 'uuid' }, 'values of another format than "uuid"'],
  [{ ...text, format: 'uri-reference' }, { ...text, format: 'uri' }, 'values of another format than "uri"'],
  [text, { ...text, maxLength: 9 }, 'texts longer than 9'],
  [text, { ...text, minLength: 2 }, 'texts shorter than 2'],
  [{ type: 'array' }, { type: 'array', maxItems: 1 }, 'more items than 1'],
  [{ type: 'array' }, { type: 'array', minItems: 1 }, 'fewer items than 1'],
  [{ type: 'array' }, { type: 'array', uniqueItems: true }, 'lists with equal items'],
  [{ type: 'object' }, { type: 'object', maxProperties: 2 }, 'more members than 2'],
  [{ type: 'number', minimum: 1 }, { type: 'number', minimum: 2 }, 'numbers below 2'],
  [{ type: 'number', minimum: 1 }, { type: 'number', exclusiveMinimum: 1 }, 'numbers below 1 and that itself'],
  [{ type: 'number' }, { type: 'number', maximum: 5, exclusiveMaximum: true }, 'numbers above 5 and that itself'],
  [{ type: 'number', multipleOf: 2 }, { type: 'number', multipleOf: 4 }, 'values of another multipleOf than 4'],
  [{ type: 'object' }, { type: 'object', additionalProperties: false }, 'members of other names'],
  [
    { anyOf: [text, whole] },
    { anyOf: [text, { type: 'boolean' }, { ...whole, minimum: 3 }] },
    'the shape of type integer',
  ],
  [{ oneOf: [text, closed({ a: text })] }, { oneOf: [text, closed({ b: text })] }, 'the shape of type object'],
  [{ type: 'object' }, { type: 'object', not: { required: ['a'] } }, 'values of another not than {"required":["a"]}'],
  [true, false, 'anything'],
];

describe('A schema that becomes narrower', () => {
  it.each(narrowings)('from %j to %j', (wide, narrow, values) => {
    expect(sentLines(wide, narrow)).toContain(`breaking [client] takes ${values} no longer`);
    expect(sentLines(narrow, wide)).toContain(`harmless [server] takes ${values} now`);
    expect(receivedLines(narrow, wide)).toContain(`breaking [client] may give ${values}`);
    expect(receivedLines(wide, narrow)).toContain(`harmless [server] gives ${values} no longer`);
  });
});

describe('A schema of which nobody can say whether it is narrower', () => {
  it.each<[unknown, unknown, string]>([
    [{ ...text, pattern: '^a' }, { ...text, pattern: '^[ab]' }, 'values of another pattern than "^[ab]"'],
    [{ ...text, format: 'isbn' }, { ...text, format: 'ean' }, 'values of another format than "ean"'],
    [
      { type: 'object' },
      { type: 'object', unevaluatedProperties: false },
      'values of another unevaluatedProperties than false',
    ],
    [
      { type: 'array' },
      { type: 'array', prefixItems: [text] },
      'values of another prefixItems than [{"type":"string"}]',
    ],
    [
      { anyOf: [{ ...text, pattern: '^a' }, whole] },
      { anyOf: [{ ...text, pattern: '^[ab]' }, whole] },
      'the shape of type string',
    ],
  ])('from %j to %j', (before, after, values) => {
    expect(sentLines(before, after)).toContain(`unknown [] perhaps takes ${values} no longer`);
    expect(receivedLines(after, before)).toContain(`unknown [] perhaps gives ${values}`);
  });
});

describe('A schema that says the same in other words', () => {
  it.each<[unknown, unknown]>([
    [{ type: ['string', 'null'] }, { ...text, nullable: true }],
    [{ enum: ['a', 'b'] }, { ...text, enum: ['b', 'a'] }],
    [
      { ...text, pattern: '^(a|b)$' },
      { ...text, enum: ['a', 'b'] },
    ],
    [{ const: 1 }, { enum: [1] }],
    [
      { type: 'number', exclusiveMinimum: 1 },
      { type: 'number', minimum: 1, exclusiveMinimum: true },
    ],
    [{ allOf: [closed({ a: text }), { required: ['a'] }] }, closed({ a: text }, ['a'])],
    [{ anyOf: [text, whole] }, { oneOf: [whole, text] }],
    [{ anyOf: [text, whole] }, { type: ['string', 'integer'] }],
    [
      { ...text, description: 'a' },
      { ...text, description: 'b', examples: ['c'] },
    ],
    [{ type: 'array', uniqueItems: false }, { type: 'array' }],
    [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/A', description: 'beside' }],
  ])('%j and %j', (one, other) => {
    const schemas = [{ A: text }, { A: text }] as const;
    expect([...sentLines(one, other, schemas), ...receivedLines(one, other, schemas)]).toEqual([]);
  });
});

describe('A member', () => {
  it.each<[string, Json, Json, string[], string[]]>([
    [
      'that is gone, where others are refused',
      closed({ a: text, b: text }),
      closed({ a: text }),
      ['breaking [client] .b is gone'],
      ['breaking [client] .b is gone'],
    ],
    [
      'that is gone and was promised',
      closed({ a: text }, ['a']),
      closed({}),
      ['breaking [client] .a is gone'],
      ['breaking [client] .a is gone'],
    ],
    [
      'that is gone, where others are taken',
      { type: 'object', properties: { a: text } },
      { type: 'object' },
      ['unknown [] .a is not described any more'],
      ['breaking [client] .a is gone'],
    ],
    [
      'that is new and may be left out',
      closed({ a: text }),
      closed({ a: text, b: text }),
      ['harmless [server] .b is new'],
      ['harmless [] .b is new'],
    ],
    [
      'that is new and demanded',
      closed({ a: text }),
      closed({ a: text, b: text }, ['b']),
      ['breaking [client] .b is demanded now'],
      ['harmless [server] .b is new and promised'],
    ],
    [
      'that is demanded now',
      closed({ a: text }),
      closed({ a: text }, ['a']),
      ['breaking [client] .a is demanded now'],
      ['harmless [server] .a is promised now'],
    ],
    [
      'that may be left out now',
      closed({ a: text }, ['a']),
      closed({ a: text }),
      ['harmless [server] .a may be left out now'],
      ['breaking [client] .a is not promised any more'],
    ],
    [
      'that has a name by a pattern',
      { ...closed({}), patternProperties: { '^a': text } },
      { ...closed({}), patternProperties: { '^a': whole } },
      ['breaking [client] ./^a/ takes type string no longer', 'harmless [server] ./^a/ takes type integer now'],
      ['breaking [client] ./^a/ may give type integer', 'harmless [server] ./^a/ gives type string no longer'],
    ],
    [
      'that has any name',
      { type: 'object', additionalProperties: text },
      { type: 'object', additionalProperties: { ...text, maxLength: 3 } },
      ['breaking [client] .* takes texts longer than 3 no longer'],
      ['harmless [server] .* gives texts longer than 3 no longer'],
    ],
    [
      'of a list',
      { type: 'array', items: text },
      { type: 'array', items: whole },
      ['breaking [client] [] takes type string no longer', 'harmless [server] [] takes type integer now'],
      ['breaking [client] [] may give type integer', 'harmless [server] [] gives type string no longer'],
    ],
    [
      'that is read-only now',
      closed({ a: text }),
      closed({ a: { ...text, readOnly: true } }),
      ['unknown [] .a is read-only now'],
      [],
    ],
    [
      'that may be sent now',
      closed({ a: { ...text, readOnly: true } }),
      closed({ a: text }),
      ['harmless [] .a may be sent now'],
      [],
    ],
    [
      'that is write-only now',
      closed({ a: text }),
      closed({ a: { ...text, writeOnly: true } }),
      [],
      ['breaking [client] .a is write-only now'],
    ],
    [
      'with another default',
      closed({ a: text }),
      closed({ a: { ...text, default: 'x' } }),
      ['unknown [] .a stands for "x" now when it is left out'],
      [],
    ],
    [
      'that is deprecated now, with another extension',
      closed({ a: text }),
      closed({ a: { ...text, deprecated: true, 'x-own': 1 } }),
      ['harmless [] .a is deprecated now', 'unknown [] .a has another x-own'],
      ['harmless [] .a is deprecated now', 'unknown [] .a has another x-own'],
    ],
  ])('%s', (_, before, after, sent, received) => {
    expect(sentLines(before, after)).toEqual(sent);
    expect(receivedLines(before, after)).toEqual(received);
  });
});

describe('A named schema', () => {
  const reference = { $ref: '#/components/schemas/A' };
  const tree = (name: Json): Json => closed({ name, children: { type: 'array', items: reference } });

  it('is the subject of what changed in it, once, also where it holds itself', () => {
    const schemas = [{ A: tree(text) }, { A: tree({ ...text, maxLength: 5 }) }] as const;
    expect(sentLines({ type: 'array', items: reference }, { type: 'array', items: reference }, schemas)).toEqual([
      'breaking [client] A: .name takes texts longer than 5 no longer',
    ]);
  });

  it('may hold itself without a name of its own', () => {
    const wrapped = (name: Json): Json => closed({ name, child: { allOf: [reference], nullable: true } });
    const schemas = [{ A: wrapped(text) }, { A: wrapped(whole) }] as const;
    expect(sentLines(reference, reference, schemas)).toContain(
      'breaking [client] A: .name takes type string no longer',
    );
  });

  it('is the subject of a change in one alternative of a choice', () => {
    const choice = { oneOf: [reference, text] };
    const schemas = [{ A: closed({ a: text }) }, { A: closed({ a: text, b: text }, ['b']) }] as const;
    expect(sentLines(choice, choice, schemas)).toEqual(['breaking [client] A: .b is demanded now']);
  });

  it('may be written out', () => {
    expect(sentLines(reference, closed({ a: text }), [{ A: closed({ a: text }) }, {}])).toEqual([
      'breaking [client] A: is gone from schemas',
    ]);
  });

  it('may be in a circle of references, or lead nowhere, which is said', () => {
    const circle = [{ A: reference }, { A: reference }] as const;
    expect(() => sentLines(reference, reference, circle)).toThrow('leads in a circle');
    expect(() => sentLines(reference, reference)).toThrow('leads nowhere in the document');
    const outside = { $ref: 'other.yaml#/A' };
    expect(() => sentLines(outside, outside)).toThrow('The reference other.yaml#/A leads nowhere');
  });
});
