/** What a refusal says, by account and by what it asks for. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { authorizationOf, prepare, sendings, type IdentityName } from './access-setting.ts';

const mediaText = (verb: 'update' | 'delete', bundle: string): string => {
  const own = verb === 'update' ? 'edit' : 'delete';
  return `The following permissions are required: '${verb} any media' OR '${verb} own media' OR '${bundle}: ${own} any media' OR '${bundle}: ${own} own media'.`;
};
const publishedMedia = "The 'view media' permission is required when the media item is published.";
const unpublishedMedia =
  "The user must be the owner and the 'view own unpublished media' permission is required when the media item is unpublished.";
const noCredentials = 'No authentication credentials provided.';
const absent = (parameter: string, path: string, route: string): string =>
  `The "${parameter}" parameter was not converted for the path "${path}" (route name: "${route}")`;
const uploadPath = '/node/{node}/media/{media_type}/{taxonomy_term}';

/** What a refusal says, by who asks for what. */
const refusals: readonly (readonly [IdentityName, string, string, number, string])[] = [
  ['anonymous', 'POST', '/node', 401, noCredentials],
  ['anonymous', 'GET', '/node/11?_format=json', 401, noCredentials],
  ['anonymous', 'GET', '/media/60?_format=json', 401, noCredentials],
  ['anonymous', 'DELETE', '/entity/file/63', 401, noCredentials],
  ['anonymous', 'GET', '/_flysystem/fedora/2020-08/haul-the-wend.wav', 401, noCredentials],
  ['anonymous', 'GET', '/jwt/token', 401, noCredentials],
  ['blocked', 'GET', '/jwt/token', 403, 'This route can only be accessed by authenticated users.'],
  ['plain', 'POST', '/node', 403, ''],
  ['viewer', 'GET', '/node/11?_format=json', 403, ''],
  ['editor', 'GET', '/node/11?_format=json', 403, ''],
  ['plain', 'PATCH', '/node/13', 403, "The 'edit any islandora_object content' permission is required."],
  ['owner', 'PATCH', '/node/25', 403, "The 'edit any islandora_object content' permission is required."],
  ['owner', 'DELETE', '/node/25', 403, "The 'delete any islandora_object content' permission is required."],
  ['plain', 'GET', '/media/60?_format=json', 403, publishedMedia],
  ['editor', 'GET', '/media/53?_format=json', 403, unpublishedMedia],
  ['viewer', 'PATCH', '/media/60', 403, mediaText('update', 'image')],
  ['owner', 'DELETE', '/media/50', 204, ''],
  ['viewer', 'DELETE', '/media/53', 403, mediaText('delete', 'file')],
  ['plain', 'GET', '/entity/file/25?_format=json', 403, ''],
  ['plain', 'GET', '/_flysystem/fedora/2020-08/haul-the-wend.wav', 403, ''],
  ['owner', 'DELETE', '/entity/file/63', 403, "The 'delete any file' permission is required."],
  [
    ...(['viewer', 'GET', '/taxonomy/term/33?_format=json', 403] as const),
    "The 'access content' permission is required and the taxonomy term must be published.",
  ],
  ['owner', 'GET', '/user/4?_format=json', 403, "The 'access user profiles' permission is required."],
  [
    ...(['viewer', 'GET', '/user/5?_format=json', 403] as const),
    "The 'access user profiles' permission is required and the user must be active.",
  ],
  ['plain', 'GET', '/user/5?_format=json', 403, "The 'access user profiles' permission is required."],
  ['viewer', 'GET', '/user/0?_format=json', 403, ''],
  ['admin', 'GET', '/user/0?_format=json', 403, ''],
  ['anonymous', 'GET', '/user/0?_format=json', 401, 'No authentication credentials provided.'],
  ['viewer', 'PUT', '/node/13/media/image/17', 403, ''],
  ['viewer', 'PUT', '/media/60/source', 403, "The 'update media' permission is required."],
  ['viewer', 'POST', '/user/login', 403, 'This route can only be accessed by anonymous users.'],
  ['anonymous', 'POST', '/user/logout', 403, "'csrf_token' URL query argument is missing."],
  ['anonymous', 'POST', '/user/logout?token=x', 403, "'csrf_token' URL query argument is invalid."],
  ['anonymous', 'GET', '/node/999?_format=json', 404, absent('node', '/node/{node}', 'rest.entity.node.GET')],
  ['anonymous', 'PATCH', '/node/29', 404, absent('node', '/node/{node}', 'rest.entity.node.PATCH')],
  ['plain', 'DELETE', '/node/29', 404, absent('node', '/node/{node}', 'rest.entity.node.DELETE')],
  ['plain', 'GET', '/media/58?_format=json', 404, absent('media', '/media/{media}', 'rest.entity.media.GET')],
  ['plain', 'PATCH', '/media/999', 404, absent('media', '/media/{media}', 'rest.entity.media.PATCH')],
  ['plain', 'DELETE', '/media/999', 404, absent('media', '/media/{media}', 'rest.entity.media.DELETE')],
  [
    ...(['plain', 'GET', '/entity/file/999?_format=json', 404] as const),
    absent('file', '/entity/file/{file}', 'rest.entity.file.GET'),
  ],
  ['plain', 'DELETE', '/entity/file/61', 404, absent('file', '/entity/file/{file}', 'rest.entity.file.DELETE')],
  [
    ...(['plain', 'GET', '/taxonomy/term/36?_format=json', 404] as const),
    absent('taxonomy_term', '/taxonomy/term/{taxonomy_term}', 'rest.entity.taxonomy_term.GET'),
  ],
  ['plain', 'GET', '/user/7?_format=json', 404, absent('user', '/user/{user}', 'rest.entity.user.GET')],
  ['plain', 'PUT', '/node/29/media/image/17', 404, absent('node', uploadPath, 'islandora.media_source_put_to_node')],
  [
    ...(['plain', 'PUT', '/node/13/media/nope/17', 404] as const),
    absent('media_type', uploadPath, 'islandora.media_source_put_to_node'),
  ],
  [
    ...(['plain', 'PUT', '/node/13/media/image/36', 404] as const),
    absent('taxonomy_term', uploadPath, 'islandora.media_source_put_to_node'),
  ],
  ['plain', 'PUT', '/media/58/source', 404, absent('media', '/media/{media}/source', 'islandora.media_source_update')],
];

