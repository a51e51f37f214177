/** What the document of a site says when the site is not the default one. What the server does with it is tested elsewhere. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type Bundle, type FieldDefinition, createModel, type Site } from '../../src/repository/repository.ts';
import { createBackend, specialise } from '../../src/repository/repository-engine.ts';
import { resolveDocument } from '../../src/openapi/openapi-parts.ts';
import type { DocumentObject } from '../../src/openapi/openapi-terms.ts';
import { readDocument } from '../../src/server/server-application.ts';
import { loadSite } from '../support/site-sources.ts';
import { otherFields } from '../content/other-sites.ts';
import { root } from '../support/atoll.ts';
import { complaints, type Document, examplesOf, locate, type Operation } from '../support/document-view.ts';
import { baseUrl, documentOf, written } from './specialised.ts';
import { everything, type MethodConfiguration, type Methods, type Resource } from '../support/site-resources.ts';

const site = await loadSite(join(root, 'data/site'));

const folder = await mkdtemp(join(tmpdir(), 'atoll-specialise-'));
afterAll(() => rm(folder, { recursive: true }));

const operationOf = (document: Document, id: string): Operation => {
  const found = locate(document).find(({ operation }) => operation.operationId === id);
  if (found === undefined) throw new Error(`The document has no operation ${id}`);
  return found.operation;
};
const idsOf = (document: Document): string[] => locate(document).map(({ operation }) => operation.operationId);
const formatsOf = (operation: Operation): unknown =>
  operation.parameters?.find(({ name }) => name === '_format')?.schema?.['enum'];
const mediaTypesOf = (operation: Operation): string[] => [
  ...new Set(Object.values(operation.responses).flatMap(({ content = {} }) => Object.keys(content))),
];

const withResource = (name: Resource['name'], methods: Methods): Site => ({
  ...site,
  resources: new Map([...site.resources, [name, { name, methods: new Map(Object.entries(methods) as never) }]]), // the keys are methods
});

const bundleOf = (type: 'node' | 'media' | 'taxonomy_term', id: string): Bundle => {
  const bundle = site.model.bundle(type, id);
  if (bundle === undefined) throw new Error(`The default site has no ${type} ${id}`);
  return bundle;
};
const allBundles = (['node', 'media', 'file', 'taxonomy_term', 'user'] as const).flatMap((type) =>
  site.model.bundles(type),
);
const withBundles = (bundles: readonly Bundle[]): Site => ({ ...site, model: createModel(bundles) });
const replaced = (bundle: Bundle): readonly Bundle[] =>
  allBundles.map((each) => (each.entityType === bundle.entityType && each.id === bundle.id ? bundle : each));
const field = (name: string, traits: Partial<FieldDefinition>): FieldDefinition => ({
  name,
  label: name,
  type: 'string',
  cardinality: 1,
  required: false,
  configured: true,
  translatable: false,
  ...traits,
});
const withField = (bundle: Bundle, ...added: FieldDefinition[]): Bundle => ({
  ...bundle,
  fields: new Map([...bundle.fields, ...added.map((each): [string, FieldDefinition] => [each.name, each])]),
});
const withoutField = (bundle: Bundle, name: string): Bundle => ({
  ...bundle,
  fields: new Map([...bundle.fields].filter(([each]) => each !== name)),
});

type RecordSchema = { readonly required: string[]; readonly properties: Record<string, unknown> };
/** A record schema with its references. */
const recordOf = (document: DocumentObject, name: string): RecordSchema =>
  document.components['schemas']?.[name] as RecordSchema; // the schemas asked for have both
const listOf = (schema: string, maxItems?: number): object => ({
  type: 'array',
  ...(maxItems === undefined ? {} : { maxItems }),
  items: { $ref: `#/components/schemas/${schema}` },
});
const linksOf = (document: Document, id: string, status: string): object =>
  (operationOf(document, id).responses[status] as { links?: object }).links ?? {}; // the view knows no links
