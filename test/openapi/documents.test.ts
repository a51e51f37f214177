/** Documents of several files, as authors divide them, and those beyond the bounds. */
import { describe, expect, it } from '@jest/globals';
import {
  answering,
  askFiles,
  type Files,
  head,
  open,
  pet,
  petJson,
  postedStatus,
  poster,
  refusalOf,
  taking,
} from './support/files.ts';

describe('A document of several files', () => {
  it.each<[kind: string, files: Files]>([
    [
      'one file',
      {
        'api.yaml': `${answering('{ $ref: "#/components/schemas/Pet" }')}components: { schemas: { Pet: { type: object, properties: { name: { example: Ada } } } } }`,
      },
    ],
    [
      'a file that has all paths',
      {
        'api.yaml': `${head}paths: { $ref: all/paths.yaml }`,
        'all/paths.yaml': `/x: { get: { responses: { 200: { description: ok, content: { application/json: { schema: { $ref: ../pet.yaml } } } } } } }`,
        'pet.yaml': pet,
      },
    ],
    [
      'a file that has the responses of an operation',
      {
        'api.yaml': `${head}paths: { /x: { get: { responses: { $ref: "responses.yaml#/all" } } } }`,
        'responses.yaml': `all: { 200: { description: ok, content: { application/json: { schema: { $ref: pet.yaml } } } } }`,
        'pet.yaml': pet,
      },
    ],
    [
      'a file that has all schemas',
      {
        'api.yaml': `${answering('{ $ref: "#/components/schemas/Pet" }')}components: { schemas: { $ref: schemas.yaml } }`,
        'schemas.yaml': `Pet: { $ref: pet.yaml }`,
        'pet.yaml': pet,
      },
    ],
    ['a file that is a schema', { 'api.yaml': answering('{ $ref: pet.yaml }'), 'pet.yaml': pet }],
    ['a file in a folder, with ./', { 'api.yaml': answering('{ $ref: ./schemas/pet.yaml }'), 'schemas/pet.yaml': pet }],
    ['a file with a blank in its name', { 'api.yaml': answering('{ $ref: "a%20pet.yaml" }'), 'a pet.yaml': pet }],
    [
      'a file that JSON is in',
      {
        'api.yaml': answering('{ $ref: pet.json }'),
        'pet.json': '{"type":"object","properties":{"name":{"example":"Ada"}}}',
      },
    ],
    [
      'a pointer in a file',
      {
        'api.yaml': answering('{ $ref: "all.yaml#/Pet" }'),
        'all.yaml': `Pet: { type: object, properties: { name: { example: Ada } } }`,
      },
    ],
    [
      'a pointer with escapes',
      {
        'api.yaml': answering('{ $ref: "all.yaml#/a~1b%20c" }'),
        'all.yaml': `a/b c: { type: object, properties: { name: { example: Ada } } }`,
      },
    ],
    [
      'a pointer through a list',
      {
        'api.yaml': answering('{ $ref: "all.yaml#/list/1" }'),
        'all.yaml': `list: [{}, { properties: { name: { example: Ada } } }]`,
      },
    ],
    [
      'a file that refers back to the root',
      {
        'api.yaml': `${answering('{ $ref: parts/pet.yaml }')}components: { schemas: { Name: { type: string, example: Ada } } }`,
        'parts/pet.yaml': 'properties: { name: { $ref: "../api.yaml#/components/schemas/Name" } }',
      },
    ],
    [
      'a reference within a file',
      {
        'api.yaml': answering('{ $ref: "all.yaml#/Pet" }'),
        'all.yaml': 'Pet: { properties: { name: { $ref: "#/Name" } } }\nName: { example: Ada }',
      },
    ],
    [
      'a chain through files',
      {
        'api.yaml': answering('{ $ref: a.yaml }'),
        'a.yaml': '$ref: b/b.yaml#/Pet',
        'b/b.yaml': 'Pet: { $ref: ../c.yaml }',
        'c.yaml': pet,
      },
    ],
    [
      'a whole response',
      {
        'api.yaml': `${head}paths: { /x: { get: { responses: { "200": { $ref: "r.yaml#/ok" } } } } }`,
        'r.yaml': 'ok: { description: ok, content: { application/json: { schema: { $ref: pet.yaml } } } }',
        'pet.yaml': pet,
      },
    ],
    [
      'a whole path',
      {
        'api.yaml': `${head}paths: { /x: { $ref: paths/x.yaml } }`,
        'paths/x.yaml':
          'get: { responses: { "200": { description: ok, content: { application/json: { schema: { $ref: ../pet.yaml } } } } } }',
        'pet.yaml': pet,
      },
    ],
    [
      'an operation by a pointer into paths',
      {
        'api.yaml': `${head}paths: { /x: { $ref: "other.yaml#/paths/~1y" } }`,
        'other.yaml': answering('{ $ref: pet.yaml }').replace('/x:', '/y:'),
        'pet.yaml': pet,
      },
    ],
    [
      'an example in a file',
      {
        'api.yaml': `${head}paths: { /x: { get: { responses: { "200": { description: ok, content: { application/json: { examples: { a: { $ref: examples.yaml#/a } } } } } } } } }`,
        'examples.yaml': 'a: { value: { name: Ada } }',
      },
    ],
    [
      'an externalValue',
      {
        'api.yaml': `${head}paths: { /x: { get: { responses: { "200": { description: ok, content: { application/json: { examples: { a: { externalValue: ada.json } } } } } } } } }`,
        'ada.json': '{"name":"Ada"}',
      },
    ],
    [
      'an $id',
      {
        'api.yaml': `${answering('{ $ref: "https://example.org/pet" }')}components: { schemas: { Pet: { $id: "https://example.org/pet", properties: { name: { example: Ada } } } } }`,
      },
    ],
    [
      'an $id in another file',
      {
        'api.yaml': answering('{ allOf: [{ $ref: "https://example.org/pet" }, { $ref: all.yaml#/Any }] }'),
        'all.yaml': 'Any: {}\nPet: { $id: "https://example.org/pet", properties: { name: { example: Ada } } }',
      },
    ],
    [
      'an $id that another one is relative to',
      {
        'api.yaml': `${answering('{ $ref: "https://example.org/a/pet" }')}components: { schemas: { A: { $id: "https://example.org/a/base", $defs: { Pet: { $id: pet, properties: { name: { example: Ada } } } } } } }`,
      },
    ],
    [
      'a pointer below an $id',
      {
        'api.yaml': `${answering('{ $ref: "https://example.org/base#/$defs/Pet" }')}components: { schemas: { A: { $id: "https://example.org/base", $defs: { Pet: { properties: { name: { $ref: "#/$defs/Name" } } }, Name: { example: Ada } } } } }`,
      },
    ],
    [
      'an $anchor',
      {
        'api.yaml': `${answering('{ $ref: "#pet" }')}components: { schemas: { Pet: { $anchor: pet, properties: { name: { example: Ada } } } } }`,
      },
    ],
    [
      'an $anchor in another file',
      {
        'api.yaml': answering('{ $ref: "all.yaml#pet" }'),
        'all.yaml': 'x: { $anchor: pet, properties: { name: { example: Ada } } }',
      },
    ],
    [
      'a $dynamicRef',
      {
        'api.yaml': `${answering('{ $dynamicRef: "#pet" }')}components: { schemas: { Pet: { $dynamicAnchor: pet, properties: { name: { example: Ada } } } } }`,
      },
    ],
    ['a YAML anchor', { 'api.yaml': `x-pet: &pet { properties: { name: { example: Ada } } }\n${answering('*pet')}` }],
    [
      'YAML merge keys',
      {
        'api.yaml': `x-pet: &pet { type: object, properties: { name: { example: Ada } } }\n${answering('{ <<: *pet, title: A pet }')}`,
      },
    ],
    ['a byte order mark', { 'api.yaml': `\ufeff${answering('{ $ref: pet.yaml }')}`, 'pet.yaml': `\ufeff${pet}` }],
    [
      'UTF-16',
      { 'api.yaml': Buffer.from(`\ufeff${answering('{ properties: { name: { example: Ada } } }')}`, 'utf16le') },
    ],
  ])('%s is served', async (_, files) => {
    const ask = await askFiles(files);
    const { status, json } = await ask('/x');
    expect([status, json]).toEqual([200, petJson]);
  });

  it('that goes in a circle has an example of bounded depth, and checks each level', async () => {
    const files = {
      'api.yaml': taking('{ $ref: a.yaml }'),
      'a.yaml': 'type: object\nrequired: [n]\nproperties: { n: { type: integer }, b: { $ref: b.yaml#/B } }',
      'b.yaml':
        'B: { type: object, properties: { a: { $ref: a.yaml }, list: { type: array, items: { $ref: "#/B" } } } }',
    };
    const ask = await askFiles(files);
    const send = postedStatus(ask);
    expect(await send({ n: 1, b: { a: { n: 2, b: { list: [{ a: { n: 3 } }] } } } })).toBe(204);
    expect(await send({ n: 1, b: { a: { n: 2, b: { list: [{ a: { n: 'three' } }] } } } })).toBe(422);
  });

  it.each([
    ['file names', '{ propertyName: kind, mapping: { cat: ./cat.yaml, dog: "pets/dog.yaml#/Dog" } }', ['cat', 'dog']],
    ['names alone', '{ propertyName: kind }', ['cat', 'Dog']],
  ])('a discriminator by %s chooses the branch', async (_, discriminator, [cat, dog]) => {
    const files = {
      'api.yaml': taking(
        `{ oneOf: [{ $ref: cat.yaml }, { $ref: pets/dog.yaml#/Dog }], discriminator: ${discriminator} }`,
      ),
      'cat.yaml':
        'type: object\nrequired: [kind, lives]\nproperties: { kind: { type: string }, lives: { type: integer } }',
      'pets/dog.yaml':
        'Dog: { type: object, required: [kind, tricks], properties: { kind: { type: string }, tricks: { type: integer } } }',
    };
    const ask = await askFiles(files);
    const send = postedStatus(ask);
    expect(
      await Promise.all(
        [{ kind: cat, lives: 9 }, { kind: dog, tricks: 1 }, { kind: cat, tricks: 1 }, { kind: 'cow' }].map(send),
      ),
    ).toEqual([204, 204, 422, 422]);
  });

  it.each(['kind', undefined])(
    'a schema that chooses among its heirs (discriminator: %s) is served',
    async (propertyName) => {
      const discriminator = propertyName === undefined ? '' : `, discriminator: { propertyName: ${propertyName} }`;
      const heir = (member: string): string =>
        `{ allOf: [{ $ref: "#/components/schemas/Pet" }, { type: object, required: [${member}], properties: { ${member}: { type: integer } } }] }`;
      const ask = await askFiles({
        'api.yaml': `${taking('{ $ref: "#/components/schemas/Pet" }')}components:
  schemas:
    Pet: { type: object, required: [kind], properties: { kind: { type: string } }, oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }]${discriminator} }
    Cat: ${heir('lives')}
    Dog: ${heir('tricks')}
`,
      });
      const send = postedStatus(ask);
      expect(
        await Promise.all(
          [{ kind: 'Cat', lives: 9 }, { kind: 'Dog', tricks: 1 }, { kind: 'Cat' }, { lives: 9 }].map(send),
        ),
      ).toEqual([204, 204, 422, 422]);
    },
  );

  it('has an example that looks like a reference as it is written', async () => {
    const ask = await askFiles({ 'api.yaml': answering('{ example: { $ref: nowhere.yaml } }') });
    expect((await ask('/x')).json).toEqual({ $ref: 'nowhere.yaml' });
  });

  it('names all of its files', async () => {
    const { addresses } = await open({
      'api.yaml': answering('{ $ref: a.yaml }'),
      'a.yaml': '$ref: b.yaml',
      'b.yaml': pet,
    });
    expect(addresses).toEqual(['file:///api/api.yaml', 'file:///api/a.yaml', 'file:///api/b.yaml']);
  });
});

