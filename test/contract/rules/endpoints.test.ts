/** The contract's table of endpoints, one test a row, and what is offered nowhere. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { baseUrl, createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { pngBytes } from '../../support/png.ts';
import { anonymous, basic, linksOf, sendJson, visit } from '../../support/requests.ts';
import { recording } from '../recordings/exchanges.ts';

let atoll: TestAtoll;
const editor = basic('editor');

beforeAll(async () => {
  atoll = await createTestAtoll();
});
beforeEach(() => atoll.reset());

const mediaTypes = { json: 'application/json', jsonld: 'application/ld+json' } as const;

describe('the endpoints', () => {
  it.each(['json', 'jsonld'] as const)('GET /node/{node_id} as %s: 200, the node, Link headers', async (format) => {
    const response = await visit(atoll, anonymous, 'GET', `/node/5?_format=${format}`);
    expect(response.status).toBe(200);
    expect(response.type).toBe(mediaTypes[format]);
    const text = JSON.stringify(response.body);
    expect(text).toContain('Fishing fleet at anchor off Gannet Point');
    expect(format in { json: 1 } ? Object.keys(response.body as object) : ['nid']).toContain('nid');
    expect(linksOf(response).length).toBeGreaterThan(3);
  });

  it('POST /node: 201, Location with the URI of the new node, the created node as JSON', async () => {
    const body = recording('docs-node-post-request');
    const response = await sendJson(atoll, editor, 'POST', '/node?_format=json', body);
    expect(response.status).toBe(201);
    expect(response.headers['location']).toBe(`${baseUrl}/node/31`);
    expect(response.type).toBe('application/json');
    expect(response.body).toMatchObject({ field_model: [{ target_id: 23, url: '/taxonomy/term/23' }] });
  });

  it('PATCH /node/{node_id}: 200, the updated node', async () => {
    const body = { type: [{ target_id: 'islandora_object' }], title: [{ value: 'Anew' }] };
    const response = await sendJson(atoll, editor, 'PATCH', '/node/5?_format=json', body);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ nid: [{ value: 5 }], title: [{ value: 'Anew' }] });
  });

  it('GET /media/{media_id}: 200, the media record, Link headers', async () => {
    const response = await visit(atoll, editor, 'GET', '/media/1?_format=json');
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ mid: [{ value: 1 }], bundle: [{ target_id: 'image' }] });
    expect(linksOf(response).map(({ rel }) => rel)).toContain('describes');
  });

  it('PATCH /media/{media_id}: 200, the updated media', async () => {
    const body = {
      bundle: [{ target_id: 'image' }],
      field_media_use: [{ target_id: 17, target_type: 'taxonomy_term' }],
    };
    const response = await sendJson(atoll, editor, 'PATCH', '/media/1?_format=json', body);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ mid: [{ value: 1 }], field_media_use: [{ target_id: 17 }] });
  });

  it.each(['/node/5', '/media/1', '/entity/file/1'])('DELETE %s: 204, no body', async (path) => {
    const response = await visit(atoll, basic('admin'), 'DELETE', `${path}?_format=json`);
    expect(response.status).toBe(204);
    expect(response.text).toBe('');
    expect(response.headers['content-type']).toBeUndefined();
  });

  it('GET /entity/file/{file_id}: 200, metadata only', async () => {
    const response = await visit(atoll, editor, 'GET', '/entity/file/1?_format=json');
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      fid: [{ value: 1 }],
      filename: [{ value: 'fleet-at-anchor.png' }],
      uri: [{ value: 'fedora://2019-03/fleet-at-anchor.png', url: '/_flysystem/fedora/2019-03/fleet-at-anchor.png' }],
      filemime: [{ value: 'image/png' }],
    });
  });

  it.each([
    ['/entity/file/2', '/sites/default/files/', 'image/jpeg'],
    ['/entity/file/1', '/_flysystem/fedora/', 'image/png'],
  ])('GET of the `url` of %s: the binary content, under %s', async (path, prefix, mediaType) => {
    const file = await visit(atoll, editor, 'GET', `${path}?_format=json`);
    const { uri, filesize } = file.body as { uri: [{ url: string }]; filesize: [{ value: number }] }; // checked against the document by the engine
    expect(uri[0].url.startsWith(prefix)).toBe(true);
    const content = await visit(atoll, editor, 'GET', uri[0].url);
    expect(content.status).toBe(200);
    expect(content.type).toBe(mediaType);
    expect((content.body as Buffer).length).toBe(filesize[0].value);
  });

  it('PUT /node/{node_id}/media/{media_type}/{media_use_term_id}: 201, Location with the media URI, empty body', async () => {
    const response = await visit(atoll, editor, 'PUT', '/node/22/media/image/16')
      .set({ 'Content-Type': 'image/png', 'Content-Location': 'fedora://postcards/1.png' })
      .send(pngBytes());
    expect(response.status).toBe(201);
    expect(response.headers['location']).toBe(`${baseUrl}/media/64`);
    expect(response.text).toBe('');
    expect(response.headers['content-type']).toBeUndefined();
  });

  it('GET /jwt/token, as an authenticated user: 200, {"token": …} that opens later requests', async () => {
    const response = await visit(atoll, editor, 'GET', '/jwt/token?_format=json');
    expect(response.status).toBe(200);
    const { token, ...rest } = response.body as { token: string }; // checked against the document by the engine
    expect(rest).toEqual({});
    const media = await atoll.send('GET', '/media/1?_format=json').set('Authorization', `Bearer ${token}`);
    expect(media.status).toBe(200);
  });
});

describe('methods that a path does not have', () => {
  it.each([
    ['POST', '/node/1', 'DELETE, GET, HEAD, PATCH'],
    ['PUT', '/node/1', 'DELETE, GET, HEAD, PATCH'],
    ['GET', '/node', 'POST'],
    ['PATCH', '/node', 'POST'],
    ['POST', '/media/1', 'DELETE, GET, HEAD, PATCH'],
    ['PUT', '/media/64', 'DELETE, GET, HEAD, PATCH'],
    ['PATCH', '/entity/file/1', 'DELETE, GET, HEAD'],
    ['POST', '/entity/file/1', 'DELETE, GET, HEAD'],
    ['PUT', '/entity/file/67', 'DELETE, GET, HEAD'],
    ['GET', '/node/1/media/image/16', 'PUT'],
    ['HEAD', '/node/1/media/image/16', 'PUT'],
    ['POST', '/node/1/media/image/16', 'PUT'],
    ['PATCH', '/node/1/media/image/16', 'PUT'],
    ['DELETE', '/node/1/media/image/16', 'PUT'],
    ['GET', '/media/1/source', 'PUT'],
    ['PUT', '/sites/default/files/a.txt', 'GET, HEAD'],
    ['PATCH', '/user/1', 'GET, HEAD'],
    ['GET', '/user/login', 'POST'],
    ['PATCH', '/jwt/token', 'GET, HEAD, POST'],
  ])('%s %s is 405 with Allow: %s, whoever asks', async (method, path, allow) => {
    for (const name of [undefined, 'admin']) {
      const response = await atoll.send(method, `${path}?_format=json`, name);
      expect(response.status).toBe(405);
      expect(response.headers['allow']).toBe(allow);
      if (method !== 'HEAD') {
        expect(response.body).toEqual({
          message: `No route found for "${method} ${baseUrl}${path}": Method Not Allowed (Allow: ${allow})`,
        });
      }
    }
  });

  it.each([
    ['/node/1', 'DELETE, GET, HEAD, PATCH'],
    ['/node/999', 'DELETE, GET, HEAD, PATCH'],
    ['/node/1/media/image/16', 'PUT'],
  ])('OPTIONS %s is 200, empty, with Allow: %s', async (path, allow) => {
    const response = await atoll.send('OPTIONS', path);
    expect([response.status, response.text, response.headers['allow']]).toEqual([200, '', allow]);
  });
});