const exampleNames = (document: Document, id: string, status: string): string[] =>
  examplesOf(operationOf(document, id).responses[status]?.content?.['application/json'] ?? {}).map(([name]) => name);

describe('The document of the default site', () => {
  it('is openapi.yaml, unchanged', () => {
    expect(specialise(written, site, baseUrl)).toEqual(written);
  });

  it('is made without changing what it is made from', () => {
    const before = structuredClone(written);
    specialise(written, withBundles([]), 'https://elsewhere.example');
    expect(written).toEqual(before);
  });

  it('names the server that it describes', () => {
    expect(specialise(written, site, 'https://elsewhere.example/repository').servers).toEqual([
      { url: 'https://elsewhere.example/repository' },
    ]);
  });
});

describe('A resource of the site', () => {
  it('has no operation for a method that is off, and GET takes HEAD with it', async () => {
    const rest = { PATCH: everything, DELETE: everything };
    const document = await documentOf(withResource('media', rest));
    expect(idsOf(document)).not.toEqual(expect.arrayContaining(['getMedia']));
    expect(idsOf(document)).not.toEqual(expect.arrayContaining(['headMedia']));
    expect(idsOf(document)).toEqual(expect.arrayContaining(['updateMedia', 'deleteMedia', 'putMediaSource']));
  });

  it('has no path when none of its methods is on', async () => {
    const document = await documentOf(withResource('taxonomy_term', {}));
    expect(Object.keys(document.paths)).not.toContain('/taxonomy/term/{term_id}');
    expect(Object.keys(document.paths)).toContain('/node/{node_id}');
  });

  it('loses the links of a response that lead to an operation it does not have', async () => {
    const document = await documentOf(withResource('node', { POST: everything }));
    expect(operationOf(document, 'createNode').responses['201']).not.toHaveProperty('links');
    expect(document.components['links']).not.toHaveProperty('CreatedNode');
    expect(document.components['links']).toHaveProperty('NodeMedia');
    const whole = await documentOf(site);
    expect(Object.keys(linksOf(whole, 'createNode', '201'))).toEqual(['node', 'change', 'removal', 'linkset']);
    const jsonldOnly = withResource('node', { GET: { ...everything, formats: ['jsonld'] }, POST: everything });
    expect(Object.keys(linksOf(await documentOf(jsonldOnly), 'createNode', '201'))).toEqual(['linkset']);
  });

  it('speaks only the formats that are on: no JSON-LD, and the 406 lists JSON alone', async () => {
    const document = await documentOf(withResource('node', { GET: { ...everything, formats: ['json'] } }));
    const getNode = operationOf(document, 'getNode');
    expect(formatsOf(getNode)).toEqual(['json']);
    expect(formatsOf(operationOf(document, 'headNode'))).toEqual(['json']);
    expect(mediaTypesOf(getNode)).toEqual(['application/json']);
    expect(examplesOf(getNode.responses['406']?.content?.['application/json'] ?? {})).toContainEqual([
      'formatMissing',
      { message: 'No route found for the specified format html. Supported formats: json.' },
    ]);
    expect(mediaTypesOf(operationOf(document, 'getMedia'))).toContain('application/ld+json');
  });

  it('lists its formats in the order of the configuration', async () => {
    const document = await documentOf(withResource('file', { GET: { ...everything, formats: ['json', 'jsonld'] } }));
    const getFile = operationOf(document, 'getFile');
    expect(formatsOf(getFile)).toEqual(['json', 'jsonld']);
    expect(examplesOf(getFile.responses['406']?.content?.['application/json'] ?? {})).toContainEqual([
      'formatMissing',
      { message: 'No route found for the specified format html. Supported formats: json, jsonld.' },
    ]);
  });

  it('read as JSON-LD alone keeps JSON for its refusals', async () => {
    const document = await documentOf(withResource('node', { GET: { ...everything, formats: ['jsonld'] } }));
    const { parameters, responses } = operationOf(document, 'getNode');
    expect(parameters?.find(({ name }) => name === '_format')?.example).toBe('jsonld');
    expect(Object.keys(responses['200']?.content ?? {})).toEqual(['application/ld+json']);
    for (const status of ['403', '404', '406', '503']) {
      expect(responses[status]?.content).toHaveProperty(['application/json']);
    }
  });

  it('is refused when nothing it enables can be answered', () => {
    const jsonldOnly = withResource('node', { POST: { ...everything, formats: ['jsonld'] } });
    expect(() => specialise(written, jsonldOnly, baseUrl)).toThrow(/node POST: .*jsonld.* Add json\./);
  });

  it('accepts only the providers that are on, and challenges nobody without basic authentication', async () => {
    const methods = { GET: everything, DELETE: everything, PATCH: everything };
    const cookieOnly = await documentOf(
      withResource('node', { ...methods, GET: { ...everything, providers: ['cookie'] } }),
    );
    expect(operationOf(cookieOnly, 'getNode').security).toEqual([{ cookie: [] }, {}]);
    expect(operationOf(cookieOnly, 'getNode').responses).not.toHaveProperty('401');
    expect(operationOf(cookieOnly, 'headNode').responses).not.toHaveProperty('401');
    expect(operationOf(cookieOnly, 'updateNode').responses).toHaveProperty('401');

    const twoProviders: MethodConfiguration = { ...everything, providers: ['jwt_auth', 'basic_auth'] };
    const ordered = await documentOf(withResource('node', { ...methods, DELETE: twoProviders }));
    expect(operationOf(ordered, 'deleteNode').security).toEqual([{ basic_auth: [] }, { jwt_auth: [] }]);
    expect(operationOf(ordered, 'deleteNode').responses).toHaveProperty('401');
  });

  it('may be configured as a whole, in a file of granularity "resource"', async () => {
    const copy = join(folder, 'whole');
    await cp(join(root, 'data/site'), copy, { recursive: true });
    await writeFile(
      join(copy, 'resources/entity.media.yml'),
      'resource: media\ngranularity: resource\nconfiguration: { methods: [GET], formats: [json], authentication: [jwt_auth] }\n',
    );
    const document = await documentOf(await loadSite(copy));
    expect(idsOf(document).filter((id) => /^(get|head|create|update|delete)Media(?!Type)/.test(id))).toEqual(
      ['Media', 'MediaLinkset', 'MediaByEditPath'].flatMap((name) => [`get${name}`, `head${name}`]),
    );
    expect(operationOf(document, 'getMedia').security).toEqual([{ jwt_auth: [] }, {}]);
    expect(formatsOf(operationOf(document, 'getMedia'))).toEqual(['json']);
  });
});