let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll();
  await prepare(await atoll.reset());
});

describe('a refusal', () => {
  it.each(refusals)('to %s of %s %s is %i "%s"', async (identity, method, path, status, message) => {
    const kind = path.includes('/source') ? 'source PUT' : method === 'PUT' ? 'upload PUT' : undefined;
    const needed = method === 'POST' ? sendings['nodes POST'] : sendings[kind ?? `${path.split('/')[1]} ${method}`];
    const response = await atoll
      .send(method, path)
      .set({ ...needed?.headers, ...(await authorizationOf(atoll.world(), identity)) })
      .send(needed?.body);
    expect([response.status, response.body]).toEqual([status, status === 204 ? {} : { message }]);
    expect(response.headers['www-authenticate']).toBe(status === 401 ? 'Basic realm="Contract Site"' : undefined);
    expect(response.headers).not.toHaveProperty('link');
  });
});

/** Fields that not everybody may write, when the caller may write the record. */
describe('a field that the caller may not set', () => {
  const editorial = ['created', 'uid', 'promote', 'sticky', 'status'];
  const values: Readonly<Record<string, readonly object[]>> = {
    nid: [{ value: 4711 }],
    mid: [{ value: 4711 }],
    uuid: [{ value: '11111111-2222-4333-8444-555555555555' }],
    created: [{ value: '2001-01-01T00:00:00+00:00' }],
    changed: [{ value: '2001-01-01T00:00:00+00:00' }],
    revision_timestamp: [{ value: '2001-01-01T00:00:00+00:00' }],
    revision_uid: [{ target_id: 3 }],
    uid: [{ target_id: 3 }],
    promote: [{ value: false }],
    sticky: [{ value: true }],
    status: [{ value: false }],
  };
  const send = async (identity: IdentityName, method: string, path: string, fields: object) =>
    atoll
      .send(method, path)
      .set(await authorizationOf(atoll.world(), identity))
      .send(fields);
  const node = { type: [{ target_id: 'islandora_object' }] };
  const newNode = { ...node, title: [{ value: 'A title' }], field_model: [{ target_id: 24 }] };

  it.each([
    ...['nid', 'changed', 'revision_timestamp', 'revision_uid'].map((field) => ['admin', field] as const),
    ...editorial.map((field) => ['editor', field] as const),
  ])('is 403 to %s on creating %s', async (identity, field) => {
    const response = await send(identity, 'POST', '/node', { ...newNode, [field]: values[field] });
    expect([response.status, response.body]).toEqual([403, { message: `Access denied on creating field '${field}'.` }]);
  });

  it.each([
    ['admin', 'nid', ' The entity ID cannot be changed.'],
    ['admin', 'uuid', ' The entity UUID cannot be changed.'],
    ...['changed', 'revision_timestamp', 'revision_uid'].map((field) => ['admin', field, ''] as const),
    ...editorial.map((field) => ['editor', field, " The 'administer nodes' permission is required."] as const),
    ...editorial.map((field) => ['owner', field, " The 'administer nodes' permission is required."] as const),
  ] as const)('is 403 to %s on updating %s of a node', async (identity, field, reason) => {
    const response = await send(identity, 'PATCH', '/node/20', { ...node, [field]: values[field] });
    const message = `Access denied on updating field '${field}'.${reason}`;
    expect([response.status, response.body]).toEqual([403, { message }]);
  });

  it.each(editorial)('is 201 and 200 to admin for %s', async (field) => {
    const sent = { [field]: values[field] };
    expect((await send('admin', 'POST', '/node', { ...newNode, ...sent })).status).toBe(201);
    expect((await send('admin', 'PATCH', '/node/20', { ...node, ...sent })).status).toBe(200);
  });

  it.each([
    ['mid', ' The entity ID cannot be changed.'],
    ['uuid', ' The entity UUID cannot be changed.'],
    ['changed', ''],
  ])('is 403 to admin on updating %s of a media', async (field, reason) => {
    const response = await send('admin', 'PATCH', '/media/60', {
      bundle: [{ target_id: 'image' }],
      [field]: values[field],
    });
    const message = `Access denied on updating field '${field}'.${reason}`;
    expect([response.status, response.body]).toEqual([403, { message }]);
  });

  it('is 200 to whoever may update the media for its owner, status and creation', async () => {
    for (const field of ['created', 'status', 'uid']) {
      const fields = { bundle: [{ target_id: 'image' }], [field]: values[field] };
      expect((await send('editor', 'PATCH', '/media/60', fields)).status).toBe(200);
    }
  });
});
