/** What of a document is refused, and what is a warning: each with file and line. */
import { describe, expect, it } from '@jest/globals';
import { answering, type Files, head, open, pet, refusalOf, warningsOf } from './support/files.ts';

describe('A document is refused with file and line', () => {
  it.each<[kind: string, files: Files, lines: RegExp[]]>([
    ['a text that is no YAML', { 'api.yaml': 'openapi: 3.1.0\npaths: {' }, [/^api\.yaml:2: /]],
    ['a list', { 'api.yaml': '- a' }, [/^api\.yaml:1: is not an OpenAPI document: it is not an object/]],
    ['an empty file', { 'api.yaml': '' }, [/^api\.yaml:1: is not an OpenAPI document/]],
    ['no openapi', { 'api.yaml': 'paths: {}' }, [/^api\.yaml:1: is not an OpenAPI document: it has no `openapi`/]],
    [
      'Swagger 2.0, with a converter',
      { 'api.yaml': 'swagger: "2.0"' },
      [/^api\.yaml:1: is Swagger 2\.0.*npx swagger2openapi FILE/],
    ],
    [
      'another version',
      { 'api.yaml': 'openapi: 4.0.0' },
      [/^api\.yaml:1: is OpenAPI 4\.0\.0; Atoll reads 3\.0, 3\.1 and 3\.2/],
    ],
    [
      'a reference that leads nowhere',
      { 'api.yaml': answering('{ $ref: "#/components/schemas/Pet" }') },
      [/^api\.yaml:11: \$ref #\/components\/schemas\/Pet leads nowhere/],
    ],
    [
      'a file that is not there',
      { 'api.yaml': answering('{ $ref: pet.yaml }') },
      [/^api\.yaml:11: \$ref pet\.yaml: there is no such file/],
    ],
    [
      'a file that is no YAML',
      { 'api.yaml': answering('{ $ref: pet.yaml }'), 'pet.yaml': 'a: 1\nb: {' },
      [/^pet\.yaml:2: /],
    ],
    [
      'a pointer into a file that leads nowhere',
      { 'api.yaml': answering('{ $ref: "pet.yaml#/No" }'), 'pet.yaml': pet },
      [/^api\.yaml:11: .*leads nowhere/],
    ],
    [
      'a broken reference in another file',
      { 'api.yaml': answering('{ $ref: pet.yaml }'), 'pet.yaml': 'properties:\n  a:\n    $ref: "#/No"' },
      [/^pet\.yaml:3: .*leads nowhere/],
    ],
    [
      'a broken reference of a member called value',
      { 'api.yaml': answering('{ properties: { value: { $ref: "#/No" } } }') },
      [/^api\.yaml:11: /],
    ],
    [
      'references in a circle',
      { 'api.yaml': answering('{ $ref: a.yaml }'), 'a.yaml': '$ref: b.yaml', 'b.yaml': '$ref: a.yaml' },
      [/^api\.yaml:11: .*leads back to itself/, /^a\.yaml:1: /, /^b\.yaml:1: /],
    ],
    [
      'a reference to itself',
      {
        'api.yaml': `${answering('{ $ref: "#/components/schemas/A" }')}components: { schemas: { A: { $ref: "#/components/schemas/A" } } }`,
      },
      [/leads back to itself/, /^api\.yaml:12: .*leads back to itself/],
    ],
    [
      'a reference into its own members',
      { 'api.yaml': `${answering('true')}components:\n  schemas: { A: { $ref: "#/components/schemas/A/b" } }` },
      [/^api\.yaml:13: /],
    ],
    ['an anchor that nothing has', { 'api.yaml': answering('{ $ref: "#pet" }') }, [/^api\.yaml:11: .*names no anchor/]],
    ['a malformed pointer', { 'api.yaml': answering('{ $ref: "#/%E9" }') }, [/^api\.yaml:11: .*percent-encoded/]],
    [
      'a network',
      { 'api.yaml': answering('{ $ref: "https://example.org/pet.yaml" }') },
      [/^api\.yaml:11: .*nothing is fetched from a network/],
    ],
    [
      'a network without its scheme',
      { 'api.yaml': answering('{ $ref: "//example.org/pet.yaml" }') },
      [/^api\.yaml:11: /],
    ],
    [
      'a folder above',
      { 'api.yaml': answering('{ $ref: ../pet.yaml }') },
      [/^api\.yaml:11: .*leads out of the folder/],
    ],
    [
      'a folder above, percent-encoded',
      { 'api.yaml': answering('{ $ref: "%2e%2e/pet.yaml" }') },
      [/^api\.yaml:11: .*leads out of the folder/],
    ],
    [
      'an absolute path',
      { 'api.yaml': answering('{ $ref: /etc/passwd }') },
      [/^api\.yaml:11: .*leads out of the folder/],
    ],
    [
      'an externalValue that is not there',
      {
        'api.yaml': `${head}paths:\n  /x: { get: { responses: { "200": { description: ok, content: { text/plain: { examples: { a: { externalValue: a.txt } } } } } } } }`,
      },
      [/^api\.yaml:4: externalValue a\.txt: there is no such file/],
    ],
    [
      'two paths of one shape',
      { 'api.yaml': `${head}paths:\n  /x/{a}: { get: {} }\n  /x/{b}: { get: {} }` },
      [/^api\.yaml:5: GET \/x\/\{b\} matches the same paths as \/x\/\{a\}/],
    ],
    [
      'an open brace',
      { 'api.yaml': `${head}paths:\n  /x/{a: { get: {} }` },
      [/^api\.yaml:4: The braces of "\/x\/\{a" do not match/],
    ],
    ['a closing brace', { 'api.yaml': `${head}paths:\n  /x/a}: { get: {} }` }, [/^api\.yaml:4: The braces/]],
    ['nested braces', { 'api.yaml': `${head}paths:\n  /x/{a{b}}: { get: {} }` }, [/^api\.yaml:4: The braces/]],
    [
      'an alias in its own anchor',
      { 'api.yaml': `${head}x: &x { y: *x }` },
      [/^api\.yaml:3: An alias is inside its own anchor/],
    ],
    [
      'a schema that is composed of itself',
      {
        'api.yaml': `${answering('{ $ref: "#/components/schemas/A" }')}components:\n  schemas:\n    A: { allOf: [{ $ref: "#/components/schemas/A" }, { type: object }] }`,
      },
      [/^api\.yaml:14: The schema is composed of itself/],
    ],
    [
      'everything at once',
      { 'api.yaml': `${head}paths:\n  /x/{a: { get: {} }\n  /y: { $ref: no.yaml }\n  /z: { $ref: "../z.yaml" }` },
      [/^api\.yaml:4: /, /^api\.yaml:5: /, /^api\.yaml:6: /],
    ],
    [
      'broken references and paths at once',
      { 'api.yaml': `${head}paths:\n  /x/{a: { get: {} }\n  /y: { $ref: "#/No" }` },
      [/^api\.yaml:4: /, /^api\.yaml:5: /],
    ],
  ])('%s', async (_, files, lines) => {
    const refusal = await refusalOf(files);
    expect(refusal).toHaveLength(lines.length);
    for (const [index, line] of lines.entries()) expect(refusal[index]).toMatch(line);
  });
});

describe('A document is served', () => {
  it.each<[kind: string, text: string, warnings: string[]]>([
    ['without operationId and description', `${head}paths: { /x: { get: { responses: { "200": {} } } } }`, []],
    ['without info', 'openapi: 3.1.0\npaths: { /x: { get: { responses: { "200": {} } } } }', []],
    [
      'with unknown members',
      `${head}x-a: 1\nwhatever: 2\npaths: { x-b: 3, /x: { x-c: 4, get: { x-d: 5, more: 6, responses: { x-e: 7, "200": {} } } } }`,
      ['api.yaml:5 unknown-member'],
    ],
    ['without paths', head, ['api.yaml:1 paths']],
    [
      'with operationIds that are the same',
      `${head}paths:\n  /x:\n    get: { operationId: a, responses: { "200": {} } }\n    put: { operationId: a, responses: { "200": {} } }`,
      ['api.yaml:6 operation-id'],
    ],
    [
      'with statuses that are none',
      `${head}paths:\n  /x:\n    get:\n      responses:\n        "200": {}\n        ok: {}\n        "099": {}\n        "100": {}`,
      ['api.yaml:8 status', 'api.yaml:9 status', 'api.yaml:10 status'],
    ],
    ['without responses', `${head}paths:\n  /x:\n    get: {}`, ['api.yaml:5 responses']],
    [
      'with a style that the place cannot have',
      `${head}paths:\n  /x:\n    get:\n      responses: { "200": {} }\n      parameters:\n        - { name: a, in: header, style: form, schema: {} }\n        - name: b\n          in: path\n          style: deepObject`,
      ['api.yaml:5 path-parameter', 'api.yaml:8 style', 'api.yaml:11 style'],
    ],
    [
      'with a path parameter that is not described',
      `${head}paths:\n  /x/{id}:\n    get: { responses: { "200": {} } }`,
      ['api.yaml:5 path-parameter'],
    ],
    [
      'with a pattern that is none',
      `${head}paths:\n  /x:\n    get:\n      responses: { "200": {} }\n      parameters:\n        - name: a\n          in: query\n          schema:\n            pattern: "["`,
      ['api.yaml:11 pattern'],
    ],
    [
      'with servers of its own for a path and an operation, and values of a server variable',
      `${head}servers: [{ url: "/{v}", variables: { v: { default: a, enum: [a, b] } } }]\npaths:\n  /x:\n    servers: [{ url: /y }]\n    get:\n      servers: [{ url: /z }]\n      responses: { "200": {} }`,
      [],
    ],
    ['with an unknown type', answering('{ type: file }'), ['api.yaml:11 type']],
    [
      'with a method that is none',
      `${head}paths:\n  /x:\n    GET: {}\n    get: { responses: { "200": {} } }`,
      ['api.yaml:5 method'],
    ],
    [
      'with a path without a slash',
      `${head}paths:\n  x: {}\n  /x: { get: { responses: { "200": {} } } }`,
      ['api.yaml:4 path'],
    ],
    [
      'with a parameter of Swagger 2.0',
      `${head}paths:\n  /x:\n    post:\n      responses: { "200": {} }\n      parameters:\n        - { name: a, in: body, schema: {} }`,
      ['api.yaml:8 parameter'],
    ],
    [
      'with keywords of other forms',
      answering('{ maxLength: "2", properties: [] }'),
      ['api.yaml:11 keyword', 'api.yaml:11 keyword'],
    ],
    ['with nullable in 3.1', answering('{ type: string, nullable: true }'), ['api.yaml:11 nullable']],
    [
      'with a security scheme that is not there',
      `${head}security: [{ a: [] }]\npaths: { /x: { get: { responses: { "200": {} } } } }`,
      ['api.yaml:3 security-scheme'],
    ],
    [
      'a path that is there twice',
      `${head}paths:
  /x: { get: { responses: { "200": {} } } }
  /y: { get: { responses: { "200": {} } } }
  /x: { post: { responses: { "200": {} } } }`,
      ['api.yaml:6 repeated-key'],
    ],
  ])('%s', async (_, text, warnings) => {
    expect(await warningsOf({ 'api.yaml': text })).toEqual(warnings);
  });

  /** The tables of fixed fields in OpenAPI 3.1 §4.8, with what 3.2 adds. */
  describe('with unknown members', () => {
    const remediesOf = async (files: Files): Promise<string[]> =>
      (await open(files)).warnings
        .filter(({ rule }) => rule === 'unknown-member')
        .map(({ file, line, message, remedy }) => `${file}:${line} ${/"(.*)"/.exec(message)?.[1]}: ${remedy}`);
    const at = (lines: string): Files => ({ 'api.yaml': `${head}paths:\n  /x:\n${lines}` });
    const responses = '      responses: { "200": {} }\n';

    it.each<[kind: string, files: Files, remedies: string[]]>([
      [
        'of an operation',
        at(
          `    post:\n${responses}      operationIdd: a\n      requestbody: {}\n      paramters: []\n      consumes: [a/b]\n      x-own: 1\n`,
        ),
        [
          'api.yaml:7 operationIdd: Write operationId, if you mean that.',
          'api.yaml:8 requestbody: Write requestBody.',
          'api.yaml:9 paramters: Write parameters, if you mean that.',
          'api.yaml:10 consumes: Remove it, or begin its name with x-.',
        ],
      ],
      [
        'of a path item',
        at(`    parameter: []\n    pots: {}\n    x-own: 1\n    get:\n${responses}`),
        ['api.yaml:5 parameter: Write parameters, if you mean that.', 'api.yaml:6 pots: Write post, if you mean that.'],
      ],
      [
        'of a parameter',
        at(
          `    get:\n${responses}      parameters:\n        - name: a\n          in: query\n          type: integer\n          Required: true\n          explod: true\n          x-own: 1\n`,
        ),
        [
          'api.yaml:10 type: Write it in the schema of the parameter.',
          'api.yaml:11 Required: Write required.',
          'api.yaml:12 explod: Write explode, if you mean that.',
        ],
      ],
      [
        'of a response and its headers',
        at(
          `    get:\n      responses:\n        "200":\n          descripton: a\n          schema: {}\n          headers:\n            X-A:\n              default: 1\n`,
        ),
        [
          'api.yaml:8 descripton: Write description, if you mean that.',
          'api.yaml:9 schema: Remove it, or begin its name with x-.',
          'api.yaml:12 default: Write it in the schema of the header.',
        ],
      ],
      [
        'of a request body and its media type',
        at(
          `    post:\n${responses}      requestBody:\n        requird: true\n        content:\n          application/json:\n            schma: {}\n            properties: {}\n`,
        ),
        [
          'api.yaml:8 requird: Write required, if you mean that.',
          'api.yaml:11 schma: Write schema, if you mean that.',
          'api.yaml:12 properties: Write it in the schema of the media type.',
        ],
      ],
      [
        'of a media type of a response and of a parameter',
        at(
          `    get:\n      parameters:\n        - name: a\n          in: query\n          content:\n            application/json:\n              exmple: 1\n      responses:\n        "200":\n          content:\n            application/json:\n              exampels: {}\n`,
        ),
        [
          'api.yaml:11 exmple: Write example, if you mean that.',
          'api.yaml:16 exampels: Write examples, if you mean that.',
        ],
      ],
      [
        'of a component in another file, once for all that refer to it',
        {
          'api.yaml': `${head}paths:\n  /x:\n    get:\n      parameters: [{ $ref: "parts.yaml#/A" }]\n${responses}    put:\n      parameters: [{ $ref: "parts.yaml#/A" }]\n${responses}`,
          'parts.yaml': 'A:\n  name: a\n  in: query\n  shema: {}\n',
        },
        ['parts.yaml:4 shema: Write schema, if you mean that.'],
      ],
      [
        'none of 3.2',
        {
          'api.yaml': `openapi: 3.2.0\npaths:\n  /x:\n    query: {}\n    additionalOperations: {}\n    get:\n      responses:\n        "200":\n          summary: a\n          content: { a/b: { itemSchema: {}, itemEncoding: {}, prefixEncoding: [] } }\n`,
        },
        [],
      ],
    ])('%s', async (_, files, remedies) => {
      expect(await remediesOf(files)).toEqual(remedies);
    });

    it('twenty times, and the rest in one sentence', async () => {
      const many = Array.from(
        { length: 25 },
        (_, index) => `  /x${index}: { get: { operationid: a${index}, responses: { "200": {} } } }`,
      );
      const { warnings } = await open({ 'api.yaml': `${head}paths:\n${many.join('\n')}` });
      expect(warnings).toHaveLength(20);
      expect(warnings.at(-1)).toMatchObject({
        ...{ line: 23, rule: 'unknown-member', remedy: 'Write operationId.' },
        message: 'An operation of OpenAPI has no "operationid", so it is not read. The same is so at 5 other places.',
      });
    });
  });

  it('with a warning in the file that has the mistake', async () => {
    expect(
      await warningsOf({ 'api.yaml': answering('{ $ref: pet.yaml }'), 'pet.yaml': 'properties:\n  a: { type: text }' }),
    ).toEqual(['pet.yaml:2 type']);
  });

  it('with one warning for what many operations refer to, and twenty for what each has', async () => {
    const many = Array.from(
      { length: 30 },
      (_, index) => `  /x${index}: { get: { responses: { "200": { $ref: "#/components/responses/R" }, nope: {} } } }`,
    ).join('\n');
    const warnings = await warningsOf({
      'api.yaml': `${head}paths:\n${many}\ncomponents: { responses: { R: { content: { a/b: { schema: { type: file } } } } } }`,
    });
    expect(warnings.filter((each) => each.endsWith(' type'))).toEqual(['api.yaml:34 type']);
    expect(warnings.filter((each) => each.endsWith(' status'))).toHaveLength(20);
  });
});

describe('What the engine does not do is said at the start', () => {
  const operation = (members: string): string =>
    `${head}paths:\n  /x:\n    post:\n      responses: { "200": {} }\n${members}`;
  const body = (type: string, media: string): string =>
    operation(`      requestBody:\n        content:\n          ${type}:\n            ${media}`);

  it.each<[what: string, text: string, warnings: string[]]>([
    ['a body of XML', body('application/xml', 'schema: { type: object }'), ['api.yaml:9 xml-body']],
    [
      'a reference in the place of properties',
      body('application/json', 'schema: { properties: { $ref: "#/info" } }'),
      ['api.yaml:10 reference'],
    ],
    [
      'a member that is called $ref',
      body('application/json', 'schema: { properties: { $ref: { type: string } } }'),
      [],
    ],
    [
      'a reference in the place of content',
      operation('      requestBody:\n        content:\n          $ref: "#/info"'),
      ['api.yaml:9 reference'],
    ],
    ['a body of bytes with members', body('application/vnd.x', 'schema: { type: object }'), ['api.yaml:9 body']],
    ['a multipart type other than a form', body('multipart/mixed', 'schema: { type: object }'), ['api.yaml:9 body']],
    [
      'an encoding of a type other than a form',
      body('application/json', 'encoding: { a: { style: form } }'),
      ['api.yaml:10 encoding'],
    ],
    [
      'mutualTLS',
      `${operation('')}components:\n  securitySchemes:\n    a: { type: mutualTLS }`,
      ['api.yaml:9 mutual-tls'],
    ],
    [
      'a security scheme of an unknown type',
      `${operation('')}components:\n  securitySchemes:\n    a: { type: oauth }`,
      ['api.yaml:9 security-scheme'],
    ],
    ['webhooks', `${operation('')}webhooks: { a: { post: {} } }`, ['api.yaml:7 webhooks']],
    [
      'links',
      `${head}paths:\n  /x:\n    get:\n      responses:\n        "200":\n          links: { a: { operationId: x } }`,
      ['api.yaml:8 links'],
    ],
    [
      'an answer in parts',
      `${head}paths:\n  /x:\n    get:\n      responses:\n        "200":\n          content: { multipart/mixed: {} }`,
      ['api.yaml:8 body'],
    ],
    [
      '$dynamicRef',
      answering('{ $dynamicAnchor: a, properties: { b: { $dynamicRef: "#a" } } }'),
      ['api.yaml:11 dynamic-reference'],
    ],
    [
      'another dialect of schemas',
      `${operation('')}jsonSchemaDialect: http://json-schema.org/draft-07/schema#`,
      ['api.yaml:7 schema-dialect'],
    ],
    [
      'a discriminator without branches',
      answering('{ type: object, discriminator: { propertyName: a } }'),
      ['api.yaml:11 discriminator'],
    ],
    [
      'servers with too many values of their variables',
      `${head}servers:\n  - url: /{v}\n    variables: VARIABLES\npaths:\n  /x:\n    servers:\n      - url: /{v}\n        variables: VARIABLES\n    get:\n      servers:\n        - url: /{v}\n          variables: VARIABLES\n      responses: { "200": {} }`.replaceAll(
        'VARIABLES',
        `{ v: { default: "0", enum: [${Array.from({ length: 101 }, (_, index) => `"${index}"`).join(', ')}] } }`,
      ),
      ['api.yaml:5 servers', 'api.yaml:10 servers', 'api.yaml:14 servers'],
    ],
    [
      'a parameter of XML',
      operation('      parameters:\n        - { name: a, in: query, content: { application/xml: {} } }'),
      ['api.yaml:8 parameter'],
    ],
    [
      'an example in a network',
      `${head}paths:\n  /x:\n    get:\n      responses:\n        "200":\n          content: { text/plain: { examples: { a: { externalValue: "https://example.org/a" } } } }`,
      ['api.yaml:8 external-value'],
    ],
    [
      '3.2: query',
      `openapi: 3.2.0\npaths:\n  /x:\n    query: {}\n    get: { responses: { "200": {} } }`,
      ['api.yaml:4 openapi-3.2'],
    ],
    [
      '3.2: additionalOperations',
      `openapi: 3.2.0\npaths:\n  /x:\n    additionalOperations: { COPY: {} }\n    get: { responses: { "200": {} } }`,
      ['api.yaml:4 openapi-3.2'],
    ],
    [
      '3.2: $self',
      `openapi: 3.2.0\n$self: https://example.org/api\npaths:\n  /x:\n    get: { responses: { "200": {} } }`,
      ['api.yaml:2 openapi-3.2'],
    ],
    [
      '3.2: a querystring',
      `openapi: 3.2.0\npaths:\n  /x:\n    get:\n      responses: { "200": {} }\n      parameters:\n        - { name: a, in: querystring, content: { application/json: {} } }`,
      ['api.yaml:7 openapi-3.2'],
    ],
    [
      '3.2: style cookie',
      `openapi: 3.2.0\npaths:\n  /x:\n    get:\n      responses: { "200": {} }\n      parameters:\n        - { name: a, in: cookie, style: cookie, schema: {} }`,
      ['api.yaml:7 openapi-3.2'],
    ],
    [
      '3.2: itemSchema',
      `openapi: 3.2.0\npaths:\n  /x:\n    get:\n      responses:\n        "200":\n          content: { application/jsonl: { itemSchema: {} } }`,
      ['api.yaml:7 openapi-3.2'],
    ],
    [
      '3.2: itemEncoding and prefixEncoding',
      `openapi: 3.2.0\npaths:\n  /x:\n    post:\n      responses: { "200": {} }\n      requestBody:\n        content:\n          multipart/form-data:\n            itemEncoding: {}\n            prefixEncoding: []`,
      ['api.yaml:9 openapi-3.2', 'api.yaml:10 openapi-3.2'],
    ],
    [
      '3.2: defaultMapping',
      `openapi: 3.2.0\n${answering('{ oneOf: [{ $ref: "#/components/schemas/A" }], discriminator: { propertyName: a, defaultMapping: A } }').replace('openapi: 3.1.0\n', '')}components: { schemas: { A: {} } }`,
      ['api.yaml:11 openapi-3.2'],
    ],
    ['3.2: nodeType', answering('{ xml: { nodeType: text } }', '3.2.0'), ['api.yaml:11 openapi-3.2']],
  ])('%s', async (_, text, warnings) => {
    expect(await warningsOf({ 'api.yaml': text })).toEqual(warnings);
  });
});