describe('What lies beyond the contract', () => {
  const operations: readonly (readonly [keyof Site['beyond'], readonly string[]])[] = [
    ['file_upload', ['uploadFile']],
    ['term_lookup', ['getTermFromUri', 'headTermFromUri', 'getTermFromTermName', 'headTermFromTermName']],
    ['node_lists', ['listNodeMedia', 'headNodeMedia', 'listNodeMembers', 'headNodeMembers']],
    [
      'media_edit_alias',
      ['getMediaByEditPath', 'headMediaByEditPath', 'updateMediaByEditPath', 'deleteMediaByEditPath'],
    ],
    ['session_token_alias', ['getRestSessionToken', 'headRestSessionToken', 'postRestSessionToken']],
    [
      'workbench_integration',
      ['Version', 'CoreVersion', 'FileHash', 'FormDisplay', 'FieldConfig', 'FieldStorageConfig'].flatMap((kind) => [
        `getWorkbench${kind}`,
        `headWorkbench${kind}`,
      ]),
    ],
    ['token_keys', ['getTokenKeys', 'headTokenKeys']],
  ];

  it.each(operations)('is gone where %s is off, and nothing else is', async (name, gone) => {
    const whole = idsOf(await documentOf(site));
    const less = idsOf(await documentOf({ ...site, beyond: { ...site.beyond, [name]: false } }));
    expect(whole.filter((id) => !less.includes(id)).sort()).toEqual([...gone].sort());
  });

  it('takes the providers of an upload for a field from its resource, where the site has one', async () => {
    const basicOnly: MethodConfiguration = { formats: ['json'], providers: ['basic_auth'] };
    const security = async (changed: Site) => operationOf(await documentOf(changed), 'uploadFile').security;
    expect(await security(site)).toEqual([{ basic_auth: [] }, { jwt_auth: [] }, { cookie: [], csrf: [] }]);
    expect(await security(withResource('file_upload', { POST: basicOnly }))).toEqual([{ basic_auth: [] }]);
  });

  it('has examples of bundles and fields that the site has', async () => {
    const starter = await loadSite(join(root, 'data/sites/starter-site'));
    const video = starter.model.bundles('media').filter(({ id }) => id === 'video');
    const { components } = specialise(written, withBundles(video), baseUrl);
    const exampleOf = (name: string): unknown => (components['parameters']?.[name] as { example?: unknown }).example;
    expect(['FormDisplayId', 'FieldConfigId', 'FieldStorageConfigId', 'MediaTypeId'].map(exampleOf)).toEqual([
      ...['media.video.default', 'media.video.field_file_size', 'media.field_file_size', 'video'],
    ]);
    expect(['ModelEntityType', 'ModelBundle', 'ModelFieldName'].map(exampleOf)).toEqual([
      ...['media', 'video', 'field_file_size'],
    ]);
  });

  it('goes with the method of its resource', async () => {
    const gone = async (name: Resource['name']): Promise<string[]> => {
      const less = idsOf(await documentOf(withResource(name, { GET: everything })));
      return idsOf(await documentOf(site)).filter((id) => !less.includes(id));
    };
    expect(await gone('taxonomy_term')).toEqual(['updateTerm', 'deleteTerm', 'createTerm']);
    expect(await gone('media')).toEqual(
      expect.arrayContaining(['createMedia', 'updateMediaByEditPath', 'deleteMediaByEditPath']),
    );
  });

  it('shows no list of records that the site does not have', async () => {
    const image = bundleOf('media', 'image');
    const document = await documentOf(
      withBundles(replaced(withField(image, field('field_width', { type: 'string' })))),
    );
    expect(operationOf(document, 'listNodeMedia').responses['200']?.content?.['application/json']).not.toHaveProperty(
      'examples',
    );
  });
});

