/** The hashes of files. The rules are those that were recorded with filehash 3.0.5 and the settings of the starter site. */
import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { messageOf } from '../support/requests.ts';
import { starterSite, termOf } from './starter-site.ts';
import { redPicture } from '../contract/recordings/second-lab/groups.ts';

const picture = Buffer.from(redPicture, 'base64');
const other = Buffer.concat([picture, Buffer.from('more')]);
const sha1 = (bytes: Buffer) => [{ value: createHash('sha1').update(bytes).digest('hex') }];

let atoll: TestAtoll;
beforeAll(async () => {
  const site = await starterSite();
  atoll = await createTestAtoll({ site: () => site, fixture: 'empty' });
});
beforeEach(() => atoll.reset());

type Shown = Readonly<Record<string, unknown>>;
const bodyOf = ({ body }: Response): Shown => body as Shown; // a record
const hashesOf = ({ sha1: hash, original_sha1: original }: Shown) => ({ sha1: hash, original_sha1: original });

const file = async (id = 1): Promise<Shown> =>
  bodyOf(await atoll.send('get', `/entity/file/${id}?_format=json`, 'admin').expect(200));

const upload = async (): Promise<void> => {
  const model = [{ target_id: termOf(atoll.site, 'islandora_models', 'Image') }];
  await atoll
    .send('post', '/node?_format=json', 'admin')
    .send({ type: [{ target_id: 'islandora_object' }], title: [{ value: 'A' }], field_model: model })
    .expect(201);
  await put('/node/1/media/image/4', picture).set('Content-Location', 'fedora://h/a.png').expect(201);
};

const put = (path: string, bytes: Buffer) =>
  atoll.send('put', `${path}?_format=json`, 'admin').set('Content-Type', 'image/png').send(bytes);

const post = () =>
  atoll
    .send('post', '/file/upload/media/image/field_media_image?_format=json', 'admin')
    .set('Content-Type', 'application/octet-stream')
    .set('Content-Disposition', 'file; filename="up.png"')
    .send(picture);

describe('The hashes of a file', () => {
  it('are its own after an upload to a node, without that of its first bytes', async () => {
    await upload();
    const shown = await file();
    expect(hashesOf(shown)).toEqual({ sha1: sha1(picture), original_sha1: [] });
    expect(Object.keys(shown).slice(-3)).toEqual(['changed', 'sha1', 'original_sha1']);
  });

  it('follow the bytes: 204 replaces them', async () => {
    await upload();
    await put('/media/1/source', other).expect(204);
    expect(hashesOf(await file())).toEqual({ sha1: sha1(other), original_sha1: [] });
  });

  it('are both there in the 201 of a standard upload, and in each read', async () => {
    const both = { sha1: sha1(picture), original_sha1: sha1(picture) };
    const made = bodyOf(await post().expect(201));
    expect(hashesOf(made)).toEqual(both);
    expect(hashesOf(await file((made['fid'] as readonly { value: number }[])[0]?.value))).toEqual(both);
  });
});

const strict = { algorithms: ['sha1'], original: true, rehash: true, dedupe: 2 };

describe('A standard upload of bytes that a file has', () => {
  const refusing = async (settings: object): Promise<TestAtoll> => {
    const site = await starterSite();
    const fileHashes = { ...strict, ...settings };
    const roles = new Map(site.roles);
    const role = roles.get('fedoraadmin');
    if (role !== undefined) roles.set(role.id, { ...role, permissions: [...role.permissions, 'create media'] });
    return createTestAtoll({
      site: () => ({ ...site, roles, living: { ...site.living, fileHashes } }),
      fixture: 'empty',
    });
  };
  const uploadTo = (on: TestAtoll, bytes: Buffer, as = 'admin') =>
    on
      .send('post', '/file/upload/media/image/field_media_image?_format=json', as)
      .set('Content-Type', 'application/octet-stream')
      .set('Content-Disposition', 'file; filename="up.png"')
      .send(bytes);
  const use = (on: TestAtoll, file: number) =>
    on
      .send('post', '/entity/media?_format=json', 'admin')
      .send({
        bundle: [{ target_id: 'image' }],
        name: [{ value: 'M' }],
        field_media_image: [{ target_id: file, alt: 'a' }],
      })
      .expect(201);

  it.each([
    ['201', 0, false],
    ['201', 0, true],
    ['201', 1, false],
    ['422', 1, true],
    ['422', 2, false],
    ['422', 2, true],
  ])('is %s with "dedupe" %s, where a media uses that file: %s', async (status, dedupe, isUsed) => {
    const on = await refusing({ dedupe });
    await uploadTo(on, picture).expect(201);
    if (isUsed) await use(on, 1);
    await uploadTo(on, picture).expect(Number(status));
    await uploadTo(on, other).expect(201);
  });

  it('is refused with 422, with the name of the file for those who may see the list of files', async () => {
    const on = await refusing({});
    await uploadTo(on, picture).expect(201);
    const refused = 'Unprocessable Entity: file validation failed.\n';
    expect(messageOf(await uploadTo(on, picture).expect(422))).toBe(
      `${refused}This file has already been uploaded as up.png.`,
    );
    expect(messageOf(await uploadTo(on, picture, 'viewer').expect(422))).toBe(
      `${refused}Sorry, duplicate files are not permitted.`,
    );
  });

  it('may go to a media: nobody looks at its bytes', async () => {
    const on = await refusing({});
    await uploadTo(on, picture).expect(201);
    await use(on, 1);
    await on.send('put', '/media/1/source', 'admin').set('Content-Type', 'image/png').send(picture).expect(204);
  });

  it('counts the bytes that a file was made with where the site says so', async () => {
    for (const [dedupe_original, status] of [
      [false, 201],
      [true, 422],
    ] as const) {
      const on = await refusing({ dedupe_original });
      await uploadTo(on, picture).expect(201);
      await use(on, 1);
      await on.send('put', '/media/1/source', 'admin').set('Content-Type', 'image/png').send(other).expect(204);
      await uploadTo(on, picture).expect(status);
    }
  });
});

describe('The document of a site with hashes', () => {
  it('has them as members of files, and as no members of nodes', async () => {
    const { text } = await atoll.send('get', '/openapi.json').expect(200);
    expect(text).toContain('"original_sha1"');
    const standard = await createTestAtoll();
    expect((await standard.send('get', '/openapi.json').expect(200)).text).not.toContain('"original_sha1"');
  });
});
