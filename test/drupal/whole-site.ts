/** A configuration with fields of every type and what real exports contain. Names are invented. */
import * as v from 'valibot';
import { listFile } from '../support/site-files.ts';
import { exportedView } from './exported-view.ts';
import { fieldObjects, smallSite } from './imported.ts';
import type { Objects } from './exported-site.ts';

const reference = (target: string, settings: object = {}) => ({
  storage: { cardinality: -1, settings: { target_type: target } },
  instance: { settings },
});
const files = {
  storage: { settings: { target_type: 'file', uri_scheme: 'gs-harbour' } },
  instance: { settings: { file_extensions: 'txt' } },
};

/** A field of each type that the study of real sites met, and one that nobody knows. */
const fields: Readonly<Record<string, Parameters<typeof fieldObjects>[4]>> = {
  ...{
    boolean: {},
    integer: {},
    string: {},
    string_long: {},
    text: {},
    text_long: {},
    text_with_summary: {},
    edtf: {},
  },
  ...{
    email: {},
    geolocation: {},
    name: {},
    comment: {},
    decimal: {},
    float: {},
    datetime: {},
    timestamp: {},
    link: {},
  },
  authority_link: { instance: { settings: { authority_sources: { gnd: 'GND' } } } },
  list_string: { storage: { settings: { allowed_values: [{ value: 'low', label: 'Low' }] } } },
  list_integer: { storage: { settings: { allowed_values: [{ value: 3, label: 'Three' }] } } },
  ...{ file: files, entity_reference: reference('media') },
  typed_relation: reference('node', { rel_types: { 'relators:aut': 'Author' } }),
  wax_seal: {},
};

const accepted = { supported_formats: ['json', 'jsonld'], supported_auth: ['basic_auth', 'cookie'] };
const resource = (name: string): Objects => ({
  [`rest.resource.entity.${name}`]: { id: `entity.${name}`, granularity: 'method', configuration: { GET: accepted } },
});

const ghosts = { target_bundles: { harbours: 'harbours', quays: 'quays' } };
const toNodes = reference('node', { handler: 'default:node', handler_settings: { target_bundles: null } });
const toTerms = (vocabulary: string) => ({
  storage: { settings: { target_type: 'taxonomy_term' } },
  instance: { settings: { handler_settings: { target_bundles: { [vocabulary]: vocabulary } } } },
});
const vocabulary = (vid: string): Objects => ({
  [`taxonomy.vocabulary.${vid}`]: { vid, name: vid },
  ...fieldObjects('taxonomy_term', vid, 'field_external_uri', 'link'),
});
const fileOf = (extensions: string) => ({
  storage: { settings: { target_type: 'file', uri_scheme: 'private' } },
  instance: { required: true, settings: { file_extensions: extensions, max_filesize: '2 MB' } },
});
const mediaType = (id: string, source: string, field: string, map: object): Objects => ({
  [`media.type.${id}`]: { id, label: id, source, source_configuration: { source_field: field }, field_map: map },
  ...fieldObjects('media', id, 'field_media_of', 'entity_reference', toNodes),
  ...fieldObjects('media', id, 'field_media_use', 'entity_reference', toTerms('islandora_media_use')),
});
const read = ['access content', 'view media', 'use text format plain_text'];