describe('A document beyond the bounds is one sentence, and quick', () => {
  /** Each level has the one below ten times. */
  const aliases = (levels: number): string =>
    Array.from(
      { length: levels },
      (_, level) =>
        `x-${level}: &a${level} [${Array.from({ length: 10 }, () => (level === 0 ? 'a' : `*a${level - 1}`)).join(', ')}]`,
    ).join('\n');
  const composed = (levels: number): string =>
    Array.from(
      { length: levels },
      (_, level) =>
        `    S${level}: { ${level === 0 ? 'type: object' : `allOf: [${Array.from({ length: 10 }, () => `{ $ref: "#/components/schemas/S${level - 1}" }`).join(', ')}]`} }`,
    ).join('\n');
  const files = (count: number): Files =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        index === 0 ? 'api.yaml' : `f${index}.yaml`,
        index === 0 ? answering('{ $ref: f1.yaml }') : index === count - 1 ? pet : `$ref: f${index + 1}.yaml`,
      ]),
    );

  it.each<[bound: string, files: Files, message: RegExp]>([
    ['20 MB', { 'api.yaml': `${answering('{}')}#${'x'.repeat(20 * 1024 * 1024)}` }, /larger than 20 MB/],
    [
      '20 MB with its files',
      {
        'api.yaml': answering('{ $ref: a.yaml }'),
        'a.yaml': `$ref: b.yaml\n#${'x'.repeat(11 * 1024 * 1024)}`,
        'b.yaml': `{}\n#${'x'.repeat(11 * 1024 * 1024)}`,
      },
      /larger than 20 MB/,
    ],
    [
      '5,000 operations',
      {
        'api.yaml': `${head}paths:\n${Array.from({ length: 5001 }, (_, index) => `  /x${index}: { get: {} }`).join('\n')}`,
      },
      /has 5001 operations; the most are 5000/,
    ],
    ['100 files', files(101), /more than 100 files/],
    [
      'depth 100',
      { 'api.yaml': `${head}x: ${'['.repeat(120)}${']'.repeat(120)}` },
      /^api\.yaml:3: .*more than 100 levels/,
    ],
    [
      'depth 100 in JSON',
      { 'api.json': `{"openapi":"3.1.0","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}` },
      /more than 100 levels/,
    ],
    ['aliases', { 'api.yaml': `${head}${aliases(30)}` }, /more than 2000000 values with its aliases/],
    [
      'compositions',
      { 'api.yaml': `${answering('{ $ref: "#/components/schemas/S19" }')}components:\n  schemas:\n${composed(20)}` },
      /checked against more than 10000 schemas/,
    ],
  ])('%s', async (_, documentFiles, message) => {
    const start = performance.now();
    const refusal = await refusalOf(documentFiles);
    expect(performance.now() - start).toBeLessThan(3000);
    expect(refusal).toHaveLength(1);
    expect(refusal[0]).toMatch(message);
  });

  it.each<[bound: string, files: Files]>([
    ['100 files', files(100)],
    [
      '5,000 operations',
      {
        'api.yaml': `${head}paths:\n${Array.from({ length: 5000 }, (_, index) => `  /x${index}: { get: {} }`).join('\n')}`,
      },
    ],
  ])('%s are read', async (_, documentFiles) => {
    expect(await refusalOf(documentFiles)).toEqual([]);
  });

  it('a thousand schemas in a row are checked, with the pointer of the innermost', async () => {
    const levels = Array.from(
      { length: 1000 },
      (_, level) =>
        `    S${level}: { type: object, properties: { n: { type: integer }, next: { $ref: "#/components/schemas/S${(level + 1) % 1000}" } } }`,
    ).join('\n');
    const ask = await askFiles({
      'api.yaml': `${taking('{ $ref: "#/components/schemas/S0" }')}components:\n  schemas:\n${levels}`,
    });
    const send = poster(ask);
    expect((await send({ n: 1, next: { next: { n: 2 } } })).status).toBe(204);
    const { status, noticed } = await send({ n: 1, next: { next: { n: 'two' } } });
    expect([status, noticed.refusal?.violations.map(({ pointer }) => pointer)]).toEqual([
      422,
      ['/requestBody/next/next/n'],
    ]);
  });

  it('references in members, each of which doubles the next, are answered in a bounded time', async () => {
    const levels = Array.from(
      { length: 40 },
      (_, level) =>
        `    S${level}: { type: object, properties: { ${level === 0 ? '' : `a: { $ref: "#/components/schemas/S${level - 1}" }, b: { $ref: "#/components/schemas/S${level - 1}" }`} } }`,
    ).join('\n');
    const start = performance.now();
    const ask = await askFiles({
      'api.yaml': `${answering('{ $ref: "#/components/schemas/S39" }')}components:\n  schemas:\n${levels}`,
    });
    const { status, bytes } = await ask('/x');
    expect(status).toBe(200);
    expect(bytes.length).toBeLessThan(1024 * 1024);
    expect(performance.now() - start).toBeLessThan(3000);
  });
});
