/** The fields of a media that are computed from its file. */
import { describe, expect, it } from '@jest/globals';
import { computeMedia } from '../../src/repository/content/uploads/computed-media.ts';
import { bundleOf, record } from './judging.ts';
import type { Entity, FieldItem, Fields } from '../../src/openapi/openapi-records.ts';

const fileFields: Fields = {
  filename: [{ value: 'a.png' }],
  filemime: [{ value: 'image/png' }],
  filesize: [{ value: 225 }],
};
const blob = { key: 'k', size: 225, sha256: '' };
const picture: Entity = { ...record('file', 7, 'file', fileFields), blob: { ...blob, width: 40, height: 30 } };
const text: Entity = { ...record('file', 7, 'file', fileFields), blob };

const image = bundleOf('media', 'image');
const audio = bundleOf('media', 'audio');
const source = { target_id: 7, alt: 'A', title: 'T', width: null, height: null };
const small: Entity = { ...record('file', 1, 'file', fileFields), blob: { ...blob, width: 8, height: 6 } };
/** File 7 is the given one, file 1 a small picture. */
const filesWith =
  (file: Entity | undefined) =>
  (item: FieldItem | undefined): Entity | undefined =>
    [file, small].find((one) => one?.id === item?.['target_id']);
const save = { isNew: false, sourceChanged: false, iconFile: undefined, fileOf: filesWith(picture) };
const kept = save;
const changed = { ...save, sourceChanged: true };

describe('an image', () => {
  it('is given name, type, size, dimensions and itself as thumbnail', () => {
    const shown = { ...source, width: 40, height: 30 };
    expect(computeMedia({ field_media_image: [source] }, image, changed)).toEqual({
      name: [{ value: 'a.png' }],
      field_mime_type: [{ value: 'image/png' }],
      field_file_size: [{ value: 225 }],
      field_width: [{ value: 40 }],
      field_height: [{ value: 30 }],
      field_media_image: [shown],
      thumbnail: [{ ...shown, title: null }],
    });
  });

  it('whose file is no picture has no dimensions', () => {
    const computed = computeMedia({ field_media_image: [source] }, image, { ...changed, fileOf: filesWith(text) });
    expect(computed).toMatchObject({ field_media_image: [source] });
    expect(computed).not.toHaveProperty('field_width');
  });

  const set: Fields = {
    field_media_image: [source],
    name: [{ value: 'own' }],
    field_width: [{ value: 5 }],
    field_mime_type: [{ value: 'a/b' }],
  };
  it('keeps what was sent while its file stays, and fills what is empty', () => {
    expect(computeMedia({ ...set, field_height: [] }, image, kept)).toMatchObject({
      ...set,
      field_media_image: [{ ...source, width: 40, height: 30 }],
      field_height: [{ value: 30 }],
    });
  });

  it('loses what was sent when its file changes, its own title too', () => {
    expect(computeMedia(set, image, changed)).toMatchObject({
      name: [{ value: 'a.png' }],
      field_width: [{ value: 40 }],
      field_mime_type: [{ value: 'image/png' }],
    });
  });

  it('keeps dimensions of its own, unless one of them is missing', () => {
    const shown = (width: number | null, height: number | null) =>
      computeMedia({ field_media_image: [{ ...source, width, height }] }, image, changed)['field_media_image'];
    expect([shown(99, 98), shown(99, null), shown(0, 98)]).toMatchObject([
      [{ width: 99, height: 98 }],
      [{ width: 40, height: 30 }],
      [{ width: 40, height: 30 }],
    ]);
  });

  it('hands a new alt on to its thumbnail', () => {
    const before = { field_media_image: [{ ...source, alt: 'new' }], thumbnail: [source] };
    expect(computeMedia(before, image, changed)).toMatchObject({ thumbnail: [{ alt: 'new', width: 40 }] });
  });

  it('keeps a thumbnail of another file until its own file changes, but not one that was sent with the new media', () => {
    const own = { target_id: 1, alt: null, title: null, width: null, height: null };
    const before = { field_media_image: [source], thumbnail: [own] };
    expect(computeMedia(before, image, kept)).toMatchObject({ thumbnail: [{ ...own, width: 8, height: 6 }] });
    expect(computeMedia(before, image, changed)).toMatchObject({ thumbnail: [{ target_id: 7 }] });
    expect(computeMedia(before, image, { ...save, isNew: true })).toMatchObject({ thumbnail: [{ target_id: 7 }] });
  });

  it('stays as it is when the file is gone', () => {
    expect(computeMedia(set, image, { ...changed, fileOf: filesWith(undefined) })).toBe(set);
  });
});

describe('another media', () => {
  const sound = { field_media_audio_file: [{ target_id: 7, display: null, description: null }] };
  it('is given a generic icon of 180 pixels, and no dimensions', () => {
    const computed = computeMedia(sound, audio, { ...changed, iconFile: 18, fileOf: filesWith(text) });
    expect(computed['thumbnail']).toEqual([{ target_id: 18, alt: '', title: null, width: 180, height: 180 }]);
    expect(computed).not.toHaveProperty('field_width');
  });

  it.each([
    ['that never had a file keeps its name', { isNew: true }, 'own', 'own'],
    ['that never had a file nor a name is called after its type and UUID', { isNew: true }, undefined, 'media:audio:u'],
    ['that loses its file loses what the file has said, also its name', {}, 'own', 'media:audio:u'],
  ])('%s, and has the icon', (_what, traits, name, kept) => {
    const fields = { ...(name === undefined ? {} : { name: [{ value: name }] }), status: [{ value: true }] };
    const said =
      'isNew' in traits ? {} : { field_mime_type: [{ value: 'audio/mpeg' }], field_file_size: [{ value: 5 }] };
    const without = { ...changed, ...traits, iconFile: 9, unnamed: 'media:audio:u' };
    expect(computeMedia({ ...fields, ...said }, audio, without)).toEqual({
      name: [{ value: kept }],
      status: [{ value: true }],
      thumbnail: [{ target_id: 9, alt: '', title: null, width: 180, height: 180 }],
    });
  });

  it('keeps a thumbnail that was set', () => {
    const thumbnail = [{ target_id: 1, width: 3, height: 3 }];
    const computed = computeMedia({ ...sound, thumbnail }, audio, { ...save, iconFile: 18, fileOf: filesWith(text) });
    expect(computed['thumbnail']).toEqual(thumbnail);
  });
});
