/** The things that the access table speaks of: where each state of each resource is found, and how it is sent to. */
import type { World } from '../../../src/core/world.ts';
import { pngBytes } from '../../support/png.ts';
import type { IdentityName } from './access-table.ts';
import { entityKey, type Entity } from '../../../src/openapi/openapi-records.ts';

/** A resource of the table: its path in the document, and a path for each of its states. */
export type Resource = { readonly route: string; readonly states: Readonly<Record<string, string>> };

const format = '?_format=json';

export const resources: Readonly<Record<string, Resource>> = {
  nodes: { route: '/node', states: { there: `/node${format}` } },
  node: {
    route: '/node/{node_id}',
    states: by((id) => `/node/${id}${format}`, {
      published: 13,
      foreign: 25,
      secret: 27,
      unpublished: 11,
      deleted: 29,
      never: 999,
    }),
  },
  media: {
    route: '/media/{media_id}',
    states: by((id) => `/media/${id}${format}`, {
      published: 60,
      foreign: 47,
      secret: 54,
      unpublished: 53,
      deleted: 58,
      never: 999,
    }),
  },
  'node linkset': {
    route: '/node/{node_id}/linkset',
    states: by((id) => `/node/${id}/linkset`, { published: 13, foreign: 25, unpublished: 11, deleted: 29, never: 999 }),
  },
  'media linkset': {
    route: '/media/{media_id}/linkset',
    states: by((id) => `/media/${id}/linkset`, {
      ...{ published: 60, foreign: 47, unpublished: 53, deleted: 58, never: 999 },
    }),
  },
  files: { route: '/entity/file', states: { there: `/entity/file${format}` } },
  'public file': {
    route: '/entity/file/{file_id}',
    states: by((id) => `/entity/file/${id}${format}`, {
      ...{ published: 63, foreign: 51, editors: 65, unpublished: 62, deleted: 61, never: 999 },
    }),
  },
  'external file': {
    route: '/entity/file/{file_id}',
    states: by((id) => `/entity/file/${id}${format}`, {
      ...{ published: 25, foreign: 50, editors: 64, unpublished: 56, deleted: 60, never: 999 },
    }),
  },
  term: {
    route: '/taxonomy/term/{term_id}',
    states: by((id) => `/taxonomy/term/${id}${format}`, { published: 16, unpublished: 33, deleted: 36, never: 999 }),
  },
  user: {
    route: '/user/{user_id}',
    states: by((id) => `/user/${id}${format}`, { published: 4, unpublished: 5, deleted: 7, never: 999 }),
  },
  upload: {
    route: '/node/{node_id}/media/{media_type}/{media_use_term_id}',
    states: {
      ...by((id) => `/node/${id}/media/image/17`, {
        published: 13,
        foreign: 25,
        unpublished: 11,
        deleted: 29,
        never: 999,
      }),
      occupied: '/node/26/media/image/19',
    },
  },
  source: {
    route: '/media/{media_id}/source',
    states: by((id) => `/media/${id}/source`, { published: 60, foreign: 47, unpublished: 53, deleted: 58, never: 999 }),
  },
  'public content': {
    route: '/sites/default/files/{path}',
    states: by((path) => `/sites/default/files/${path}`, {
      published: '2024-05/new%20quay.jpg',
      unpublished: '2024-02/28-Thumbnail%20Image.jpg',
      deleted: '2024-02/28-Service%20File.jpg',
      never: 'no/such.jpg',
    }),
  },
  'external content': {
    route: '/_flysystem/fedora/{path}',
    states: by((path) => `/_flysystem/fedora/${path}`, {
      published: '2020-08/haul-the-wend.wav',
      foreign: '2022-12/light-by-night.png',
      unpublished: '2022-04/walk-notes.txt',
      deleted: '2024-02/storm.png',
      never: 'no/such.png',
    }),
  },
  token: { route: '/jwt/token', states: { there: `/jwt/token${format}` } },
  login: { route: '/user/login', states: { there: `/user/login${format}` } },
  logout: { route: '/user/logout', states: { there: `/user/logout${format}` } },
  'login status': { route: '/user/login_status', states: { there: `/user/login_status${format}` } },
  'session token': { route: '/session/token', states: { there: '/session/token' } },
  terms: { route: '/taxonomy/term', states: { there: `/taxonomy/term${format}` } },
  'media list': { route: '/entity/media', states: { there: `/entity/media${format}` } },
  'media by edit path': {
    route: '/media/{media_id}/edit',
    states: by((id) => `/media/${id}/edit${format}`, {
      ...{ published: 60, foreign: 47, unpublished: 53, deleted: 58, never: 999 },
    }),
  },
  'media of node': {
    route: '/node/{node_id}/media',
    states: by((id) => `/node/${id}/media${format}`, {
      published: 13,
      foreign: 25,
      unpublished: 11,
      deleted: 29,
      never: 999,
    }),
  },
  'members of node': {
    route: '/node/{node_id}/members',
    states: by((id) => `/node/${id}/members${format}`, {
      published: 13,
      foreign: 25,
      unpublished: 11,
      deleted: 29,
      never: 999,
    }),
  },
  'standard upload': {
    route: '/file/upload/{entity_type}/{bundle}/{field_name}',
    states: { there: `/file/upload/media/image/field_media_image${format}` },
  },
  'term by uri': {
    route: '/term_from_uri',
    states: by((uri) => `/term_from_uri${format}&uri=${uri}`, {
      ...{ published: 'http://pcdm.org/use%23OriginalFile', unpublished: 'urn:hidden', never: 'urn:never' },
    }),
  },
  'term by name': {
    route: '/term_from_term_name',
    states: by((name) => `/term_from_term_name${format}&name=${name}`, {
      ...{ published: 'Original%20File', unpublished: 'hidden', never: 'never' },
    }),
  },
  'term by link': {
    route: '/term_from_authority_link',
    states: by((uri) => `/term_from_authority_link${format}&authority_link=${uri}`, {
      ...{ published: 'http://pcdm.org/use%23OriginalFile', unpublished: 'urn:hidden', never: 'urn:never' },
    }),
  },
  'terms of kind': {
    route: '/vocabulary',
    states: by((id) => `/vocabulary${format}&vid=${id}`, { published: 'subject', never: 'nowhere' }),
  },
  checksum: {
    route: '/checksum/{file_id}',
    states: by((id) => `/checksum/${id}${format}`, { published: '3', never: '999' }),
  },
  'session token too': { route: '/rest/session/token', states: { there: '/rest/session/token' } },
  'token keys': { route: '/oauth/discovery/keys', states: { there: '/oauth/discovery/keys' } },
  aliases: { route: '/entity/path_alias', states: { there: `/entity/path_alias${format}` } },
  alias: {
    route: '/entity/path_alias/{path_alias_id}',
    states: by((id) => `/entity/path_alias/${id}${format}`, { published: 1, never: 999 }),
  },
  redirects: { route: '/entity/redirect', states: { there: `/entity/redirect${format}` } },
  redirect: {
    route: '/admin/config/search/redirect/edit/{redirect_id}',
    states: by((id) => `/admin/config/search/redirect/edit/${id}${format}`, { published: 1, never: 999 }),
  },
  'form display': {
    route: '/entity/entity_form_display/{form_display_id}',
    states: by((id) => `/entity/entity_form_display/${id}${format}`, {
      published: 'media.image.default',
      never: 'media.image.full',
    }),
  },
  field: {
    route: '/entity/field_config/{field_config_id}',
    states: by((id) => `/entity/field_config/${id}${format}`, {
      published: 'media.image.field_width',
      never: 'media.image.name',
    }),
  },
  'field storage': {
    route: '/entity/field_storage_config/{field_storage_config_id}',
    states: by((id) => `/entity/field_storage_config/${id}${format}`, {
      published: 'media.field_width',
      never: 'media.name',
    }),
  },
  'media type': {
    route: '/entity/media_type/{media_type_id}',
    states: by((id) => `/entity/media_type/${id}${format}`, { published: 'image', never: 'painting' }),
  },
  vocabulary: {
    route: '/entity/taxonomy_vocabulary/{vocabulary_id}',
    states: by((id) => `/entity/taxonomy_vocabulary/${id}${format}`, { published: 'person', never: 'animal' }),
  },
  'content type': {
    route: '/entity/node_type/{node_type_id}',
    states: by((id) => `/entity/node_type/${id}${format}`, { published: 'islandora_object', never: 'letter' }),
  },
  'form of module': {
    route: '/islandora_workbench_integration/node_actions/entity_display/{entity_type}/{bundle}',
    states: by((id) => `/islandora_workbench_integration/node_actions/entity_display/media/${id}`, {
      published: 'image',
      never: 'painting',
    }),
  },
  'field of module': {
    route: '/islandora_workbench_integration/node_actions/field_config/{entity_type}/{bundle}/{field_name}',
    states: by((id) => `/islandora_workbench_integration/node_actions/field_config/media/image/${id}`, {
      published: 'field_width',
      never: 'name',
    }),
  },
  'storage of module': {
    route: '/islandora_workbench_integration/node_actions/field_storage_config/{entity_type}/{field_name}',
    states: by((id) => `/islandora_workbench_integration/node_actions/field_storage_config/media/${id}`, {
      published: 'field_width',
      never: 'name',
    }),
  },
  'module version': {
    route: '/islandora_workbench_integration/version',
    states: { there: '/islandora_workbench_integration/version' },
  },
  'core version': {
    route: '/islandora_workbench_integration/core_version',
    states: { there: '/islandora_workbench_integration/core_version' },
  },
  'file hash': {
    route: '/islandora_workbench_integration/file_hash',
    states: { there: '/islandora_workbench_integration/file_hash' },
  },
};

