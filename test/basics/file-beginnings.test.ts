/** How the files of a media type begin. */
import { describe, expect, it } from '@jest/globals';
import { beginningOfFiles } from '../../src/basics/file-beginnings.ts';

const begun: readonly (readonly [mediaType: string, bytes: string])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpg', '\xff\xd8\xff\xe0'],
  ['image/gif', 'GIF89a'],
  ['image/tiff', 'MM\0*'],
  ['image/jp2', '\xffO\xffQ'],
  ['image/webp', 'RIFF1234WEBPVP8 '],
  ['image/bmp', 'BM1234'],
  ['image/x-ms-bmp', 'BM1234'],
  ['application/pdf', '\r\n%PDF-1.7'],
  ['application/zip', 'PK\x03\x04'],
  ['application/zip', 'PK\x05\x06'],
  ['audio/mpeg', 'ID3'],
  ['audio/mp3', '\xff\xfb'],
  ...['audio/wav', 'audio/wave', 'audio/x-wav', 'audio/vnd.wave'].map((type) => [type, 'RIFF1234WAVE'] as const),
  ['video/mp4', '\0\0\0\x18ftypmp42'],
];

describe('The beginning of files', () => {
  it.each(begun)('of %s fits theirs, and no text', (mediaType, bytes) => {
    const beginning = beginningOfFiles(mediaType);
    expect([bytes, 'a text', '{}'].map((text) => beginning?.test(text))).toEqual([true, false, false]);
  });

  it.each(['text/plain', 'image/svg+xml', '', 'toString'])('of "%s" is not known', (mediaType) => {
    expect(beginningOfFiles(mediaType)).toBeUndefined();
  });
});
