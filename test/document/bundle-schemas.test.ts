/** The schemas of single bundles in the document that a site serves: what they say, and what a compiler finds with them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { resolveDocument } from '../../src/openapi/openapi-parts.ts';
import { type DocumentObject, partOf, type Part } from '../../src/openapi/openapi-terms.ts';
import { specialise } from '../../src/repository/repository-engine.ts';
import { type Bundle, createModel, type FieldDefinition } from '../../src/repository/repository.ts';
import { withBundleSchemas } from '../../src/repository/document/bundle-schemas.ts';
import { loadSite } from '../support/site-sources.ts';
import { documentChanges } from '../document-diff/document-changes.ts';
import { createTestAtoll, root } from '../support/atoll.ts';
import { complaints } from '../support/document-view.ts';
import { baseUrl, written } from './specialised.ts';

const site = await loadSite(join(root, 'data/site'));
const allBundles = (['node', 'media', 'file', 'taxonomy_term', 'user'] as const).flatMap((type) =>
  site.model.bundles(type),
);
const [object] = site.model.bundles('node');
if (object === undefined) throw new Error('The default site has no node type');

const field = (name: string, traits: Partial<FieldDefinition>): [string, FieldDefinition] => [
  name,
  {
    ...{ name, label: name, type: 'string', cardinality: 1, required: false, configured: true, translatable: false },
    ...traits,
  },
];
const base = [...object.fields].filter(([, { configured }]) => !configured);
const bundle = (id: string, ...fields: readonly [string, FieldDefinition][]): Bundle => ({
  ...object,
  ...{ id, label: id, fields: new Map([...base, ...fields]) },
});

const rights = (allowedValues: Record<string, string>) => field('field_rights', { type: 'list_string', allowedValues });
const page = bundle(
  'page',
  field('field_body', { required: true, maxLength: 40, cardinality: 2 }),
  rights({ open: 'Open', closed: 'Closed' }),
  field('field_level', { type: 'integer', min: -1, max: 9 }),
  field('field_born', { type: 'integer', unsigned: true, required: true, default: [{ value: 1 }] }),
  field('field_author', { type: 'entity_reference', target: { type: 'taxonomy_term', bundles: ['person'] } }),
  field('field_secret', { access: 'private' }),
);
const story = bundle('story', field('field_plot', {}), rights({ open: 'Open', lent: 'Lent' }));

const documentOf = (bundles: readonly Bundle[]): DocumentObject => {
  const model = createModel([...allBundles.filter(({ entityType }) => entityType !== 'node'), ...bundles]);
  return withBundleSchemas(specialise(written, { ...site, model }, baseUrl), model);
};
const document = documentOf([page, story]);
const schemaOf = (name: string, of = document): Part => partOf(of.components['schemas']?.[name]);
const propertyOf = (name: string, property: string): Part => partOf(partOf(schemaOf(name)['properties'])[property]);
const itemsOf = (name: string, property: string): Part => {
  const reference = String(partOf(propertyOf(name, property)['items'])['$ref']);
  return partOf(partOf(schemaOf(reference.replace('#/components/schemas/', ''))['properties'])['value']);
};

describe('The schema of a new record of a bundle', () => {
  it('has the fields of the bundle alone, and asks for the required ones that have no default', () => {
    const { required, properties } = schemaOf('NodePageCreate');
    const own = Object.keys(partOf(properties)).filter((name) => name.startsWith('field_'));
    expect(own.sort()).toEqual([...page.fields.keys()].filter((name) => name.startsWith('field_')).sort());
    expect(required).toEqual(['type', 'title', 'field_body']);
    expect(propertyOf('NodePageCreate', 'field_body')).toMatchObject({ minItems: 1, maxItems: 2 });
  });

  it('names its bundle, the values of a choice, the length and the bounds, and what a reference leads to', () => {
    const { properties } = schemaOf('NodePageTypeInput');
    expect(partOf(properties)['target_id']).toMatchObject({ enum: ['page'] });
    expect(itemsOf('NodePageCreate', 'field_rights')).toMatchObject({ enum: ['open', 'closed'] });
    expect(itemsOf('NodeStoryCreate', 'field_rights')).toMatchObject({ enum: ['open', 'lent'] });
    expect(itemsOf('NodePageCreate', 'field_body')).toMatchObject({ type: 'string', maxLength: 40 });
    expect(itemsOf('NodePageCreate', 'field_level')).toMatchObject({ type: 'integer', minimum: -1, maximum: 9 });
    expect(itemsOf('NodePageCreate', 'field_born')).toMatchObject({ type: 'integer', minimum: 0 });
    expect(propertyOf('NodePageCreate', 'field_author')['x-target']).toEqual({
      type: 'taxonomy_term',
      bundles: ['person'],
    });
  });

  it('shares its shapes with other bundles where they say the same', () => {
    const names = Object.keys(document.components['schemas'] ?? {});
    expect(names).toEqual(expect.arrayContaining(['StringItemUpTo40', 'IntegerItemFromMinus1To9', 'IntegerItemFrom0']));
    expect(schemaOf('NodeFieldRightsChoice')['x-per-bundle']).toBeUndefined();
    expect(schemaOf('NodePageFieldRightsChoice')['x-per-bundle']).toBe(true);
    const alike = documentOf([page, { ...page, id: 'leaf' }]);
    expect(alike.components['schemas']).not.toHaveProperty('NodePageFieldRightsChoice');
  });

  it('has a name that no other schema has in any case of letters', () => {
    const alike = documentOf([bundle('a_b'), bundle('ab'), bundle('record_or')]);
    const names = Object.keys(alike.components['schemas'] ?? {});
    expect(names).toEqual(expect.arrayContaining(['NodeABCreate', 'NodeAb2Create', 'NodeRecordORCreate']));
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  });
});

it('The schema of a new record of any bundle asks for no field that has a default', () => {
  const { required } = schemaOf('NodeCreate', documentOf([page]));
  expect(required).toEqual(expect.arrayContaining(['title', 'field_body']));
  expect(required).not.toContain('field_born');
});

describe('The schema of a record of a bundle', () => {
  it('asks for every field that everybody sees', () => {
    const { required } = schemaOf('NodePageRecord');
    expect(required).toEqual(expect.arrayContaining(['nid', 'field_body', 'field_rights', 'field_author']));
    expect(required).not.toContain('field_secret');
    expect(required).not.toContain('field_plot');
  });

  it('fits every record of its bundle in the starter fixture', async () => {
    const atoll = await createTestAtoll();
    const resolved = await resolveDocument(withBundleSchemas(specialise(written, site, baseUrl), site.model));
    const fitting = new Set<string>();
    for (const [path, kind, bundleField] of [
      ['/node', 'Node', 'type'],
      ['/media', 'Media', 'bundle'],
      ['/taxonomy/term', 'Term', 'vid'],
    ] as const) {
      for (let id = 1; id <= 60; id += 1) {
        const answer = await atoll.send('GET', `${path}/${id}?_format=json`, 'admin');
        if (answer.status !== 200) continue;
        const body = answer.body as Record<string, { target_id: string }[]>; // a record
        const [{ target_id: of } = { target_id: '' }] = body[bundleField] ?? [];
        const name = `${kind}${of.replace(/(^|_)([a-z])/g, (_all, _before, letter: string) => letter.toUpperCase())}Record`;
        expect([path, id, complaints(schemaOf(name, resolved) as never, body)]).toEqual([path, id, []]);
        fitting.add(name);
      }
    }
    expect(fitting.size).toBeGreaterThan(8);
  });
});

describe('The schemas of all bundles', () => {
  it.each(['NodeRecord', 'NodeCreate', 'NodeUpdate'])('say which bundles have a field: %s', (name) => {
    expect(propertyOf(name, 'field_rights')['x-bundles']).toEqual(['page', 'story']);
    expect(propertyOf(name, 'field_plot')['x-bundles']).toEqual(['story']);
    expect(propertyOf(name, 'title')).not.toHaveProperty('x-bundles');
  });

  it('are the only ones that operations refer to', () => {
    const own = Object.entries(document.components['schemas'] ?? {}).filter(
      ([, schema]) => partOf(schema)['x-per-bundle'] === true,
    );
    expect(own.length).toBeGreaterThan(30);
    const used = JSON.stringify(document.paths);
    expect(own.filter(([name]) => used.includes(`/${name}"`))).toEqual([]);
  });

  it('say nothing to a comparison of documents of a field that its bundle speaks of', () => {
    const without = { ...page, fields: new Map([...page.fields].filter(([name]) => name !== 'field_level')) };
    const saidOf = (before: readonly Bundle[], after: readonly Bundle[], name: string): string[] =>
      documentChanges(documentOf(before), documentOf(after))
        .filter(({ place }) => place.startsWith(`.${name}`))
        .map(({ subject, place, change }) => `${subject} ${place} ${change}`);
    expect(saidOf([page, story], [without, story], 'field_level')).toEqual([
      'NodePageCreate .field_level is gone',
      'NodePageRecord .field_level is gone',
    ]);
    expect(saidOf([page, story], [story], 'field_level')).toEqual([
      'NodeCreate .field_level is gone',
      'NodeRecord .field_level is gone',
      'NodeUpdate .field_level is gone',
    ]);
  });
});

it('A field that leads to media in one bundle and is a number in another one has the schemas of both', () => {
  const both = documentOf([
    bundle('page', field('field_x', { type: 'entity_reference', target: { type: 'media', bundles: undefined } })),
    bundle('story', field('field_x', { type: 'decimal' })),
  ]);
  const names = Object.keys(both.components['schemas'] ?? {});
  const used = [...JSON.stringify(both).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
  expect(used).toContain('MediaReference');
  expect(used.filter((name) => !names.some((known) => known === name))).toEqual([]);
});

describe('A compiler with the types of the document', () => {
  let folder: string;
  let types: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atoll-bundle-schemas-'));
    types = astToString(await openapiTypescript(document as never, { arrayLength: true })); // the same shape, by another name
  });
  afterAll(() => rm(folder, { recursive: true }));

  const right = `type: [{ target_id: 'page' }], title: [{ value: 'A page' }], field_body: [{ value: 'one' }]`;
  const objects = [
    ['takes a right object', `${right}, field_rights: [{ value: 'open' }]`, true],
    ['refuses a value that is not allowed', `${right}, field_rights: [{ value: 'lent' }]`, false],
    [
      'refuses an object without a required field',
      `type: [{ target_id: 'page' }], title: [{ value: 'A page' }]`,
      false,
    ],
    ['refuses a field of another bundle', `${right}, field_plot: [{ value: 'thin' }]`, false],
    ['refuses an unknown bundle', right.replace("'page'", "'leaf'"), false],
    ['refuses two values where one is possible', right.replace("'A page' }", "'A page' }, { value: 'Two' }"), false],
  ] as const;

  it('refuses each of five wrong objects, and takes a right one', async () => {
    const file = join(folder, 'objects.ts');
    const lines = objects.map(([, text], index) => `export const o${index}: Page = { ${text} };`);
    const opening = `import type { components } from './types.ts'; type Page = components['schemas']['NodePageCreate'];`;
    await writeFile(join(folder, 'types.ts'), types);
    await writeFile(file, [opening, ...lines].join('\n'));
    const program = ts.createProgram([file], {
      ...{ strict: true, noEmit: true, allowImportingTsExtensions: true, types: [], lib: ['lib.es2022.d.ts'] },
      ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
    });
    const faulty = new Set(
      ts.getPreEmitDiagnostics(program).map(({ file: source, start = 0 }) => {
        if (source?.fileName.endsWith('objects.ts') !== true) throw new Error('The types themselves do not compile.');
        return source.getLineAndCharacterOfPosition(start).line - 1;
      }),
    );
    const found = objects.map(([words], index) => [words, !faulty.has(index)]);
    expect(found).toEqual(objects.map(([words, , isRight]) => [words, isRight]));
  });
});
