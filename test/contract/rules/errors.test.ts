/** The contract's table of errors: 401, 403, 404, and the bodies of the recorded 404s. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { anonymous, basic, bearer, cookie, sendJson, visit } from '../../support/requests.ts';
import { recording } from '../recordings/exchanges.ts';

let atoll: TestAtoll;

beforeAll(async () => {
  atoll = await createTestAtoll();
});
beforeEach(() => atoll.reset());

const title = { type: [{ target_id: 'islandora_object' }], title: [{ value: 'No' }] };
const rows = {
  'POST /node': ['POST', '/node?_format=json', { ...title, field_model: [{ target_id: 22 }] }],
  'PATCH of a node': ['PATCH', '/node/5?_format=json', title],
  'DELETE of a node': ['DELETE', '/node/5?_format=json', undefined],
  'GET of a media': ['GET', '/media/1?_format=json', undefined],
  'HEAD of a media': ['HEAD', '/media/1?_format=json', undefined],
  'PATCH of a media': ['PATCH', '/media/1?_format=json', { bundle: [{ target_id: 'image' }], name: [{ value: 'n' }] }],
  'DELETE of a media': ['DELETE', '/media/1?_format=json', undefined],
  'GET of an unpublished node': ['GET', '/node/21?_format=json', undefined],
  'GET of a file in the external store': ['GET', '/entity/file/1?_format=json', undefined],
  'GET of content in the external store': ['GET', '/_flysystem/fedora/2019-03/fleet-at-anchor.png', undefined],
  'DELETE of a file': ['DELETE', '/entity/file/1?_format=json', undefined],
  'PUT of a media': ['PUT', '/node/22/media/image/16', undefined],
  'PUT of a source': ['PUT', '/media/1/source', undefined],
  'GET of an account': ['GET', '/user/2?_format=json', undefined],
  'GET /jwt/token': ['GET', '/jwt/token?_format=json', undefined],
} as const;
const names = Object.keys(rows) as (keyof typeof rows)[]; // the object's own keys

const ask = (name: keyof typeof rows, visitor = anonymous) => {
  const [method, path, body] = rows[name];
  return body === undefined ? visit(atoll, visitor, method, path) : sendJson(atoll, visitor, method, path, body);
};

describe('401: no credentials on a request that requires them', () => {
  it.each(names)('%s is 401 with a challenge', async (name) => {
    const response = await ask(name);
    expect(response.status).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Basic realm="Contract Site"');
    if (!name.startsWith('HEAD')) {
      expect(response.body).toEqual({ message: 'No authentication credentials provided.' });
    }
    expect(response.type).toBe('application/json');
  });
});

describe('403: credentials supplied but the permission is missing', () => {
  it.each(names.filter((name) => name !== 'GET /jwt/token'))(
    '%s as `plain` is 403, by every provider',
    async (name) => {
      for (const visitor of [basic('plain'), await bearer(atoll, 'plain'), await cookie(atoll, 'plain')]) {
        const response = await ask(name, visitor);
        expect(response.status).toBe(403);
        expect(response.headers['www-authenticate']).toBeUndefined();
        if (!name.startsWith('HEAD')) expect(Object.keys(response.body as object)).toEqual(['message']);
      }
    },
  );

  it.each(names)('%s with wrong credentials, or those of a blocked account, is 403', async (name) => {
    for (const visitor of [basic('editor', 'wrong'), basic('blocked')]) {
      expect((await ask(name, visitor)).status).toBe(403);
    }
  });

  it('wrong credentials see what everybody may see', async () => {
    expect((await visit(atoll, basic('editor', 'wrong'), 'GET', '/node/5?_format=json')).status).toBe(200);
  });

  it.each([
    ['PATCH', '/node/5', `The 'edit any islandora_object content' permission is required.`],
    ['DELETE', '/node/5', `The 'delete any islandora_object content' permission is required.`],
    ['GET', '/media/1', `The 'view media' permission is required when the media item is published.`],
    ['GET', '/user/2', `The 'access user profiles' permission is required.`],
  ])('%s %s says which permission is missing', async (method, path, message) => {
    const request =
      method === 'PATCH'
        ? sendJson(atoll, basic('plain'), method, `${path}?_format=json`, title)
        : visit(atoll, basic('plain'), method, `${path}?_format=json`);
    expect((await request).body).toEqual({ message });
  });
});

describe('404: the entity does not exist or was deleted', () => {
  it.each([
    ['node', '/node/999'],
    ['media', '/media/999'],
    ['file', '/entity/file/999'],
  ])(
    'a missing %s has the recorded body, as application/json under every format, for everybody',
    async (kind, path) => {
      for (const visitor of [anonymous, basic('plain'), basic('admin')]) {
        for (const format of ['json', 'jsonld']) {
          const response = await visit(atoll, visitor, 'GET', `${path}?_format=${format}`);
          expect(response.status).toBe(404);
          expect(response.type).toBe('application/json');
          expect(JSON.parse(response.text)).toEqual(recording(`docs-${kind}-404`));
        }
        const head = await visit(atoll, visitor, 'HEAD', `${path}?_format=json`);
        expect([head.status, head.type]).toEqual([404, 'application/json']);
      }
    },
  );

  it.each([
    ['node', '/node/5'],
    ['media', '/media/1'],
    ['file', '/entity/file/1'],
  ])('a deleted %s has the same body', async (kind, path) => {
    await visit(atoll, basic('admin'), 'DELETE', `${path}?_format=json`).expect(204);
    const response = await visit(atoll, anonymous, 'GET', `${path}?_format=json`);
    expect(response.body).toEqual(recording(`docs-${kind}-404`));
  });

  it.each([
    ['PATCH', '/node/999', 'node', '/node/{node}', 'rest.entity.node.PATCH'],
    ['DELETE', '/node/999', 'node', '/node/{node}', 'rest.entity.node.DELETE'],
    ['PATCH', '/media/999', 'media', '/media/{media}', 'rest.entity.media.PATCH'],
    ['DELETE', '/media/999', 'media', '/media/{media}', 'rest.entity.media.DELETE'],
    ['DELETE', '/entity/file/999', 'file', '/entity/file/{file}', 'rest.entity.file.DELETE'],
    ['GET', '/taxonomy/term/999', 'taxonomy_term', '/taxonomy/term/{taxonomy_term}', 'rest.entity.taxonomy_term.GET'],
    ['GET', '/user/999', 'user', '/user/{user}', 'rest.entity.user.GET'],
  ])('%s %s names its parameter, path and route', async (method, path, parameter, pattern, route) => {
    const request = visit(atoll, anonymous, method, `${path}?_format=json`);
    const response = await (method === 'PATCH' ? request.set('Content-Type', 'application/json').send('{}') : request);
    expect(response.status).toBe(404);
    expect(response.body).toEqual({
      message: `The "${parameter}" parameter was not converted for the path "${pattern}" (route name: "${route}")`,
    });
  });
});
