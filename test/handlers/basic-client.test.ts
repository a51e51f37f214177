/** A client of today from end to end, with Basic credentials and nothing else: no cookie, no token, no knowledge of ids. */
import { expect, it } from '@jest/globals';
import { baseUrl, createTestAtoll } from '../support/atoll.ts';
import { pngBytes } from '../support/png.ts';

const atoll = await createTestAtoll({ fixture: 'empty' });

type RecordBody = Record<string, { value?: unknown; target_id?: unknown; url?: string }[]>;

const idOf = (record: unknown, field: string): number => Number((record as RecordBody)[field]?.[0]?.value); // a record, checked by the engine
const bytes = pngBytes(20, 10);

const termId = async (uri: string): Promise<number> => {
  const found = await atoll.send('GET', '/term_from_uri', 'editor').query({ _format: 'json', uri }).expect(200);
  return idOf((found.body as unknown[])[0], 'tid');
};

it('a script that uses only Basic credentials creates an object with a term looked up by URI, uploads by both ways, lists its media and members, and deletes all of it in the order file → media → node', async () => {
  await atoll.reset();
  const model = await termId('http://purl.org/coar/resource_type/c_c513');
  const original = await termId('http://pcdm.org/use#OriginalFile');
  const thumbnail = await termId('http://pcdm.org/use#ThumbnailImage');

  const type = [{ target_id: 'islandora_object', target_type: 'node_type' }];
  const post = (title: string, more: object = {}) =>
    atoll
      .send('POST', '/node?_format=json', 'editor')
      .send({ type, title: [{ value: title }], field_model: [{ target_id: String(model) }], ...more })
      .expect(201);
  const object = idOf((await post('Harbour at dawn')).body, 'nid');
  const page = idOf((await post('Page 1', { field_member_of: [{ target_id: object }] })).body, 'nid');

  const put = await atoll
    .send('PUT', `/node/${object}/media/image/${original}`, 'editor')
    .set('Content-Type', 'image/png')
    .set('Content-Location', 'fedora://2024-05/dawn.png')
    .send(bytes)
    .expect(201);
  const uploaded = await atoll
    .send('POST', '/file/upload/media/image/field_media_image?_format=json', 'editor')
    .set('Content-Type', 'application/octet-stream')
    .set('Content-Disposition', `file; filename="dawn.png"; filename*=utf-8''dawn.png`)
    .send(bytes)
    .expect(201);
  const created = await atoll
    .send('POST', '/entity/media', 'editor')
    .send({
      bundle: [{ target_id: 'image', target_type: 'media_type' }],
      name: [{ value: 'Dawn, small' }],
      field_media_image: [{ target_id: idOf(uploaded.body, 'fid'), target_type: 'file', alt: 'A harbour' }],
      field_media_of: [{ target_id: object }],
      field_media_use: [{ target_id: thumbnail }],
    })
    .expect(201);

  const listed = await atoll.send('GET', `/node/${object}/media?_format=json`, 'editor').expect(200);
  const media = listed.body as RecordBody[];
  expect(media.map((record) => `${baseUrl}/media/${idOf(record, 'mid')}`)).toEqual([
    put.headers['location'],
    created.headers['location'],
  ]);
  expect(media.map((record) => record['field_media_use']?.[0]?.target_id)).toEqual([original, thumbnail]);
  const members = await atoll.send('GET', `/node/${object}/members?_format=json`, 'editor').expect(200);
  expect((members.body as unknown[]).map((record) => idOf(record, 'nid'))).toEqual([page]);
  for (const record of media) {
    const file = record['field_media_image']?.[0];
    const content = (file?.url ?? '').replace(baseUrl, '');
    const served = await atoll.send('GET', content, 'editor').expect(200);
    expect(served.body).toEqual(bytes);
    await atoll.send('DELETE', `/entity/file/${Number(file?.target_id)}?_format=json`, 'editor').expect(204);
    await atoll.send('GET', content, 'editor').expect(404);
  }
  for (const record of media) {
    await atoll.send('DELETE', `/media/${idOf(record, 'mid')}/edit?_format=json`, 'editor').expect(204);
  }
  expect((await atoll.send('GET', `/node/${object}/media?_format=json`, 'editor').expect(200)).body).toEqual([]);
  for (const node of [page, object]) {
    await atoll.send('DELETE', `/node/${node}?_format=json`, 'editor').expect(204);
    await atoll.send('GET', `/node/${node}?_format=json`, 'editor').expect(404);
  }
});
