/** What was exported is served as it was exported, with what the site's files say otherwise since. The real system answered the same. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { loadSite } from '../support/site-sources.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { runHere } from '../support/command.ts';
import { fieldObjects, smallSite } from '../drupal/imported.ts';
import { writeObjects } from '../drupal/written-folder.ts';
import type { Objects } from '../drupal/exported-site.ts';

jest.setTimeout(60_000);

const modelResources = [
  ...['entity_form_display', 'field_config', 'field_storage_config'],
  ...['media_type', 'node_type', 'taxonomy_vocabulary'],
];

const resources: Objects = Object.fromEntries(
  modelResources.map((name) => [
    `rest.resource.entity.${name}`,
    {
      ...{ id: `entity.${name}`, plugin_id: `entity:${name}`, granularity: 'resource' },
      configuration: { methods: ['GET'], formats: ['json'], authentication: ['basic_auth'] },
    },
  ]),
);

const uuid = (end: number): string => `11111111-2222-4333-8444-5555555555${end}`;
const form = {
  ...{ uuid: uuid(10), langcode: 'en', status: true },
  dependencies: { config: ['field.field.node.ledger.field_shelf', 'node.type.ledger'], module: ['field_group'] },
  third_party_settings: { field_group: { group_place: { children: ['field_shelf'], weight: 2 } } },
  ...{ id: 'node.ledger.default', targetEntityType: 'node', bundle: 'ledger', mode: 'default' },
  content: {
    title: { type: 'string_textfield', weight: 7, region: 'content', settings: { size: 60 }, third_party_settings: {} },
    field_shelf: { type: 'string_textarea', weight: 3, region: 'content', settings: {}, third_party_settings: {} },
    translation: { weight: 10, region: 'content' },
  },
  hidden: { promote: true },
};
const storage = {
  ...{ uuid: uuid(11), langcode: 'en', status: true, dependencies: { module: ['field_permissions', 'node'] } },
  third_party_settings: { field_permissions: { permission_type: 'public' } },
  ...{ settings: { max_length: 40, case_sensitive: false, is_ascii: false }, module: 'core', locked: false },
  ...{ translatable: true, indexes: { value: ['value'] }, persist_with_no_fields: true, custom_storage: false },
};
const instance = {
  ...{ uuid: uuid(12), langcode: 'en', status: true, label: 'Shelf', description: '', default_value_callback: '' },
  dependencies: { config: ['field.storage.node.field_shelf', 'node.type.ledger'], module: ['content_translation'] },
  third_party_settings: { content_translation: { translation_sync: {} } },
};
const comments = { ...{ id: 'comment.comment_body', entity_type: 'comment', field_name: 'comment_body' }, ...storage };

const config: Objects = {
  ...smallSite,
  ...resources,
  ...fieldObjects('node', 'ledger', 'field_shelf', 'string', { storage, instance }),
  'node.type.ledger': {
    ...{ uuid: uuid(13), langcode: 'en', status: true, dependencies: {}, name: 'Ledger', type: 'ledger' },
    ...{ description: null, help: null, new_revision: true, preview_mode: 0, display_submitted: false },
    _core: { default_config_hash: 'secret' },
  },
  'core.entity_form_display.node.ledger.default': form,
  'core.entity_form_display.media.scan.media_library': {
    ...{ uuid: uuid(14), langcode: 'en', status: true, dependencies: {}, id: 'media.scan.media_library' },
    ...{ targetEntityType: 'media', bundle: 'scan', mode: 'media_library', content: {}, hidden: { path: true } },
  },
  'field.storage.comment.comment_body': { ...comments, type: 'text_long', cardinality: 1 },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-exported-'));
});
afterAll(() => rm(folder, { recursive: true }));

const site = (): string => join(folder, 'site');
const serve = async (): Promise<TestAtoll> => {
  const loaded = await loadSite(site());
  return createTestAtoll({ site: () => loaded, fixture: 'sample:2' });
};
const read = async (atoll: TestAtoll, path: string): Promise<{ body: unknown; links: unknown }> => {
  const answer = await atoll.send('GET', `/entity/${path}?_format=json`, 'admin');
  expect({ path, status: answer.status }).toEqual({ path, status: 200 });
  return { body: answer.body, links: answer.headers['link'] };
};

/** An empty map is a list over REST. */
const asAnswered = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_name, each: unknown) =>
    typeof each === 'object' && each !== null && Object.keys(each).length === 0 ? [] : each,
  ) as unknown;

