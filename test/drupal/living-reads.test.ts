/** Views of IIIF manifests and the settings of OAI-PMH become sections of `living.yml`. */
import { describe, expect, it } from '@jest/globals';
import type { Data } from '../../src/basics/exported/lenient-values.ts';
import { losesSomething } from '../../src/sites/drupal/report.ts';
import type { Objects } from './exported-site.ts';
import { imported, smallSite } from './imported.ts';

const ofUse = (address: string): Data => ({
  ...{
    id: 'use',
    table: 'taxonomy_term__field_external_uri',
    field: 'field_external_uri_uri',
    relationship: 'field_media_use',
  },
  ...{ plugin_id: 'string', operator: '=', value: address },
});
const isPublished: Data = { table: 'media_field_data', field: 'status', plugin_id: 'boolean', value: '1' };
const ofMembers: Data = {
  ...{ table: 'node__field_member_of', field: 'field_member_of_target_id', relationship: 'field_media_of' },
  ...{ validate: { type: 'entity:node' } },
};
const ofNode: Data = { table: 'media__field_media_of', field: 'field_media_of_target_id', relationship: 'none' };

const view = (displays: Readonly<Record<string, Data>>): Data => ({
  base_table: 'media_field_data',
  display: {
    default: {
      display_plugin: 'default',
      display_options: {
        ...{ title: 'Pages', style: { type: 'serializer' }, access: { type: 'perm', options: { perm: 'view media' } } },
        arguments: { member: ofMembers },
        filters: { status: isPublished, use: ofUse('http://pcdm.org/use#OriginalFile') },
        sorts: { weight: { field: 'field_weight_value', order: 'ASC' }, created: { field: 'created', order: 'ASC' } },
      },
    },
    ...Object.fromEntries(
      Object.entries(displays).map(([id, options]) => [
        id,
        { display_plugin: 'rest_export', display_options: options },
      ]),
    ),
  },
});

const style = (options: Data = {}): Data => ({
  type: 'iiif_manifest',
  options: { iiif_tile_field: { field_scan: 'field_scan', field_other: '0' }, ...options },
});

const manifestsFrom = async (displays: Readonly<Record<string, Data>>, settings?: Data) => {
  const { site, report } = await imported({
    ...smallSite,
    'views.view.manifests': view(displays),
    ...(settings === undefined ? {} : { 'islandora_iiif.settings': settings }),
  });
  return { manifests: site.living.manifests, report };
};

describe('A view of IIIF manifests', () => {
  it('becomes manifests of the node or of its members, with what each display says and inherits', async () => {
    const own = {
      ...{ path: 'node/%node/manifest', arguments: { of: ofNode }, defaults: { arguments: false, filters: false } },
      ...{ filters: { status: isPublished, use: ofUse('http://pcdm.org/use#ServiceFile') } },
      style: style({ search_endpoint: 'search/%node', structured_text_term_uri: 'https://example.org/text' }),
    };
    const { manifests, report } = await manifestsFrom(
      { one: own, two: { path: 'node/%node/book', style: style() } },
      { iiif_server: 'https://images.example/iiif/2', use_relative_paths: true, show_title: 'node' },
    );
    expect(manifests).toEqual({
      ...{ image_server: 'https://images.example/iiif/2', relative_paths: true, label: 'node' },
      views: [
        {
          ...{
            path: '/node/{node}/manifest',
            of: 'node',
            use: 'http://pcdm.org/use#ServiceFile',
            fields: ['field_scan'],
          },
          ...{
            title: 'Pages',
            search: 'search/%node',
            text_use: 'https://example.org/text',
            permissions: ['view media'],
          },
        },
        {
          ...{
            path: '/node/{node}/book',
            of: 'members',
            use: 'http://pcdm.org/use#OriginalFile',
            fields: ['field_scan'],
          },
          ...{ title: 'Pages', check: true, permissions: ['view media'] },
        },
      ],
    });
    expect(losesSomething(report)).toBe(false);
  });

  it('without an image server has that of this server, and another label is the same for all', async () => {
    const { manifests, report } = await manifestsFrom(
      { one: { path: 'node/%node/m', style: style() } },
      { iiif_server: '' },
    );
    expect(manifests).toMatchObject({ label: 'fixed' });
    expect(manifests).not.toHaveProperty('image_server');
    expect(report.partly.map(({ why }) => why)).toContain('it names no image server: this server is one');
  });

  it.each([
    ['no node', { path: 'manifests', style: style() }, 'its argument is not a node'],
    [
      'no use',
      { path: 'node/%node/m', style: style(), filters: {}, defaults: { filters: false } },
      'it is not of the media with one use',
    ],
    ['no field', { path: 'node/%node/m', style: style({ iiif_tile_field: {} }) }, 'it names no field with pictures'],
    ['the path of a record', { path: 'node/%node', style: style() }, 'something else is there already'],
    ['a path with other characters', { path: 'node/%node/ö', style: style() }, 'its path has other characters'],
  ])('is named when it has %s', async (_what, display, why) => {
    const { manifests, report } = await manifestsFrom({ one: display });
    expect(manifests).toBeUndefined();
    expect(report.partly.map((note) => note.why)).toContain(`a view serves this path, the program does not: ${why}`);
  });

  it('is named for other filters, sorts and rules of access', async () => {
    const { report } = await manifestsFrom({
      one: {
        ...{ path: 'node/%node/m', style: style(), defaults: { filters: false, sorts: false, access: false } },
        filters: { use: ofUse('http://pcdm.org/use#ServiceFile'), name: { field: 'name' } },
        ...{ sorts: { name: { field: 'name' } }, access: { type: 'moonlight' } },
      },
    });
    expect(report.partly.map(({ why }) => why)).toEqual(
      expect.arrayContaining([
        ...['a manifest is without the filter name', 'a manifest is without the sort name'],
        'a manifest is without its access rule: only those who administer media may ask',
      ]),
    );
  });
});