function by<T>(path: (value: T) => string, values: Readonly<Record<string, T>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([state, value]) => [state, path(value)]));
}

/** What a request must carry so that nothing but the right to send it is in question. */
export type Sending = { readonly headers: Readonly<Record<string, string>>; readonly body?: string | Buffer };

const json = (body: unknown): Sending => ({
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});
const image = (location?: string): Sending => ({
  headers: { 'Content-Type': 'image/png', ...(location === undefined ? {} : { 'Content-Location': location }) },
  body: pngBytes(),
});
const aTerm = { vid: [{ target_id: 'islandora_media_use' }], name: [{ value: 'A use' }] };
const ofNode = { type: [{ target_id: 'islandora_object' }], title: [{ value: 'A title' }] };

/** By resource and method; other requests need nothing. */
export const sendings: Readonly<Record<string, Sending>> = {
  'nodes POST': json({ ...ofNode, field_model: [{ target_id: 24 }] }),
  'node PATCH': json(ofNode),
  'files POST': json({ filename: [{ value: 'a.png' }] }),
  'media PATCH': json({ bundle: [{ target_id: 'image' }], name: [{ value: 'A name' }] }),
  'upload PUT': image('public://table/a.png'),
  'source PUT': image(),
  'term PATCH': json(aTerm),
  'terms POST': json(aTerm),
  'media list POST': json({
    ...{ bundle: [{ target_id: 'image' }], name: [{ value: 'A name' }] },
    field_media_image: [{ target_id: 63 }],
  }),
  'media by edit path PATCH': json({ bundle: [{ target_id: 'image' }], name: [{ value: 'A name' }] }),
  'standard upload POST': {
    headers: { 'Content-Type': 'application/octet-stream', 'Content-Disposition': 'file; filename="a.png"' },
    body: pngBytes(),
  },
  'login POST': json({ name: 'viewer', pass: 'viewer' }),
  'alias PATCH': json({ alias: [{ value: '/table/other' }] }),
  'aliases POST': json({ path: [{ value: '/node/13' }], alias: [{ value: '/table/alias' }] }),
  'redirects POST': json({
    ...{ type: [{ value: 'redirect' }], redirect_source: [{ path: 'table/redirect' }] },
    redirect_redirect: [{ uri: 'internal:/node/13' }],
  }),
};

