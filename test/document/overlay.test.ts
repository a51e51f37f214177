/** Overlays: what they change in a document, and where they say that they are broken. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkDocument } from '../../src/document/check-document.ts';
import { schemaViolations } from '../../src/document/schema-violations.ts';
import type { DocumentObject } from '../../src/document/document.ts';
import { applyOverlays, readOverlay } from '../../src/document/overlay.ts';
import { ConfigurationError, type Flaw } from '../../src/site/read-yaml.ts';
import { root } from '../support/atoll.ts';
import { parse } from 'yaml';

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
    [`${head.replace('1.0.0', '2.0.0')}actions: [{ target: $ }]\n`, 1, 'overlay-form', /overlay: must be 1.0.0/],
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
    ['  - target: $.info.title\n    update: { a: 1 }\n', 'overlay-action', /only an object can be updated/],
  ])('%j in line 4', async (actions, rule, message) => {
    const flaw = await flawOf(() => laid(actions));
    expect(flaw).toMatchObject({ line: 4, rule, message: expect.stringMatching(message) });
  });
});

describe('a document of which nothing is broken', () => {
  it('is that of the contract, and one that calls things "schema"', async () => {
    const contract = parse(await readFile(join(root, 'openapi.yaml'), 'utf8')) as DocumentObject; // our own file
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