/** What real exports contain, all in one folder; `lessons.test.ts` has each by itself. */
const lessons: Objects = {
  'core.extension': {
    module: { node: 0, media: 0, taxonomy: 0, islandora: 0, path: 0, metatag: 0, content_moderation: 0 },
  },
  'islandora.settings': { jwt_expiry: '+7 days' },
  'user.role.anonymous': { id: 'anonymous', label: 'Visitor', permissions: read },
  'user.role.authenticated': { id: 'authenticated', label: 'Account', permissions: read },
  'user.role.clerk': { id: 'clerk', label: 'Clerk', is_admin: null, permissions: ['create ledger content'] },
  'filter.format.plain_text': { format: 'plain_text', name: 'Plain' },
  'filter.format.basic_html': { format: 'basic_html', name: 'Basic' },
  'language.entity.ga': { id: 'ga', label: 'Irish' },
  'language.content_settings.node.ledger': {
    ...{ target_entity_type_id: 'node', target_bundle: 'ledger', language_alterable: true },
    third_party_settings: { content_translation: { enabled: true } },
  },
  'core.base_field_override.node.ledger.promote': {
    ...{ field_name: 'promote', entity_type: 'node', bundle: 'ledger', field_type: 'boolean', label: 'On the front' },
    default_value: [{ value: 0 }],
  },
  'views.view.shelves': exportedView(
    v.parse(listFile, {
      ...{ path: '/api/shelves/{node}', label: 'Shelves', entity_type: 'node', arguments: { node: 'field_member_of' } },
      ...{
        parameters: { number: 'field_number' },
        page_size: 5,
        formats: ['jsonld', 'json'],
        permissions: ['see shelves'],
      },
    }),
  ),
  'views.view.numbers': exportedView(
    v.parse(listFile, {
      ...{ path: '/api/numbers', label: 'Numbers', entity_type: 'node', where: { status: true }, page_size: 'all' },
      ...{ fields: { nid: 'nid', number: 'field_number' }, providers: ['cookie'] },
    }),
  ),
  'node.type.volume': { type: 'volume', name: 'Volume', new_revision: false },
  ...fieldObjects('node', 'volume', 'field_member_of', 'entity_reference', toNodes),
  ...fieldObjects('node', 'volume', 'field_model', 'entity_reference', toTerms('islandora_models')),
  ...fieldObjects('node', 'volume', 'field_number', 'integer', {
    instance: { required: true, settings: { min: '9', max: 3 } },
  }),
  ...fieldObjects('node', 'volume', 'field_shelf', 'string', {
    storage: { cardinality: '4', settings: { max_length: '40' } },
  }),
  ...fieldObjects('node', 'volume', 'field_bound', 'boolean', { instance: { default_value: [{ value: '0' }] } }),
  ...fieldObjects('node', 'volume', 'field_landing', 'entity_reference', {
    storage: { settings: { target_type: 'taxonomy_term' } },
    instance: { settings: { handler_settings: ghosts } },
  }),
  ...fieldObjects('node', 'volume', 'field_hand', 'typed_relation', {
    storage: { cardinality: -1, settings: { target_type: 'taxonomy_term' } },
    instance: {
      settings: { rel_types: [{ 'relators:bnd': 'Binder' }], handler_settings: { target_bundles: ['harbours'] } },
    },
  }),
  ...fieldObjects('node', 'volume', 'field_secret', 'string', {
    storage: { third_party_settings: { field_permissions: { permission_type: 'private' } } },
  }),
  'rdf.mapping.node.volume': {
    types: ['schema:Book', 'odd:Thing'],
    fieldMappings: { title: { properties: ['dc:title'] }, field_gone: { properties: ['dc:rights'] } },
  },
  ...vocabulary('islandora_media_use'),
  ...vocabulary('islandora_models'),
  ...mediaType('sound', 'audio_file', 'field_sound', { name: 'name', mimetype: 'field_kind' }),
  ...fieldObjects('media', 'sound', 'field_sound', 'file', fileOf(' MP3, .wav')),
  ...fieldObjects('media', 'sound', 'field_kind', 'string'),
  ...fieldObjects('media', 'sound', 'field_words', 'media_track', fileOf('vtt')),
  ...mediaType('film', 'oembed:video', 'field_address', {}),
  ...fieldObjects('media', 'film', 'field_address', 'string', { instance: { required: true } }),
};

export const wholeSite: Objects = {
  ...smallSite,
  ...Object.fromEntries(
    Object.entries(fields).flatMap(([type, parts]) =>
      ['node.ledger', 'taxonomy_term.harbours'].flatMap((place) => {
        const [entityType = '', bundle = ''] = place.split('.');
        return Object.entries(fieldObjects(entityType, bundle, `field_${type}`, type, parts));
      }),
    ),
  ),
  ...fieldObjects('node', 'ledger', 'field_port', 'entity_reference', reference('taxonomy_term')),
  'structure_sync.data': {
    taxonomies: { harbours: [{ tid: '8', name: 'Slip', field_text: [{ value: 'Steep', format: null }] }] },
  },
  ...fieldObjects('user', 'user', 'user_picture', 'image', { storage: { settings: { uri_scheme: 'public' } } }),
  ...fieldObjects('user', 'user', 'field_pen', 'string', { instance: { default_value: [{ value: 'quill' }] } }),
  ...resource('user'),
  ...resource('node'),
  ...resource('media'),
  ...resource('taxonomy_term'),
  'media.settings': { standalone_url: false },
  ...lessons,
};
