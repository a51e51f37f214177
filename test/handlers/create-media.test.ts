/** `POST /entity/media` and the address `/media/{media_id}/edit`: what they answer. Refusals that all operations share are in `refusals.test.ts`. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { baseUrl, createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { pngBytes } from '../support/png.ts';
import { messageOf, recordOf } from '../support/requests.ts';

const atoll = await createTestAtoll();
beforeEach(() => atoll.reset());

const send = (body: object, as: string | undefined = 'editor') =>
  atoll.send('POST', '/entity/media?_format=json', as).send(body);
const image = { bundle: [{ target_id: 'image' }] };
const withName = { ...image, name: [{ value: 'n' }] };

/** Stores a small image and gives its file id. */
const upload = async (as = 'editor', name = 'a.png'): Promise<number> => {
  const response = await atoll
    .send('POST', '/file/upload/media/image/field_media_image', as)
    .set('Content-Type', 'application/octet-stream')
    .set('Content-Disposition', `file; filename="${name}"`)
    .send(pngBytes(40, 30))
    .expect(201);
  return Number(recordOf(response)['fid']?.[0]?.['value']);
};

/** A new image with a name of its own and the given caption. */
const named = async (file: number, alt: string): Promise<string> => {
  const body = { ...image, name: [{ value: 'Own' }], field_media_image: [{ target_id: file, alt }] };
  return `/media/${String(recordOf(await send(body).expect(201))['mid']?.[0]?.['value'])}?_format=json`;
};

/** The id of a new file with a text. */
const storedText = async (to: TestAtoll, account: 'editor' | 'admin') => {
  const stored = await to
    .send('POST', '/file/upload/media/file/field_media_file', account)
    .set('Content-Type', 'application/octet-stream')
    .set('Content-Disposition', 'file; filename="a.txt"')
    .send('abc')
    .expect(201);
  return recordOf(stored)['fid']?.[0]?.['value'];
};

describe('PATCH of a media with its source field', () => {
  const patch = async (path: string, body: object) =>
    recordOf(
      await atoll
        .send('PATCH', path, 'editor')
        .send({ ...image, ...body })
        .expect(200),
    );
  const fromFile = {
    name: [{ value: 'boat.png' }],
    field_mime_type: [{ value: 'image/png' }],
    field_width: [{ value: 40 }],
  };

  it.each([
    ['another caption', { alt: 'B' }, {}],
    ['the same caption, without the dimensions', { alt: 'A' }, {}],
    ['a name in the same body', { alt: 'B' }, { name: [{ value: 'Mine' }], field_mime_type: [{ value: 'x/y' }] }],
    ['other dimensions', { alt: 'A', width: 7, height: 5 }, { field_width: [{ value: 7 }] }],
  ])('takes name, type and dimensions from the file again: %s', async (_what, item, others) => {
    const file = await upload('editor', 'boat.png');
    const path = await named(file, 'A');
    await patch(path, { field_mime_type: [{ value: 'a/b' }] });
    expect(await patch(path, { ...others, field_media_image: [{ target_id: file, ...item }] })).toMatchObject(fromFile);
  });

  it('leaves them when the whole present item is sent, or no source field', async () => {
    const file = await upload('editor', 'boat.png');
    const path = await named(file, 'A');
    const whole = { target_id: file, alt: 'A', title: null, width: 40, height: 30 };
    const sent = { field_media_image: [whole], field_mime_type: [{ value: 'a/b' }] };
    expect(await patch(path, sent)).toMatchObject({ name: [{ value: 'Own' }], field_mime_type: [{ value: 'a/b' }] });
    expect(await patch(path, { status: [{ value: true }] })).toMatchObject({ name: [{ value: 'Own' }] });
  });
});

