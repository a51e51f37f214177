/** The contract's table of states and transitions, one test a row. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { baseUrl, createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { pngBytes } from '../../support/png.ts';
import { basic, pathOf, putContent, sendJson, visit } from '../../support/requests.ts';
import { recording } from '../recordings/exchanges.ts';

let atoll: TestAtoll;
const editor = basic('editor');
const post = recording('docs-node-post-request');

beforeAll(async () => {
  atoll = await createTestAtoll();
});
beforeEach(() => atoll.reset());

describe('the existence of a record', () => {
  it('does not exist → POST /node, authorized, valid body → exists: 201, Location, the new node as body', async () => {
    expect((await visit(atoll, editor, 'GET', '/node/31?_format=json')).status).toBe(404);
    const created = await sendJson(atoll, editor, 'POST', '/node?_format=json', post);
    expect(created.status).toBe(201);
    expect(created.headers['location']).toBe(`${baseUrl}/node/31`);
    expect(created.body).toMatchObject({ nid: [{ value: 31 }], title: [{ value: 'Created a collection with POST' }] });
    const found = await visit(atoll, editor, 'GET', '/node/31?_format=json');
    expect(found.status).toBe(200);
    expect(found.body).toEqual(created.body);
  });

  it('does not exist → PUT, no media for the node and the term → media and file exist: 201, Location of the media', async () => {
    const bytes = pngBytes();
    const created = await putContent(atoll, editor, '/node/22/media/image/16', 'public://new.png', bytes);
    expect(created.status).toBe(201);
    expect(created.headers['location']).toBe(`${baseUrl}/media/64`);
    const media = await visit(atoll, editor, 'GET', '/media/64?_format=json');
    expect(media.body).toMatchObject({
      field_media_of: [{ target_id: 22 }],
      field_media_use: [{ target_id: 16 }],
      field_media_image: [{ target_id: 67 }],
    });
    const file = await visit(atoll, editor, 'GET', '/entity/file/67?_format=json');
    expect(file.body).toMatchObject({ filesize: [{ value: bytes.length }], uri: [{ value: 'public://new.png' }] });
  });

  it('exists → the same PUT → exists, the content of its file replaced with the body: 204, same media and file', async () => {
    await putContent(atoll, editor, '/node/22/media/image/16', 'public://new.png', pngBytes(40, 30));
    const again = pngBytes(50, 20, 7);
    const replaced = await putContent(atoll, editor, '/node/22/media/image/16', 'public://new.png', again);
    expect(replaced.status).toBe(204);
    expect(replaced.headers['location']).toBeUndefined();
    const file = await visit(atoll, editor, 'GET', '/entity/file/67?_format=json');
    const { uri } = file.body as { uri: [{ url: string }] }; // checked against the document by the engine
    expect((await visit(atoll, editor, 'GET', uri[0].url)).body).toEqual(again);
    expect((await visit(atoll, editor, 'GET', '/media/65?_format=json')).status).toBe(404);
    expect((await visit(atoll, editor, 'GET', '/media/64?_format=json')).body).toMatchObject({
      field_width: [{ value: 50 }],
      field_height: [{ value: 20 }],
    });
  });

  it.each([
    ['node', '/node/5', { type: [{ target_id: 'islandora_object' }], title: [{ value: 'Another title' }] }, 'title'],
    ['media', '/media/1', { bundle: [{ target_id: 'image' }], name: [{ value: 'another.png' }] }, 'name'],
  ])(
    'exists → PATCH of a %s, authorized → exists: 200, `changed` updated, the updated record as body',
    async (...row) => {
      const [, path, body, field] = row;
      const before = await visit(atoll, editor, 'GET', `${path}?_format=json`);
      const patched = await sendJson(atoll, editor, 'PATCH', `${path}?_format=json`, body);
      expect(patched.status).toBe(200);
      const sent: unknown = Object.values(body)[1];
      expect(patched.body).toEqual({
        ...(before.body as object), // superagent's body is `any`
        [field]: sent,
        changed: [{ value: '2024-05-01T12:00:00+00:00', format: 'Y-m-d\\TH:i:sP' }],
      });
      expect((await visit(atoll, editor, 'GET', `${path}?_format=json`)).body).toEqual(patched.body);
    },
  );

  it.each(['/node/5', '/media/1', '/entity/file/1'])(
    'exists → DELETE %s → deleted: 204 without a body; deleted → GET: 404 for everybody',
    async (path) => {
      const deleted = await visit(atoll, basic('admin'), 'DELETE', `${path}?_format=json`);
      expect(deleted.status).toBe(204);
      expect(deleted.text).toBe('');
      for (const name of ['admin', 'editor', undefined]) {
        expect((await atoll.send('GET', `${path}?_format=json`, name)).status).toBe(404);
        expect((await atoll.send('GET', `${path}?_format=jsonld`, name)).status).toBe(404);
      }
      expect((await visit(atoll, basic('admin'), 'DELETE', `${path}?_format=json`)).status).toBe(404);
    },
  );

  it('deleted → ids are not given again', async () => {
    const first = await sendJson(atoll, editor, 'POST', '/node?_format=json', post);
    const address = pathOf(first.headers['location']);
    await visit(atoll, editor, 'DELETE', `${address}?_format=json`);
    const second = await sendJson(atoll, editor, 'POST', '/node?_format=json', post);
    expect(second.headers['location']).toBe(`${baseUrl}/node/32`);
    expect((await visit(atoll, editor, 'GET', `${address}?_format=json`)).status).toBe(404);
  });
});
