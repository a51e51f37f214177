/** Overlays: what they change in a document, and where they say that they are broken. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkDocument, slowPatterns, type SlowPatterns } from '../../src/server/sources/check-document.ts';
import { schemaViolations } from '../../src/server/sources/schema-violations.ts';
import { dereference } from '../../src/openapi/openapi-parts.ts';
import type { DocumentObject } from '../../src/openapi/openapi-terms.ts';
import { readContract } from '../support/site-sources.ts';
import { createBackend } from '../../src/repository/repository-engine.ts';
import { applyOverlays } from '../../src/server/sources/overlay.ts';
import { readOverlay } from '../../src/server/server-application.ts';
import { ConfigurationError, type Flaw } from '../../src/basics/configuration-error.ts';
import { root } from '../support/atoll.ts';
import { hangMs } from '../support/hang.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-overlay-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const head = 'overlay: 1.0.0\ninfo: { title: T, version: 1 }\n'.replace('version: 1', "version: '1'");
const written = async (text: string): Promise<string> => {
  const file = join(folder, 'o.yaml');
  await writeFile(file, text);
  return file;
};

const document: DocumentObject = {
  openapi: '3.1.0',
  info: { title: 'T', version: '1' },
  tags: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
  paths: {
    '/a': { get: { operationId: 'getA', summary: 'A', tags: ['a'], responses: { '200': { description: 'Fine.' } } } },
    '/b': { get: { operationId: 'getB', responses: { '200': { description: 'Fine.' } } } },
  },
  components: { schemas: {} },
  'x-long': { long: `${'a'.repeat(64)}!` },
};

const laid = async (actions: string): Promise<DocumentObject> => {
  const overlay = await readOverlay(await written(`${head}actions:\n${actions}`));
  return (await applyOverlays(document, [overlay])).document;
};

describe('an action', () => {
  it('merges objects member by member, replaces values, and adds lists to lists', async () => {
    const { paths } = await laid(
      '  - target: $.paths["/a"].get\n    update: { summary: B, deprecated: true, tags: [x] }\n',
    );
    expect(paths['/a']?.['get']).toEqual({
      operationId: 'getA',
      summary: 'B',
      tags: ['a', 'x'],
      deprecated: true,
      responses: { '200': { description: 'Fine.' } },
    });
  });

  it('changes everything that it selects', async () => {
    const { paths } = await laid('  - target: $.paths.*.get\n    update: { x-team: ours }\n');
    expect([paths['/a'], paths['/b']].map((item) => (item?.['get'] as { 'x-team': string })['x-team'])).toEqual([
      'ours',
      'ours',
    ]);
  });

  it('gives a list an entry more', async () => {
    expect((await laid('  - target: $.tags\n    update: { name: d }\n'))['tags']).toHaveLength(4);
  });

  it('removes what it selects, entries of a list too', async () => {
    const changed = await laid(
      '  - { target: "$.paths[\'/b\']", remove: true }\n  - { target: "$.tags[0,2]", remove: true }\n',
    );
    expect([Object.keys(changed.paths), changed['tags']]).toEqual([['/a'], [{ name: 'b' }]]);
  });

  it('changes the root', async () => {
    expect((await laid('  - { target: $, update: { x-root: 1 } }\n'))['x-root']).toBe(1);
  });

  it('leaves the document that it is laid over, and every prototype, as they were', async () => {
    const before = structuredClone(document);
    const changed = await laid('  - { target: $.info, update: { __proto__: { polluted: true } } }\n');
    expect(document).toEqual(before);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect('polluted' in (changed['info'] as object)).toBe(false);
  });

  describe('of Overlay 1.1', () => {
    const laid11 = async (actions: string): Promise<DocumentObject> => {
      const overlay = await readOverlay(await written(`${head.replace('1.0.0', '1.1.0')}actions:\n${actions}`));
      return (await applyOverlays(document, [overlay])).document;
    };

    // Overlay 1.1.0 §4.4.3
    it.each<[what: string, actions: string, read: (changed: DocumentObject) => unknown, wanted: unknown]>([
      ['a text', '  - { target: $.info.title, update: New }', ({ info }) => info, { title: 'New', version: '1' }],
      [
        'a text by null',
        '  - { target: $.info.title, update: null }',
        ({ info }) => info,
        { title: null, version: '1' },
      ],
      [
        'an entry of a list',
        '  - { target: "$.paths[\'/a\'].get.tags[0]", update: z }',
        ({ paths }) => paths['/a']?.['get'],
        { tags: ['z'] },
      ],
      [
        'many values',
        '  - { target: "$.tags[*].name", update: z }',
        ({ tags }) => tags,
        [{ name: 'z' }, { name: 'z' }, { name: 'z' }],
      ],
      [
        'a list by its entries',
        '  - { target: $.tags, update: [{ name: d }, { name: e }] }',
        ({ tags }) => tags,
        ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name })),
      ],
      [
        'a list by one entry',
        '  - { target: $.tags, update: { name: d } }',
        ({ tags }) => tags,
        ['a', 'b', 'c', 'd'].map((name) => ({ name })),
      ],
      [
        'a list by no entries',
        '  - { target: $.tags, update: [] }',
        ({ tags }) => tags,
        ['a', 'b', 'c'].map((name) => ({ name })),
      ],
      [
        'an object by a copy',
        '  - { target: "$.paths[\'/b\'].get", copy: "$.paths[\'/a\'].get" }',
        ({ paths }) => paths['/b']?.['get'],
        { operationId: 'getA', summary: 'A', tags: ['a'] },
      ],
      [
        'a list by a copy',
        '  - { target: "$.paths[\'/a\'].get.tags", copy: "$.tags" }',
        ({ paths }) => paths['/a']?.['get'],
        { tags: ['a', { name: 'a' }, { name: 'b' }, { name: 'c' }] },
      ],
      ['a text by a copy', '  - { target: $.info.title, copy: $.info.version }', ({ info }) => info, { title: '1' }],
      [
        'what an action before has made',
        '  - { target: $.components.schemas, update: { A: { type: string }, B: {} } }\n  - { target: $.components.schemas.B, copy: $.components.schemas.A }',
        ({ components }) => components,
        { schemas: { A: { type: 'string' }, B: { type: 'string' } } },
      ],
    ])('changes %s', async (_, actions, read, wanted) => {
      const changed = read(await laid11(`${actions}\n`));
      if (Array.isArray(wanted)) expect(changed).toEqual(wanted);
      else expect(changed).toMatchObject(wanted as object);
    });

    it('copies a value, so that a later change of it is not one of the copy', async () => {
      const { components } = await laid11(
        '  - { target: $.components.schemas, update: { A: { type: string }, B: {} } }\n' +
          '  - { target: $.components.schemas.B, copy: $.components.schemas.A }\n' +
          '  - { target: $.components.schemas.A, update: { title: later } }\n',
      );
      expect(components['schemas']).toEqual({ A: { type: 'string', title: 'later' }, B: { type: 'string' } });
    });

    it.each([
      ['  - { target: $.info, copy: $.nope }', 'overlay-copy', /selects nothing/],
      ['  - { target: $.info, copy: "$.tags[*]" }', 'overlay-copy', /selects 3 values/],
      ['  - { target: $.info, copy: "$.tags[" }', 'overlay-copy', /unclosed/],
      ['  - { target: $.info, copy: tags }', 'overlay-form', /must be a JSONPath/],
      ['  - { target: $.info, copy: $.tags, update: {} }', 'overlay-form', /has update and copy/],
      ['  - { target: $.info, copy: $.tags }', 'overlay-action', /an object can be updated by an object/],
      ['  - { target: $.info.title, update: { a: 1 } }', 'overlay-action', /another value by such a value/],
    ])('%s is refused in line 4', async (actions, rule, message) => {
      const flaw = await flawOf(() => laid11(`${actions}\n`));
      expect(flaw).toMatchObject({ line: 4, rule, message: expect.stringMatching(message) });
    });
  });

  it('copies nothing by Overlay 1.0', async () => {
    const flaw = await flawOf(() => laid('  - { target: $.info, copy: $.tags }\n'));
    expect(flaw).toMatchObject({ line: 4, rule: 'overlay-form', message: 'copy is of Overlay 1.1.' });
  });

  it('appends a list to a list as one entry by Overlay 1.0, with a warning', async () => {
    const overlay = await readOverlay(await written(`${head}actions:\n  - { target: $.tags, update: [] }\n`));
    const { document: changed, warnings } = await applyOverlays(document, [overlay]);
    expect(changed['tags']).toEqual([{ name: 'a' }, { name: 'b' }, { name: 'c' }, []]);
    expect(warnings).toMatchObject([
      { line: 4, rule: 'overlay-list', remedy: 'Write overlay: 1.1.0 to append its entries.' },
    ]);
  });

  it('that selects nothing is a warning with file and line', async () => {
    const file = await written(`${head}actions:\n  - target: $.paths["/nope"]\n    update: { x: 1 }\n`);
    const { warnings } = await applyOverlays(document, [await readOverlay(file)]);
    expect(warnings).toEqual([
      expect.objectContaining({ file, line: 4, rule: 'overlay-target', message: '$.paths["/nope"] selects nothing.' }),
    ]);
  });
});

const flawOf = async (work: () => Promise<unknown>): Promise<Flaw | undefined> => {
  const error: unknown = await work().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConfigurationError);
  return (error as ConfigurationError).flaw; // see the line above
};

describe('an overlay that cannot be read says where:', () => {
  it.each([
    ['overlay: [\n', 2, 'yaml', /is not valid YAML/],
    ['overlay: *nowhere\n', 1, 'yaml', /is not valid YAML/],
    [`a: &a [${'1,'.repeat(99)}]\nb: &b [${'*a,'.repeat(99)}]\nc: [${'*b,'.repeat(99)}]\n`, 1, 'yaml', /alias/],
    [
      `${head.replace('1.0.0', '2.0.0')}actions: [{ target: $ }]\n`,
      1,
      'overlay-form',
      /overlay: must be 1.0.0 or 1.1.0/,
    ],
    [`${head}actions: []\n`, 3, 'overlay-form', /actions: must hold an action/],
    [`${head}actions:\n  - target: paths\n`, 4, 'overlay-form', /actions.0.target: must be a JSONPath/],
    [`${head}actions:\n  - target: $\n    remove: maybe\n`, 5, 'overlay-form', /actions.0.remove/],
  ])('%j in line %i', async (text, line, rule, message) => {
    const file = await written(text);
    const flaw = await flawOf(() => readOverlay(file));
    expect(flaw).toMatchObject({ file, line, rule, message: expect.stringMatching(message) });
  });

  it('a file that is not there', async () => {
    expect(await flawOf(() => readOverlay(join(folder, 'nope.yaml')))).toMatchObject({ rule: 'file' });
  });

  it.each([
    ['  - target: $.paths[\n    update: {}\n', 'overlay-target', /unclosed/],
    ['  - target: $\n    remove: true\n', 'overlay-action', /the root cannot be removed/],
    [
      `  - target: $..[?search(@.long, '^(a+)+$')]\n    update: { a: 1 }\n`,
      'overlay-target',
      /has not ended after 2 s/,
    ],
    ['  - target: $.info.title\n    update: { a: 1 }\n', 'overlay-action', /only an object can be updated/],
  ])('%j in line 4', async (actions, rule, message) => {
    const flaw = await flawOf(() => laid(actions));
    expect(flaw).toMatchObject({ line: 4, rule, message: expect.stringMatching(message) });
  });
});

describe('a reference of an overlay to a file', () => {
  const answer = (schema: string): string =>
    `  - target: $.paths["/a"].get.responses["200"]\n    update: { x-shape: ${schema} }\n`;
  const shapeOf = async (schema: string): Promise<unknown> => (await laid(answer(schema))).paths['/a']?.['get'];

  it('is looked for from the folder of the overlay, with all that the file refers to', async () => {
    await mkdir(join(folder, 'parts'), { recursive: true });
    await writeFile(
      join(folder, 'parts/shapes.yaml'),
      'A: { type: array, items: { $ref: "#/B" } }\nB: { $ref: b.json }\n',
    );
    await writeFile(join(folder, 'parts/b.json'), '{ "type": "string", "$comment": "b" }');
    expect(await shapeOf('{ $ref: "parts/shapes.yaml#/A", title: Letters }')).toMatchObject({
      responses: { 200: { 'x-shape': { type: 'array', title: 'Letters', items: { type: 'string', $comment: 'b' } } } },
    });
    expect(await shapeOf('{ $ref: "#/components/schemas/A" }')).toMatchObject({
      responses: { 200: { 'x-shape': { $ref: '#/components/schemas/A' } } },
    });
  });

  it.each([
    ['{ $ref: nope.yaml }', 'file', /nope\.yaml: cannot be read: there is no such file/],
    ['{ $ref: openapi.yaml }', 'file', /openapi\.yaml: cannot be read/],
    ['{ $ref: "loop.yaml#/a" }', 'overlay-reference', /leads back to itself/],
    ['{ $ref: "loop.yaml#/b" }', 'overlay-reference', /there is nothing at #\/b/],
    ['{ $ref: "http://localhost:9/x.yaml" }', 'overlay-reference', /only files of this machine/],
    ['{ $ref: "doubled.yaml#/S30" }', 'overlay-reference', /has more than 200000 values/],
  ])('%s is refused', async (schema, rule, message) => {
    await writeFile(join(folder, 'loop.yaml'), 'a: { items: { $ref: "#/a" } }\n');
    const doubled = Array.from({ length: 30 }, (_, at) => `S${at + 1}: [{ $ref: "#/S${at}" }, { $ref: "#/S${at}" }]\n`);
    await writeFile(join(folder, 'doubled.yaml'), `S0: a\n${doubled.join('')}`);
    const error: unknown = await laid(answer(schema)).catch((thrown: unknown) => thrown);
    expect([(error as ConfigurationError).flaw?.rule, String(error)]).toEqual([rule, expect.stringMatching(message)]);
  });
});

describe('a pattern of an overlay', () => {
  const withPattern = (pattern: string): string =>
    `  - target: $.components.schemas\n    update:\n      A: { type: string, pattern: '${pattern}' }\n`;
  const warningsOf = async (pattern: string): Promise<SlowPatterns> => {
    const overlay = await readOverlay(await written(`${head}actions:\n${withPattern(pattern)}`));
    const { document: changed, applied } = await applyOverlays(document, [overlay]);
    return slowPatterns(changed, applied);
  };

  it.each(['^(a+)+$', '(a|a)*$', '^(a|aa)+$', '(x+x+)+y'])('%j, which can explode, is found', async (pattern) => {
    const { warnings, patterns } = await warningsOf(pattern);
    expect([...patterns]).toEqual([pattern]);
    expect(warnings).toEqual([
      expect.objectContaining({ file: join(folder, 'o.yaml'), line: 6, rule: 'slow-pattern' }),
    ]);
  });

  it.each(['^[a-z][a-z0-9_]*$', '^\\d{4}-\\d\\d$', '^https?://'])('%j is let alone', async (pattern) => {
    expect(await warningsOf(pattern)).toEqual({ warnings: [], patterns: new Set() });
  });

  it('that is slow refuses a text that takes too long, and no other', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const content = { 'application/json': { schema } };
    const post = { operationId: 'post', requestBody: { content }, responses: { '204': { description: 'Fine.' } } };
    const backend = createBackend({ ...document, paths: { '/p': { post } } }, [], new Set(['^(a+)+$']));
    const operation = backend.operations[0];
    if (operation === undefined) throw new Error('There is no operation.');
    const violations = (a: string): number => backend.bodyViolations(operation, { a }).length;
    const begin = Date.now();
    expect([violations('aaa'), violations('b'), violations(`${'a'.repeat(64)}!`)]).toEqual([0, 1, 1]);
    expect(Date.now() - begin).toBeLessThan(hangMs);
  });
});

describe('a document with an overlay', () => {
  const withBody = (schema: object): DocumentObject => {
    const post = {
      ...{ operationId: 'post', requestBody: { content: { 'application/json': { schema } } } },
      responses: { '204': { description: 'Fine.' } },
    };
    return { ...document, paths: { '/p': { post } } };
  };
  it('checks 20,000 objects for uniqueItems in a short time', () => {
    const described = withBody({ type: 'array', uniqueItems: true });
    const body = Array.from({ length: 20_000 }, (_, a) => ({ a }));
    const backend = createBackend(dereference(described), [], new Set());
    const [operation] = backend.operations;
    if (operation === undefined) throw new Error('There is no operation.');
    const begin = process.cpuUsage().user;
    const violations = backend.bodyViolations(operation, body);
    expect(violations).toEqual([]);
    expect((process.cpuUsage().user - begin) / 1000).toBeLessThan(hangMs);
  });
});

describe('a document of which nothing is broken', () => {
  it('is that of the contract, and one that calls things "schema"', async () => {
    const contract = await readContract(join(root, 'openapi.yaml'));
    expect(schemaViolations(contract)).toEqual([]);
    const named = { in: 'query', name: 'schema', required: true, schema: { type: 'string' } };
    const components = { ...document['components'], parameters: { schema: named } };
    expect(schemaViolations({ ...document, components })).toEqual([]);
  });
});

describe('a document that an overlay has broken says in which line of the overlay:', () => {
  const checked = async (actions: string): Promise<unknown> => {
    const overlay = await readOverlay(await written(`${head}actions:\n${actions}`));
    const { document: changed, applied } = await applyOverlays(document, [overlay]);
    return checkDocument(changed, { file: join(folder, 'document.yaml'), applied });
  };
  const add = (operation: string): string => `  - target: $.paths\n    update:\n      /c:\n        get:\n${operation}`;

  it.each([
    ['  - target: $.tags\n    update: []\n', 5, 'openapi-schema', /tags/],
    [
      add('          operationIdd: getC\n'),
      8,
      'openapi-schema',
      /must NOT have unevaluated properties \(operationIdd\)/,
    ],
    [
      add("          operationId: getC\n          responses: { '200': {} }\n"),
      9,
      'openapi-schema',
      /required property 'description'/,
    ],
    [
      add(
        "          operationId: getC\n          responses:\n            '200':\n              description: x\n              content:\n                application/json:\n                  schema: { $ref: '#/components/schemas/Nope' }\n",
      ),
      14,
      'openapi-reference',
      /Nope/,
    ],
    ...['{ type: strin }', "{ type: string, pattern: '(' }", '{ type: array, items: { minimum: a } }'].map(
      (schema): [string, number, string, RegExp] => [
        add(
          `          operationId: getC\n          responses:\n            '200':\n              description: x\n              content:\n                application/json:\n                  schema: ${schema}\n`,
        ),
        14,
        'schema',
        /schema\/(type|pattern|items\/minimum) must/,
      ],
    ),
    [add('          operationId: getC\n'), 8, 'responses', /has no responses/],
    [add("          responses: { '200': { description: x } }\n"), 8, 'operation-id', /has no operationId/],
    [
      add("          operationId: getA\n          responses: { '200': { description: x } }\n"),
      8,
      'operation-id',
      /"getA" already/,
    ],
    [
      add('          operationId: getC\n          responses: { default: { description: x } }\n'),
      9,
      'status',
      /answers with "default"/,
    ],
  ])('%j in line %i', async (actions, line, rule, message) => {
    const flaw = await flawOf(() => checked(actions));
    expect(flaw).toMatchObject({
      file: join(folder, 'o.yaml'),
      line,
      rule,
      message: expect.stringMatching(message),
    });
    expect(flaw?.remedy).not.toBe('');
  });

  const schemas = (lines: readonly string[]): string =>
    `  - target: $.components.schemas\n    update:\n${lines.map((line) => `      ${line}\n`).join('')}`;
  const named = (name: string): string => `{ $ref: '#/components/schemas/${name}' }`;
  const doubled = Array.from(
    { length: 27 },
    (_, index) => `S${index + 1}: { allOf: [${named(`S${index}`)}, ${named(`S${index}`)}] }`,
  );
  const wide = Array.from({ length: 1001 }, (_, index) => `p${index}: {}`).join(', ');

  it.each<[string, readonly string[], number, RegExp]>([
    ['that doubles with each reference', ['S0: { type: string }', ...doubled], 19, /has more than 50000 values/],
    ['that refers to one that refers to it', [`A: ${named('B')}`, `B: ${named('A')}`], 6, /leads back to itself/],
    ['that applies itself', [`A: { oneOf: [{ not: ${named('A')} }] }`], 6, /leads back to itself/],
    ['with too many members', [`A: { properties: { ${wide} } }`], 6, /has 1001 members/],
    ['whose mock would have a billion items', ['A: { type: array, minItems: 1000000000 }'], 6, /minItems is more than/],
  ])('a schema %s', async (_name, lines, line, message) => {
    const flaw = await flawOf(() => checked(schemas(lines)));
    const rule = 'unbounded';
    expect(flaw).toMatchObject({ file: join(folder, 'o.yaml'), line, rule, message: expect.stringMatching(message) });
  });

  it('but a schema may have itself as a member', async () => {
    await checked(schemas([`A: { type: object, properties: { a: ${named('A')} } }`]));
  });

  it('and one that is broken by itself says in which line of its own file', async () => {
    const file = join(folder, 'document.yaml');
    await writeFile(
      file,
      "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n  /a:\n    get:\n      responses: 7\n",
    );
    const broken = { ...document, paths: { '/a': { get: { responses: 7 } } } } as unknown as DocumentObject; // broken on purpose
    expect(await flawOf(() => checkDocument(broken, { file, applied: [] }))).toMatchObject({
      file,
      line: 6,
      rule: 'openapi-schema',
    });
  });
});