describe('a guarded file', () => {
  /** A guarded file of `owner` with one media, and what each account gets of its record and its bytes. */
  const prepared = async () => {
    const node = '/node/22/media/image/17';
    const headers = { 'Content-Type': 'image/png', 'Content-Location': 'fedora://kept/a.png' };
    const { headers: sent } = await atoll.send('PUT', node, 'editor').set(headers).send(pngBytes()).expect(201);
    const media = `${String(sent['location']).slice(baseUrl.length)}?_format=json`;
    const record = recordOf(await atoll.send('GET', media, 'admin'));
    const file = `/entity/file/${String(record['field_media_image']?.[0]?.['target_id'])}?_format=json`;
    const statuses = async (path: string): Promise<readonly number[]> => {
      const found: number[] = [];
      for (const as of ['admin', 'editor', 'viewer', undefined]) found.push((await atoll.send('GET', path, as)).status);
      return found;
    };
    const content = '/_flysystem/fedora/kept/a.png';
    return { media, both: async () => [await statuses(file), await statuses(content)] };
  };

  it('follows its media: who may not see any of them is refused, the owner of the file too', async () => {
    const { media, both } = await prepared();
    expect(await both()).toEqual([
      [200, 200, 200, 401],
      [200, 200, 200, 401],
    ]);
    await atoll
      .send('PATCH', media, 'admin')
      .send({ ...image, status: [{ value: false }] })
      .expect(200);
    expect(await both()).toEqual([
      [200, 403, 403, 401],
      [200, 403, 403, 401],
    ]);
  });

  it('without media is its owner’s: not even uid 1 sees the record, but the bytes', async () => {
    const { media, both } = await prepared();
    await atoll.send('DELETE', media, 'admin').expect(204);
    expect(await both()).toEqual([
      [403, 200, 403, 401],
      [200, 200, 403, 401],
    ]);
  });
});

describe('POST /entity/media', () => {
  it('answers 201 with the address and the record, size and dimensions drawn from the file', async () => {
    const file = await upload();
    const response = await send({ ...withName, field_media_image: [{ target_id: file }] }).expect(201);
    const media = recordOf(response);
    const mid = media['mid']?.[0]?.['value'];
    expect(response.headers['location']).toBe(`${baseUrl}/media/${String(mid)}`);
    expect(media).toMatchObject({
      revision_user: [],
      status: [{ value: true }],
      name: [{ value: 'n' }],
      uid: [{ target_id: 2 }],
      thumbnail: [{ target_id: file, alt: null, title: null, width: 40, height: 30 }],
      field_file_size: [{ value: pngBytes(40, 30).length }],
      field_height: [{ value: 30 }],
      field_width: [{ value: 40 }],
      field_mime_type: [{ value: 'image/png' }],
      field_media_image: [{ target_id: file, alt: null, width: 40, height: 30, target_type: 'file' }],
      field_media_of: [],
      field_media_use: [],
    });
    expect(recordOf(await atoll.send('GET', `/media/${String(mid)}?_format=json`, 'editor'))).toEqual(media);
  });

  it('gives media without a picture of their own the generic icon as thumbnail', async () => {
    const bundle = [{ target_id: 'file' }];
    const file = await storedText(atoll, 'editor');
    const body = { bundle, name: [{ value: 'n' }], field_media_file: [{ target_id: file }] };
    expect(recordOf(await send(body).expect(201))['thumbnail']).toMatchObject([{ alt: '', width: 180, height: 180 }]);
  });

  it('makes the generic icon at its first use, which anybody can read', async () => {
    const empty = await createTestAtoll({ fixture: 'empty' });
    const body = {
      ...{ bundle: [{ target_id: 'file' }], name: [{ value: 'n' }] },
      field_media_file: [{ target_id: await storedText(empty, 'admin') }],
    };
    const made = recordOf(await empty.send('POST', '/entity/media?_format=json', 'admin').send(body).expect(201));
    const address = String(made['thumbnail']?.[0]?.['url']);
    const icon = await empty.send('GET', address.replace(baseUrl, ''), undefined).expect(200);
    expect([icon.type, Number(icon.headers['content-length'])]).toEqual(['image/png', expect.any(Number)]);
    expect((icon.body as Buffer).subarray(0, 4)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47]));
  });

  it('makes the temporary file that it uses permanent, and so does a PATCH with another file', async () => {
    const [first, second] = [await upload(), await upload()];
    const statusOf = async (file: number) =>
      recordOf(await atoll.send('GET', `/entity/file/${file}?_format=json`, 'editor').expect(200))['status'];
    expect(await statusOf(first)).toEqual([{ value: false }]);
    const created = await send({ ...withName, field_media_image: [{ target_id: first }] }).expect(201);
    expect([await statusOf(first), await statusOf(second)]).toEqual([[{ value: true }], [{ value: false }]]);
    await atoll
      .send('PATCH', `/media/${String(recordOf(created)['mid']?.[0]?.['value'])}?_format=json`, 'editor')
      .send({ ...image, field_media_image: [{ target_id: second }] })
      .expect(200);
    expect(await statusOf(second)).toEqual([{ value: true }]);
  });

  it('refuses the temporary file of somebody else with 422, and takes it once it is permanent', async () => {
    const file = await upload('editor');
    const body = { ...withName, field_media_image: [{ target_id: file }] };
    const refused = await send(body, 'owner').expect(422);
    expect(messageOf(refused)).toContain(
      `field_media_image.0.target_id: This entity (file: ${file}) cannot be referenced.`,
    );
    await send(body, 'editor').expect(201);
    await send(body, 'owner').expect(201);
  });

  it.each([
    [image, 'name: This value should not be null.\nfield_media_image: This value should not be null.\n'],
    [withName, 'field_media_image: This value should not be null.\n'],
    [
      { bundle: [{ target_id: 'audio' }], name: [{ value: 'n' }], field_media_audio_file: [{ target_id: 1 }] },
      'field_media_audio_file.0: Only files with the following extensions are allowed: mp3 wav aac.\n',
    ],
    [
      { ...withName, field_media_image: [{ target_id: 9999 }] },
      'field_media_image.0.target_id: The referenced entity (file: 9999) does not exist.\n',
    ],
  ])('answers %j with 422 and a line for each broken rule', async (body, lines) => {
    expect(messageOf(await send(body).expect(422))).toBe(`Unprocessable Entity: validation failed.\n${lines}`);
  });

  it('answers a body without a known media type with 422 and one sentence', async () => {
    expect(messageOf(await send({ name: [{ value: 'n' }] }).expect(422))).toBe(
      'Could not determine entity type bundle: "bundle" field is missing.',
    );
    expect(messageOf(await send({ bundle: [{ target_id: 'nope' }] }).expect(422))).toBe(
      '"nope" is not a valid bundle type for denormalization.',
    );
  });

  it('answers 403 without the permission, naming the first media type, and for a field that nobody may set', async () => {
    expect(messageOf(await send(image, 'plain').expect(403))).toBe(
      "The following permissions are required: 'administer media' OR 'create media' OR 'create audio media'.",
    );
    expect(messageOf(await send({ ...withName, changed: [{ value: 5 }] }, 'admin').expect(403))).toBe(
      "Access denied on creating field 'changed'.",
    );
  });

  it('answers 409 for a UUID that another media has', async () => {
    const present = recordOf(await atoll.send('GET', '/media/1?_format=json', 'editor').expect(200));
    const body = { ...withName, uuid: present['uuid'], field_media_image: [{ target_id: 1 }] };
    const uuid = String(present['uuid']?.[0]?.['value']);
    expect(messageOf(await send(body).expect(409))).toBe(`The UUID "${uuid}" is already in use.`);
  });
});