const notCollections: Data = {
  ...{ table: 'taxonomy_term__field_external_uri', field: 'field_external_uri_uri', relationship: 'field_model' },
  ...{ operator: '!=', value: 'http://purl.org/dc/dcmitype/Collection' },
};
const bundle: Data = { table: 'node_field_data', field: 'type', value: { ledger: 'ledger' } };
const published: Data = { table: 'node_field_data', field: 'status', value: '1' };
const parent: Data = { table: 'node__field_member_of', field: 'field_member_of_target_id', relationship: 'none' };

const harvested = (settings: Data = {}): Objects => ({
  ...smallSite,
  'rest.resource.oai_pmh': { id: 'oai_pmh', plugin_id: 'oai_pmh', granularity: 'resource' },
  'rest_oai_pmh.settings': {
    ...{ repository_name: 'Gull Island', repository_email: 'papers@example.org', expiration: '60', support_sets: 1 },
    view_displays: { 'oai:all': 'oai:all', 'oai:of': 'oai:of', 'oai:free': 'oai:free', 'oai:off': '0' },
    metadata_map_plugins: [
      { label: 'oai_raw', value: '' },
      { label: 'oai_dc', value: 'dublin_core_rdf' },
    ],
    ...settings,
  },
  'views.view.oai': {
    base_table: 'node_field_data',
    display: {
      default: {
        display_plugin: 'default',
        display_options: {
          filters: {
            published,
            bundle,
            model: { ...notCollections, group: 2 },
            none: { ...notCollections, operator: 'empty', group: 2 },
          },
          filter_groups: { operator: 'AND', groups: { 1: 'AND', 2: 'OR' } },
          pager: { type: 'mini', options: { items_per_page: 20 } },
        },
      },
      all: { display_plugin: 'entity_reference', display_title: 'Everything', display_options: {} },
      of: {
        display_plugin: 'entity_reference',
        display_title: 'By parent',
        display_options: { arguments: { parent } },
      },
      free: {
        ...{ display_plugin: 'entity_reference', display_title: 'Without a parent' },
        display_options: {
          filters: { published, bundle, notCollections, parent: { ...parent, operator: 'empty' } },
          ...{ filter_groups: { groups: { 1: 'AND' } }, defaults: { filters: false, filter_groups: false } },
          pager: { type: 'mini', options: { items_per_page: 10 } },
        },
      },
    },
  },
});

describe('The settings of OAI-PMH', () => {
  it('become the harvest of the site, with a set for each display of their views', async () => {
    const { site, report } = await imported(harvested());
    const models = { without_models: ['http://purl.org/dc/dcmitype/Collection'] };
    expect(site.living.harvest).toEqual({
      ...{ name: 'Gull Island', email: 'papers@example.org', token_lifetime: 60, page_size: 10, formats: ['oai_dc'] },
      sets: [
        { id: 'oai:all', label: 'Everything', bundles: ['ledger'], ...models },
        { by: 'field_member_of', bundles: ['ledger'], ...models },
        {
          ...{ id: 'oai:free', label: 'Without a parent', bundles: ['ledger'], ...models, needs_model: true },
          without: ['field_member_of'],
        },
      ],
    });
    expect(report.outside).toEqual([]);
    expect(losesSomething(report)).toBe(false);
  });

  it('say the path, and whether there are sets', async () => {
    const { site } = await imported(harvested({ repository_path: '/oai2', support_sets: 0 }));
    expect(site.living.harvest).toMatchObject({ path: '/oai2', has_sets: false });
  });

  it('are named for what cannot be served', async () => {
    const plugins = [
      { label: 'oai_dc', value: 'dublin_core_metatag' },
      { label: 'mods', value: 'mods' },
      { label: 'marc', value: 'marc' },
    ];
    const { report } = await imported(harvested({ repository_path: '/oai 2', metadata_map_plugins: plugins }));
    expect(report.partly.map(({ why }) => why)).toEqual(
      expect.arrayContaining([
        ...['the harvest is at /oai/request: its path cannot be served', 'the format marc is not offered'],
        'Dublin Core is made by the RDF mapping here',
      ]),
    );
    expect(report.outside.map(({ why }) => why)).toEqual([
      'records in MODS come of a search index: here they are empty',
    ]);
  });

  it('without views are another protocol, and no loss', async () => {
    const { site, report } = await imported(harvested({ view_displays: {} }));
    expect(site.living.harvest).toBeUndefined();
    expect(report.outside.map(({ why }) => why)).toEqual(['this resource speaks another protocol']);
  });
});
