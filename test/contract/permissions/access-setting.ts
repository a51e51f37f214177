/**
 * What the tests of permissions ask for: where each state of a resource is found, and how it is sent to. Published and unpublished things
 * belong to `owner`; `foreign` ones are published and the admin's, `secret` ones unpublished and the admin's.
 */
import type { World } from '../../../src/repository/repository.ts';
import { pngBytes } from '../../support/png.ts';
import { entityKey, type Entity } from '../../../src/openapi/openapi-records.ts';

/** The addresses of things, by what they are and their state. */
export const paths: Readonly<Record<string, string>> = {
  'nodes there': '/node?_format=json',
  'node published': '/node/13?_format=json',
  'node foreign': '/node/25?_format=json',
  'node secret': '/node/27?_format=json',
  'node unpublished': '/node/11?_format=json',
  'media published': '/media/60?_format=json',
  'media foreign': '/media/47?_format=json',
  'media secret': '/media/54?_format=json',
  'media unpublished': '/media/53?_format=json',
  'media list there': '/entity/media?_format=json',
  'public file published': '/entity/file/63?_format=json',
  'public file foreign': '/entity/file/51?_format=json',
  'external file foreign': '/entity/file/50?_format=json',
  'term published': '/taxonomy/term/16?_format=json',
  'term unpublished': '/taxonomy/term/33?_format=json',
  'terms there': '/taxonomy/term?_format=json',
  'user published': '/user/4?_format=json',
  'user unpublished': '/user/5?_format=json',
  'upload published': '/node/13/media/image/17',
  'source foreign': '/media/47/source',
  'standard upload there': '/file/upload/media/image/field_media_image?_format=json',
  'term by uri published': '/term_from_uri?_format=json&uri=http://pcdm.org/use%23OriginalFile',
  'terms of kind published': '/vocabulary?_format=json&vid=subject',
  'checksum published': '/checksum/3?_format=json',
  'aliases there': '/entity/path_alias?_format=json',
  'alias published': '/entity/path_alias/1?_format=json',
  'redirects there': '/entity/redirect?_format=json',
  'redirect published': '/admin/config/search/redirect/edit/1?_format=json',
  'form display published': '/entity/entity_form_display/media.image.default?_format=json',
  'field published': '/entity/field_config/media.image.field_width?_format=json',
  'field storage published': '/entity/field_storage_config/media.field_width?_format=json',
  'media type published': '/entity/media_type/image?_format=json',
  'vocabulary published': '/entity/taxonomy_vocabulary/person?_format=json',
  'content type published': '/entity/node_type/islandora_object?_format=json',
  'module version there': '/islandora_workbench_integration/version',
};

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
  const unpublished = [entityKey('media', 54), entityKey('taxonomy_term', 33)];
  await world.store.transact([...unpublished, entityKey('user', 4)], (view) => ({
    changes: [
      ...unpublished.flatMap((key) => {
        const entity = view.get(key);
        return entity === undefined ? [] : [{ put: hidden(entity) }];
      }),
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

/** The Authorization header of an account, by a token: no password has to be hashed for it. */
export const authorizationOf = async (world: World, name: string): Promise<Record<string, string>> => {
  const account = world.site.accounts.find((one) => one.name === name);
  if (account === undefined) return {};
  const principal = { uid: account.uid, name, roles: [], permissions: new Set<string>(), mayEverything: false };
  return { Authorization: `Bearer ${await world.access.issueToken(principal)}` };
};
