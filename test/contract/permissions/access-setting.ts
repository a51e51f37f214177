/**
 * What the tests of permissions ask for: where each state of a resource is found, and how it is sent to. Published and unpublished things
 * belong to `owner`; `foreign` ones are published and the admin's, `secret` ones unpublished and the admin's.
 */
import type { World } from '../../../src/repository/repository.ts';
import { pngBytes } from '../../support/png.ts';
import { entityKey, type Entity } from '../../../src/openapi/openapi-records.ts';

/** Who asks. `blocked` sends a token of a blocked account: credentials that are refused. */
export type IdentityName = 'anonymous' | 'plain' | 'viewer' | 'editor' | 'owner' | 'admin' | 'blocked';

/** A path for each state of a resource. */
export type Resource = { readonly states: Readonly<Record<string, string>> };

const format = '?_format=json';

export const resources: Readonly<Record<string, Resource>> = {
  nodes: { states: { there: `/node${format}` } },
  node: {
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
    states: by((id) => `/media/${id}${format}`, {
      published: 60,
      foreign: 47,
      secret: 54,
      unpublished: 53,
      deleted: 58,
      never: 999,
    }),
  },
  'public file': {
    states: by((id) => `/entity/file/${id}${format}`, {
      ...{ published: 63, foreign: 51, editors: 65, unpublished: 62, deleted: 61, never: 999 },
    }),
  },
  'external file': {
    states: by((id) => `/entity/file/${id}${format}`, {
      ...{ published: 25, foreign: 50, editors: 64, unpublished: 56, deleted: 60, never: 999 },
    }),
  },
  term: {
    states: by((id) => `/taxonomy/term/${id}${format}`, { published: 16, unpublished: 33, deleted: 36, never: 999 }),
  },
  user: {
    states: by((id) => `/user/${id}${format}`, { published: 4, unpublished: 5, deleted: 7, never: 999 }),
  },
  upload: {
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
    states: by((id) => `/media/${id}/source`, { published: 60, foreign: 47, unpublished: 53, deleted: 58, never: 999 }),
  },
  terms: { states: { there: `/taxonomy/term${format}` } },
  'media list': { states: { there: `/entity/media${format}` } },
  'standard upload': {
    states: { there: `/file/upload/media/image/field_media_image${format}` },
  },
  'term by uri': {
    states: by((uri) => `/term_from_uri${format}&uri=${uri}`, {
      ...{ published: 'http://pcdm.org/use%23OriginalFile', unpublished: 'urn:hidden', never: 'urn:never' },
    }),
  },
  'terms of kind': {
    states: by((id) => `/vocabulary${format}&vid=${id}`, { published: 'subject', never: 'nowhere' }),
  },
  checksum: {
    states: by((id) => `/checksum/${id}${format}`, { published: '3', never: '999' }),
  },
  aliases: { states: { there: `/entity/path_alias${format}` } },
  alias: {
    states: by((id) => `/entity/path_alias/${id}${format}`, { published: 1, never: 999 }),
  },
  redirects: { states: { there: `/entity/redirect${format}` } },
  redirect: {
    states: by((id) => `/admin/config/search/redirect/edit/${id}${format}`, { published: 1, never: 999 }),
  },
  'form display': {
    states: by((id) => `/entity/entity_form_display/${id}${format}`, {
      published: 'media.image.default',
      never: 'media.image.full',
    }),
  },
  field: {
    states: by((id) => `/entity/field_config/${id}${format}`, {
      published: 'media.image.field_width',
      never: 'media.image.name',
    }),
  },
  'field storage': {
    states: by((id) => `/entity/field_storage_config/${id}${format}`, {
      published: 'media.field_width',
      never: 'media.name',
    }),
  },
  'media type': {
    states: by((id) => `/entity/media_type/${id}${format}`, { published: 'image', never: 'painting' }),
  },
  vocabulary: {
    states: by((id) => `/entity/taxonomy_vocabulary/${id}${format}`, { published: 'person', never: 'animal' }),
  },
  'content type': {
    states: by((id) => `/entity/node_type/${id}${format}`, { published: 'islandora_object', never: 'letter' }),
  },
  'module version': {
    states: { there: '/islandora_workbench_integration/version' },
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
  'media PATCH': json({ bundle: [{ target_id: 'image' }], name: [{ value: 'A name' }] }),
  'upload PUT': image('public://table/a.png'),
  'source PUT': image(),
  'term PATCH': json(aTerm),
  'terms POST': json(aTerm),
  'media list POST': json({
    ...{ bundle: [{ target_id: 'image' }], name: [{ value: 'A name' }] },
    field_media_image: [{ target_id: 63 }],
  }),
  'standard upload POST': {
    headers: { 'Content-Type': 'application/octet-stream', 'Content-Disposition': 'file; filename="a.png"' },
    body: pngBytes(),
  },
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