/** Makes the states that the fixture does not have. */
export const prepare = async (world: World): Promise<void> => {
  const unpublished = [entityKey('media', 54), entityKey('media', 59), entityKey('taxonomy_term', 33)];
  const deleted = [
    ...[entityKey('node', 29), entityKey('media', 58), entityKey('taxonomy_term', 36)],
    ...[entityKey('file', 60), entityKey('file', 61), entityKey('user', 7)],
  ];
  await world.store.transact([...unpublished, ...deleted, entityKey('user', 4)], (view) => ({
    changes: [
      ...unpublished.flatMap((key) => {
        const entity = view.get(key);
        return entity === undefined ? [] : [{ put: hidden(entity) }];
      }),
      ...deleted.map((remove) => ({ remove })),
      { put: alias },
      { put: redirect },
    ],
    result: undefined,
  }));
};

const alias: Entity = {
  ...{ type: 'path_alias', id: 1, bundle: 'path_alias', uuid: '5b1f7c5e-6a52-4f83-8c4b-0d6f1a2b3c4d' },
  fields: {
    ...{ revision_id: [{ value: 1 }], langcode: [{ value: 'und' }], status: [{ value: true }] },
    ...{ path: [{ value: '/node/13' }], alias: [{ value: '/table/there' }] },
  },
};
const redirect: Entity = {
  ...{ type: 'redirect', id: 1, bundle: 'redirect', uuid: '5b1f7c5e-6a52-4f83-8c4b-0d6f1a2b3c4e' },
  fields: {
    ...{ enabled: [{ value: true }], hash: [{ value: 'a' }], language: [{ value: 'en' }] },
    ...{ redirect_source: [{ path: 'table/there' }], redirect_redirect: [{ uri: 'internal:/node/13' }] },
    ...{ status_code: [{ value: 301 }], created: [{ value: 1 }] },
  },
};

const hidden = (entity: Entity): Entity => ({ ...entity, fields: { ...entity.fields, status: [{ value: false }] } });

/** The Authorization header of an identity, by a token: no password has to be hashed for it. */
export const authorizationOf = async (world: World, name: IdentityName): Promise<Record<string, string>> => {
  const account = world.site.accounts.find((one) => one.name === name);
  if (account === undefined) return {};
  const principal = { uid: account.uid, name, roles: [], permissions: new Set<string>(), mayEverything: false };
  return { Authorization: `Bearer ${await world.access.issueToken(principal)}` };
};