describe('The storages of the site', () => {
  it('put content under their prefixes', async () => {
    const storages = [
      { scheme: 'store', prefix: '/content/closed', access: 'guarded' },
      { scheme: 'public', prefix: '/content/open', access: 'open' },
    ] as const;
    const document = await documentOf({ ...site, storages, defaultScheme: 'public' });
    expect(document.paths['/content/open/{path}']?.get?.operationId).toBe('getPublicContent');
    expect(document.paths['/content/closed/{path}']?.get?.operationId).toBe('getExternalContent');
    expect(document.paths['/content/closed/{path}']).toHaveProperty('x-multi-segment', true);
    expect(Object.keys(document.paths).filter((path) => /files|flysystem/.test(path))).toEqual([]);
  });

  it('may not lie where records do', () => {
    const storages = [{ scheme: 'public', prefix: '/node', access: 'open' }] as const;
    expect(() => specialise(written, { ...site, storages }, baseUrl)).toThrow(
      /storages\.public\.prefix: "\/node" is where \/node\/\{node_id\} lies\. Choose another prefix\./,
    );
  });

  it('take the path of a kind with them that there is not', async () => {
    const document = await documentOf({ ...site, storages: site.storages.filter(({ access }) => access === 'open') });
    expect(idsOf(document)).toContain('getPublicContent');
    expect(idsOf(document)).not.toContain('getExternalContent');
  });
});