describe('/media/{media_id}/edit', () => {
  it.each(['json', 'jsonld'])(
    'answers GET and HEAD with the record and the links of /media/{media_id} in %s',
    async (format) => {
      for (const method of ['GET', 'HEAD']) {
        const plain = await atoll.send(method, `/media/1?_format=${format}`, 'editor').expect(200);
        const edit = await atoll.send(method, `/media/1/edit?_format=${format}`, 'editor').expect(200);
        expect(edit.body).toEqual(plain.body);
        expect(edit.headers['link']).toBe(plain.headers['link']);
        expect(edit.headers['link']).toContain(`<${baseUrl}/media/1>; rel="canonical"`);
        expect(edit.headers['content-length']).toBe(plain.headers['content-length']);
      }
    },
  );

  it('changes with PATCH and deletes with DELETE the media itself', async () => {
    const patched = await atoll
      .send('PATCH', '/media/1/edit?_format=json', 'editor')
      .send({ ...image, name: [{ value: 'Other' }] })
      .expect(200);
    expect(recordOf(patched)['name']).toEqual([{ value: 'Other' }]);
    expect(recordOf(await atoll.send('GET', '/media/1?_format=json', 'editor'))).toEqual(recordOf(patched));
    await atoll.send('DELETE', '/media/1/edit?_format=json', 'editor').expect(204);
    await atoll.send('GET', '/media/1?_format=json', 'editor').expect(404);
  });

  it('names its own path in the 404 of a media that does not exist', async () => {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const request = atoll.send(method, '/media/9999/edit?_format=json', 'editor');
      const response = await (method === 'PATCH' ? request.send(image) : request).expect(404);
      expect(messageOf(response)).toBe(
        `The "media" parameter was not converted for the path "/media/{media}/edit" (route name: "rest.entity.media.${method}")`,
      );
    }
  });

  it('answers 422 for a change that breaks a rule', async () => {
    const body = { ...image, name: [] };
    await atoll.send('PATCH', '/media/1/edit?_format=json', 'editor').send(body).expect(422);
  });
});
