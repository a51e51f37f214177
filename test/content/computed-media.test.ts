/** The fields of a media that are computed from its file. */
import { describe, expect, it } from '@jest/globals';
import { computeMedia } from '../../src/content/uploads/computed-media.ts';
import type { Entity, Fields } from '../../src/model/entity.ts';
import { bundleOf, record } from './judging.ts';

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
const kept = { sourceChanged: false, iconFile: undefined };
const changed = { sourceChanged: true, iconFile: undefined };

describe('an image', () => {
  it('is given name, type, size, dimensions and itself as thumbnail', () => {
    const shown = { ...source, width: 40, height: 30 };
    expect(computeMedia({ field_media_image: [source] }, image, picture, changed)).toEqual({
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
    const computed = computeMedia({ field_media_image: [source] }, image, text, changed);
    expect(computed).toMatchObject({ field_width: [], field_height: [], field_media_image: [source] });
  });

  const set: Fields = {
    field_media_image: [source],
    name: [{ value: 'own' }],
    field_width: [{ value: 5 }],
    field_mime_type: [{ value: 'a/b' }],
  };
  it('keeps what was sent while its file stays, and fills what is empty', () => {
    expect(computeMedia({ ...set, field_height: [] }, image, picture, kept)).toMatchObject({
      ...set,
      field_media_image: [{ ...source, width: 40, height: 30 }],
      field_height: [{ value: 30 }],
    });
  });

  it('loses what was sent when its file changes, its own title too', () => {
    expect(computeMedia(set, image, picture, changed)).toMatchObject({
      name: [{ value: 'a.png' }],
      field_width: [{ value: 40 }],
      field_mime_type: [{ value: 'image/png' }],
    });
  });

  it('hands a new alt on to its thumbnail', () => {
    const before = { field_media_image: [{ ...source, alt: 'new' }], thumbnail: [source] };
    expect(computeMedia(before, image, picture, kept)).toMatchObject({ thumbnail: [{ alt: 'new', width: 40 }] });
  });

  it('keeps a thumbnail of another file until its own file changes', () => {
    const own = { target_id: 1, alt: null, title: null, width: null, height: null };
    const before = { field_media_image: [source], thumbnail: [own] };
    expect(computeMedia(before, image, picture, kept)).toMatchObject({ thumbnail: [own] });
    expect(computeMedia(before, image, picture, changed)).toMatchObject({ thumbnail: [{ target_id: 7 }] });
  });

  it('stays as it is when the file is gone', () => {
    expect(computeMedia(set, image, undefined, changed)).toBe(set);
  });
});

describe('another media', () => {
  const sound = { field_media_audio_file: [{ target_id: 7, display: null, description: null }] };
  it('is given a generic icon of 180 pixels, and no dimensions', () => {
    const computed = computeMedia(sound, audio, text, { sourceChanged: true, iconFile: 18 });
    expect(computed['thumbnail']).toEqual([{ target_id: 18, alt: '', title: null, width: 180, height: 180 }]);
    expect(computed).not.toHaveProperty('field_width');
  });

  it('keeps a thumbnail that was set', () => {
    const thumbnail = [{ target_id: 3 }];
    const computed = computeMedia({ ...sound, thumbnail }, audio, text, { sourceChanged: false, iconFile: 18 });
    expect(computed['thumbnail']).toBe(thumbnail);
  });
});