describe('A configuration that was imported', () => {
  let atoll: TestAtoll;
  beforeAll(async () => {
    await writeObjects(join(folder, 'config'), config);
    expect((await runHere(['site', 'import', join(folder, 'config'), '--out', site()])).error).toBe('');
    atoll = await serve();
  });

  it.each([
    ['the form display', 'entity_form_display/node.ledger.default', form],
    [
      'the form display without widgets',
      'entity_form_display/media.scan.media_library',
      config['core.entity_form_display.media.scan.media_library'],
    ],
    ['the field', 'field_config/node.ledger.field_shelf', config['field.field.node.ledger.field_shelf']],
    ['the storage', 'field_storage_config/node.field_shelf', config['field.storage.node.field_shelf']],
    [
      'the storage of a type that is not served',
      'field_storage_config/comment.comment_body',
      config['field.storage.comment.comment_body'],
    ],
  ])('answers %s with 200 as it was exported', async (_what, path, exported) => {
    expect((await read(atoll, path)).body).toEqual(asAnswered(exported));
  });

  it('answers a content type with 200 without what is only for the platform', async () => {
    const { _core, ...exported } = config['node.type.ledger'] as { readonly _core: object };
    expect((await read(atoll, 'node_type/ledger')).body).toEqual(asAnswered(exported));
    expect(_core).toBeDefined();
  });

  it('is one line for each object', async () => {
    const lines = (await readFile(join(site(), 'exported.yml'), 'utf8')).trimEnd().split('\n');
    expect(lines[1]).toBe('objects:');
    expect(lines.slice(2).every((line) => line.startsWith('  - {"object":"'))).toBe(true);
    expect(lines.join()).not.toContain('secret');
  });

  it('has on top what the files of the site say otherwise', async () => {
    const file = join(site(), 'bundles/node.ledger.yml');
    const text = await readFile(file, 'utf8');
    const changed = text
      .replace(/label: Shelf/, 'label: Rack, required: true')
      .replace(/\nfields:/, '\nfields:\n  field_row: { label: Row, type: string }');
    await writeFile(file, changed);
    const later = await serve();
    const { body: field } = await read(later, 'field_config/node.ledger.field_shelf');
    expect(field).toMatchObject({ label: 'Rack', required: true, uuid: uuid(12) });
    const { body } = await read(later, 'entity_form_display/node.ledger.default');
    expect(body).toMatchObject({
      content: { ...(asAnswered(form.content) as object), field_row: { type: 'string_textfield' } },
      hidden: { promote: true },
    });
  });

  it('makes what it did not export', async () => {
    const { body } = await read(atoll, 'media_type/scan');
    expect(body).toMatchObject({ ...{ id: 'scan', source: 'image' }, field_map: { name: 'name' } });
  });
});

describe('The links of configuration', () => {
  const relation = (name: string): string => `https://drupal.org/link-relations/${name}`;
  it.each([
    ['field_storage_config/node.field_model', { collection: 'reports/fields' }],
    [
      'media_type/image',
      {
        [relation('add-form')]: 'structure/media/add',
        'edit-form': 'structure/media/manage/image',
        [relation('delete-form')]: 'structure/media/manage/image/delete',
        [relation('permissions')]: 'structure/media/manage/image/permissions',
        collection: 'structure/media',
      },
    ],
    [
      'node_type/islandora_object',
      {
        'edit-form': 'structure/types/manage/islandora_object',
        [relation('delete-form')]: 'structure/types/manage/islandora_object/delete',
        [relation('permissions')]: 'structure/types/manage/islandora_object/permissions',
        collection: 'structure/types',
      },
    ],
    [
      'taxonomy_vocabulary/person',
      {
        [relation('add-form')]: 'structure/taxonomy/add',
        [relation('delete-form')]: 'structure/taxonomy/manage/person/delete',
        [relation('reset-form')]: 'structure/taxonomy/manage/person/reset',
        [relation('overview-form')]: 'structure/taxonomy/manage/person/overview',
        'edit-form': 'structure/taxonomy/manage/person',
        [relation('permissions')]: 'structure/taxonomy/manage/person/overview/permissions',
        collection: 'structure/taxonomy',
      },
    ],
    ['field_config/node.islandora_object.field_model', {}],
  ])('lead from %s to the pages that administer it: 200', async (path, links) => {
    const atoll = await createTestAtoll();
    const lines = Object.entries(links).map(([rel, target]) => `<http://localhost:8000/admin/${target}>; rel="${rel}"`);
    expect((await read(atoll, path)).links).toBe(lines.length === 0 ? undefined : lines.join(', '));
  });
});
