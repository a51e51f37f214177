/** What a reading by fresh eyes found, each as the request that showed it. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { pngBytes } from '../../support/png.ts';

const atoll: TestAtoll = await createTestAtoll();
beforeEach(async () => {
  await atoll.reset();
});
const json = (body: object): string => JSON.stringify(body);

describe('A guarded file that one may not see', () => {
  const hideOne = async (): Promise<number> => {
    const place = atoll.send('PUT', '/node/22/media/image/16', 'admin');
    const put = await place
      .set('Content-Type', 'image/png')
      .set('Content-Location', 'fedora://s/secret.png')
      .send(pngBytes());
    const path = new URL(String(put.headers['location'])).pathname;
    const body = json({ bundle: [{ target_id: 'image' }], status: [{ value: false }] });
    const hidden = await atoll.send('PATCH', path, 'admin').set('Content-Type', 'application/json').send(body);
    return (hidden.body as { field_media_image: { target_id: number }[] }).field_media_image[0]?.target_id ?? 0;
  };

  it('cannot be used for a media of one’s own: 422, and its content stays 403', async () => {
    const file = await hideOne();
    expect((await atoll.send('GET', '/_flysystem/fedora/s/secret.png', 'owner')).status).toBe(403);
    const own = {
      bundle: [{ target_id: 'image' }],
      name: [{ value: 'mine' }],
      field_media_image: [{ target_id: file }],
    };
    const posted = await atoll
      .send('POST', '/entity/media', 'owner')
      .set('Content-Type', 'application/json')
      .send(json(own));
    expect([posted.status, (posted.body as { message: string }).message]).toEqual([
      422,
      `Unprocessable Entity: validation failed.\nfield_media_image.0: You do not have access to the referenced entity (file: ${file}).\n`,
    ]);
    expect((await atoll.send('GET', '/_flysystem/fedora/s/secret.png', 'owner')).status).toBe(403);
  });

  it('can be used by who may see it: 201', async () => {
    const file = await hideOne();
    const own = {
      bundle: [{ target_id: 'image' }],
      name: [{ value: 'ours' }],
      field_media_image: [{ target_id: file }],
    };
    const posted = await atoll
      .send('POST', '/entity/media', 'admin')
      .set('Content-Type', 'application/json')
      .send(json(own));
    expect(posted.status).toBe(201);
  });
});

describe('The control interface', () => {
  it.each([{ Host: 'evil.example' }, { 'X-Forwarded-For': '192.0.2.1' }, { Forwarded: 'for=192.0.2.1' }])(
    'is 403 for %j: through a proxy, or under another name of this machine',
    async (headers) => {
      expect((await request(atoll.server).get('/_atoll/').set(headers)).status).toBe(403);
      expect((await request(atoll.server).get('/_atoll/entities?type=user').set(headers)).status).toBe(403);
    },
  );

  it('is 200 for this machine under its own names', async () => {
    expect((await request(atoll.server).get('/_atoll/').set('Host', 'localhost:8000')).status).toBe(200);
    expect((await request(atoll.server).get('/_atoll/').set('Host', '[::1]:8000')).status).toBe(200);
  });
});

it('refuses an HTML page for the thumbnail field of the standard upload: 422', async () => {
  const upload = atoll.send('POST', '/file/upload/media/image/thumbnail', 'owner');
  const answer = await upload
    .set('Content-Type', 'application/octet-stream')
    .set('Content-Disposition', 'file; filename="evil.html"')
    .send('<script>');
  expect(answer.status).toBe(422);
});

it('escapes the address in the Link headers of a 406', async () => {
  const answer = await request(atoll.server).get('/node/1%3E;rel=%22evil%22,%3Cx');
  expect(answer.status).toBe(406);
  expect(String(answer.headers['link'])).not.toContain('rel="evil"');
});

it('mocks in the format that is asked for', async () => {
  const answer = await request(atoll.server).get('/node/1?_format=jsonld').set('Prefer', 'code=200');
  expect([answer.status, answer.type, answer.headers['atoll-mocked']]).toEqual([200, 'application/ld+json', 'true']);
});