describe('The bundles of the site', () => {
  const object = bundleOf('node', 'islandora_object');
  const newFields = [
    field('field_web_page', { type: 'link', cardinality: 3 }),
    field('field_abstract', { type: 'text_long' }),
    field('field_shown_in', { type: 'entity_reference', target: { type: 'media' }, cardinality: Infinity }),
    field('field_transcript', { type: 'file', target: { type: 'file' } }),
  ];

  it('give the record schemas the members of a new bundle, which only some nodes have', async () => {
    const page: Bundle = { ...object, id: 'page', label: 'Page', fields: withField(object, ...newFields).fields };
    const changed = withBundles([...allBundles, page]);
    await documentOf(changed);
    const document = specialise(written, changed, baseUrl);
    const [node, update] = [recordOf(document, 'NodeRecord'), recordOf(document, 'NodeUpdate')];
    expect(Object.keys(node.properties).slice(-4)).toEqual(newFields.map(({ name }) => name).sort());
    expect(node.properties).toMatchObject({
      field_abstract: listOf('TextItem', 1),
      field_shown_in: listOf('MediaReference'),
      field_transcript: listOf('FileReference', 1),
      field_web_page: listOf('LinkItem', 3),
    });
    expect(update.properties).toMatchObject({
      field_abstract: listOf('TextInput', 1),
      field_shown_in: listOf('ReferenceInput'),
      field_transcript: listOf('FileReferenceInput', 1),
      field_web_page: listOf('LinkInput', 3),
    });
    expect(node.required).toEqual(recordOf(written, 'NodeRecord').required);
    expect(node.properties['field_pid']).toBe(recordOf(written, 'NodeRecord').properties['field_pid']);
  });

  it('require a new member of every node when every node type has it, and drop the records that lack it', async () => {
    const changed = withBundles(replaced(withField(object, field('field_abstract', { required: true }))));
    const document = await documentOf(changed);
    const references = specialise(written, changed, baseUrl);
    expect(recordOf(references, 'NodeRecord').required).toContain('field_abstract');
    expect(recordOf(references, 'NodeCreate').required).toEqual(['type', 'title', 'field_model', 'field_abstract']);
    expect(recordOf(references, 'NodeUpdate').properties['field_abstract']).toMatchObject({ minItems: 1, maxItems: 1 });
    expect(exampleNames(document, 'getNode', '200')).toEqual([]);
    expect(operationOf(document, 'createNode').requestBody?.content['application/json']).not.toHaveProperty('examples');
    expect(references.components['examples']).not.toHaveProperty('NodeImageObject');
    const patch = operationOf(document, 'updateNode').requestBody?.content['application/json'];
    expect(examplesOf(patch ?? {}).map(([name]) => name)).toContain('nodeTitleRequest');
    expect(exampleNames(document, 'getMedia', '200')).toHaveLength(3);
  });

  it('shape the mocks of records that have no example left', async () => {
    const changed = withBundles(replaced(withField(object, ...newFields)));
    const resolved = await resolveDocument(specialise(written, changed, baseUrl));
    const backend = createBackend(resolved, []);
    const getNode = backend.operations.find(({ id }) => id === 'getNode');
    if (getNode === undefined) throw new Error('The document has no operation getNode');
    const { status, body } = await backend.mock(getNode, {});
    expect(status).toBe(200);
    expect(Object.keys(body ?? {})).toEqual(expect.arrayContaining(newFields.map(({ name }) => name)));
    expect(complaints(recordOf(resolved, 'NodeRecord'), body)).toEqual([]);
  });

  it('take the members with them of a field that is gone, and the examples that show it', async () => {
    const changed = withBundles(replaced(withoutField(object, 'field_member_of')));
    const document = await documentOf(changed);
    const references = specialise(written, changed, baseUrl);
    for (const name of ['NodeRecord', 'NodeUpdate']) {
      expect(recordOf(references, name).properties).not.toHaveProperty('field_member_of');
    }
    expect(recordOf(references, 'NodeRecord').required).not.toContain('field_member_of');
    expect(exampleNames(document, 'getNode', '200')).toEqual([]);
    const patch = operationOf(document, 'updateNode').requestBody?.content['application/json'];
    expect(examplesOf(patch ?? {}).map(([name]) => name)).toEqual(['nodeTitleRequest', 'nodeModelRequest']);
    expect(Object.keys(references.components['examples'] ?? {})).not.toContain('NodeMemberRequest');
    expect(Object.keys(references.components['examples'] ?? {})).toContain('NodeTitleRequest');
  });

  it('give a member the widest of its cardinalities, and every shape that its bundles use', async () => {
    const page = { ...object, id: 'page', fields: new Map([['field_pid', field('field_pid', { cardinality: 4 })]]) };
    const other = { ...object, id: 'other', fields: new Map([['field_pid', field('field_pid', { type: 'edtf' })]]) };
    const changed = withBundles([...allBundles, page, other]);
    await documentOf(changed);
    const document = specialise(written, changed, baseUrl);
    expect(recordOf(document, 'NodeRecord').properties['field_pid']).toMatchObject(listOf('StringItemOrEdtfItem', 4));
    expect(document.components['schemas']?.['StringItemOrEdtfItem']).toMatchObject({
      properties: { value: { type: 'string', description: 'The text. Or: The date.' } },
    });
  });

  it('name the languages of the site, of which another one is refused', async () => {
    const document = specialise(written, { ...site, languages: ['de', 'rm'] }, baseUrl);
    expect(document.components['schemas']?.['LanguageItem']).toMatchObject({
      properties: { value: { enum: ['de', 'rm', 'und', 'zxx'], examples: ['de', 'und'] } },
    });
  });

  it('name the shapes of a field that refers to different things, and those in turn', async () => {
    const shown = (type: 'media' | 'node'): FieldDefinition =>
      field('field_shown', { type: 'entity_reference', target: { type } });
    const page: Bundle = { ...object, id: 'page', fields: new Map([['field_shown', shown('media')]]) };
    const changed = withBundles([...replaced(withField(object, shown('node'))), page]);
    await documentOf(changed);
    const document = specialise(written, changed, baseUrl);
    expect(recordOf(document, 'NodeRecord').properties['field_shown']).toMatchObject(
      listOf('NodeReferenceOrMediaReference', 1),
    );
    expect(document.components['schemas']?.['NodeReferenceOrMediaReference']).toMatchObject({
      properties: { target_type: { enum: ['node', 'media'] } },
    });
    expect(recordOf(document, 'NodeUpdate').properties['field_shown']).toMatchObject(listOf('ReferenceInput', 1));
  });

  it('name the values to choose from, and tell what people are told of a field', async () => {
    const rights = field('field_or_rights', {
      type: 'list_string',
      allowedValues: { a: 'Open', b: 'b' },
      default: [{ value: 'c' }],
    });
    const level = field('field_level', { type: 'list_integer', allowedValues: { 1: 'Low' }, description: 'How high.' });
    const count = field('field_count', { type: 'integer', min: 1, max: 9 });
    const born = field('field_born', { type: 'datetime', dateOnly: true });
    const document = await documentOf(withBundles(replaced(withField(object, rights, level, count, born))));
    const references = specialise(
      written,
      withBundles(replaced(withField(object, rights, level, count, born))),
      baseUrl,
    );
    const { properties } = recordOf(references, 'NodeRecord');
    expect(properties['field_or_rights']).toMatchObject(listOf('NodeFieldORRightsChoice', 1));
    expect(document.components['schemas']['NodeFieldORRightsChoice']).toMatchObject({
      description: 'One of `a` (Open), `b`.',
      properties: { value: { type: 'string', enum: ['a', 'b', 'c'] } },
    });
    expect(properties['field_level']).toMatchObject({ description: 'field_level. How high.' });
    expect(recordOf(references, 'NodeFieldLevelChoice').properties['value']).toMatchObject({
      type: 'integer',
      enum: [1],
    });
    expect(properties['field_count']).toMatchObject({ description: expect.stringContaining('At least 1. At most 9.') });
    expect(properties['field_born']).toMatchObject(listOf('DayItem', 1));
  });

  it('have a schema for each type of field, whose mocks fit', async () => {
    const changed = withBundles(replaced(withField(object, ...otherFields)));
    const resolved = await resolveDocument(specialise(written, changed, baseUrl));
    const backend = createBackend(resolved, []);
    const getNode = backend.operations.find(({ id }) => id === 'getNode');
    if (getNode === undefined) throw new Error('The document has no operation getNode');
    const { body } = await backend.mock(getNode, {});
    expect(Object.keys(body ?? {})).toEqual(expect.arrayContaining(otherFields.map(({ name }) => name)));
    expect(complaints(recordOf(resolved, 'NodeRecord'), body)).toEqual([]);
    const headers = { Link: '</node/1>' };
    const reply = { status: 200, mediaType: 'application/json', headers, body };
    expect(backend.replyViolations(getNode, reply)).toEqual([]);
  });

  it('are listed where a record says its own', async () => {
    const typesIn = (document: DocumentObject, name: string): unknown =>
      (recordOf(document, name).properties['target_id'] as { enum?: unknown }).enum; // a reference has one
    const scan: Bundle = { ...bundleOf('media', 'image'), id: 'scan', label: 'Scan' };
    const changed = withBundles([...allBundles.filter(({ id }) => id !== 'image'), scan]);
    const document = specialise(written, changed, baseUrl);
    expect(typesIn(document, 'MediaTypeReference')).toEqual(['audio', 'file', 'scan', 'video']);
    expect(document.components['schemas']?.['NodeTypeReference']).toBe(
      written.components['schemas']?.['NodeTypeReference'],
    );
    // Images are no media of this site: their examples are gone, those of sounds stay.
    expect(exampleNames(await documentOf(changed), 'getMedia', '200')).toEqual(['mediaAudio']);
    expect(typesIn(specialise(written, withBundles([]), baseUrl), 'NodeTypeReference')).toBeUndefined();
  });

  it('are the media types that an upload may name', async () => {
    const scan: Bundle = { ...bundleOf('media', 'image'), id: 'scan', label: 'Scan' };
    const document = await documentOf(withBundles([...allBundles.filter(({ id }) => id !== 'video'), scan]));
    const upload = document.paths['/node/{node_id}/media/{media_type}/{media_use_term_id}'];
    const mediaType = upload?.parameters?.find(({ name }) => name === 'media_type');
    expect(mediaType).toMatchObject({ schema: { pattern: '^(audio|file|image|scan)$' }, example: 'file' });
    const only = await documentOf(withBundles([scan]));
    const named = only.paths['/node/{node_id}/media/{media_type}/{media_use_term_id}']?.parameters;
    expect(named?.find(({ name }) => name === 'media_type')).toMatchObject({
      schema: { pattern: '^(scan)$' },
      example: 'scan',
    });
    expect(recordOf(specialise(written, withBundles([scan]), baseUrl), 'MediaRecord').required).toContain(
      'field_width',
    );
  });

  it('give terms the fields of their vocabularies', async () => {
    const subject = withField(bundleOf('taxonomy_term', 'subject'), field('field_note', { type: 'string_long' }));
    const changed = withBundles(replaced(subject));
    await documentOf(changed);
    const term = recordOf(specialise(written, changed, baseUrl), 'TermRecord');
    expect(term.properties['field_note']).toMatchObject(listOf('StringItem', 1));
    expect(term.required).not.toContain('field_note');
  });
});

describe('A document file', () => {
  it('is refused by name when it is no YAML', async () => {
    const file = join(folder, 'broken.yaml');
    await writeFile(file, `${await readFile(join(root, 'openapi.yaml'), 'utf8')}\n  - [`);
    await expect(readDocument(file)).rejects.toThrow(/broken\.yaml: cannot be read as YAML/);
  });
});
