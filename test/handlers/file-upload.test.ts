/** The standard upload into a guarded storage. The rest is in `test/expected/default/upload.yml` and in the recordings. */
import { expect, it } from '@jest/globals';
import { createTestAtoll } from '../support/atoll.ts';
import { pngBytes } from '../support/png.ts';
import { recordOf } from '../support/requests.ts';

it('A temporary file in a guarded storage is shown and served to who uploaded it, and to nobody else until a media uses it', async () => {
  const guarded = await createTestAtoll({ site: (site) => ({ ...site, defaultScheme: 'fedora' }) });
  const headers = { 'Content-Type': 'application/octet-stream', 'Content-Disposition': 'file; filename="a.png"' };
  const upload = guarded.send('POST', '/file/upload/media/image/field_media_image', 'editor').set(headers);
  const file = recordOf(await upload.send(pngBytes()).expect(201))['fid']?.[0]?.['value'];
  const paths = [`/entity/file/${String(file)}?_format=json`, '/_flysystem/fedora/2024-05/a.png'];
  const statuses = async (as?: string) =>
    Promise.all(paths.map(async (path) => (await guarded.send('GET', path, as)).status));
  expect([await statuses('editor'), await statuses('viewer'), await statuses()]).toEqual([
    [200, 200],
    [403, 403],
    [401, 401],
  ]);
  const body = { bundle: 'image', name: ['n'], field_media_image: [{ target_id: file }] };
  await guarded.send('POST', '/entity/media', 'editor').send(body).expect(201);
  expect(await statuses('viewer')).toEqual([200, 200]);
});
