/** What the built-in services make of a source: pictures really scaled, texts really read. */
import { describe, expect, it } from '@jest/globals';
import { decode, encode } from 'fast-png';
import { imageSize } from 'image-size';
import jpeg from 'jpeg-js';
import { makeDerivative } from '../../src/repository/repository-content.ts';
import { textOfPdf } from '../../src/application/decoding/pdf-text.ts';
import { greyPicture, scalePicture } from '../../src/application/decoding/pictures/scale-picture.ts';
import { pdfWith } from '../support/pdf.ts';
import { elementsOf, readXml, textIn } from '../support/xml.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (made: Uint8Array): string => new TextDecoder().decode(made);

/** Red on the left, blue on the right. */
const twoHalves = (width: number, height: number): Uint8Array =>
  Uint8Array.from({ length: width * height * 4 }, (_, at) => {
    const isLeft = Math.floor(at / 4) % width < width / 2;
    return [isLeft ? 255 : 0, 0, isLeft ? 0 : 255, 255][at % 4] ?? 0;
  });

const png = (width: number, height: number): Uint8Array =>
  encode({ width, height, data: twoHalves(width, height), channels: 4, depth: 8 });
const jpg = (width: number, height: number): Uint8Array =>
  new Uint8Array(jpeg.encode({ width, height, data: twoHalves(width, height) }, 90).data);
const greyTiff = (width: number, height: number): Uint8Array => {
  const entries = [
    [256, width],
    [257, height],
    [258, 8],
    [259, 1],
    [262, 1],
    [273, 8 + 2 + 9 * 12 + 4],
    [277, 1],
    [278, height],
    [279, width * height],
  ];
  const view = new DataView(new ArrayBuffer(8 + 2 + entries.length * 12 + 4 + width * height));
  view.setUint32(0, 0x49492a00);
  view.setUint32(4, 8, true);
  view.setUint16(8, entries.length, true);
  entries.forEach(([tag = 0, value = 0], at) => {
    view.setUint16(10 + at * 12, tag, true);
    view.setUint16(12 + at * 12, 4, true);
    view.setUint32(14 + at * 12, 1, true);
    view.setUint32(18 + at * 12, value, true);
  });
  return new Uint8Array(view.buffer);
};

const readers = { scalePicture, greyPicture, textOfPdf };

const derived = (
  mimetype: string,
  args: string,
  bytes: Uint8Array,
  name = 'a.bin',
  type = 'application/octet-stream',
) => makeDerivative({ mimetype, args, source: { name, mimetype: type } }, bytes, readers);

const made = async (...asked: Parameters<typeof derived>): Promise<Uint8Array> => (await derived(...asked)).bytes;

describe('A picture', () => {
  const rows: readonly (readonly [string, string, string, Uint8Array, number, number])[] = [
    ['as large as a PNG without arguments', 'image/jpeg', '', png(40, 30), 40, 30],
    ['within the box of -thumbnail', 'image/jpeg', '-thumbnail 220x220', png(400, 300), 220, 165],
    ['enlarged where the box is larger', 'image/jpeg', '-thumbnail 220x220', png(40, 30), 220, 165],
    ['of a JPEG', 'image/png', '-thumbnail 100x100', jpg(200, 400), 50, 100],
    ['of a TIFF', 'image/jpeg', '-thumbnail 100x100', greyTiff(60, 30), 100, 50],
    ['as wide as scale= says', 'image/jpeg', '-ss 00:00:01.000 -frames 1 -vf scale=100:-2', bytes('no video'), 100, 75],
    ['of a PDF, which is grey', 'image/png', '-thumbnail 100x100', bytes('%PDF-1.4'), 100, 75],
    ['of a picture that is cut', 'image/jpeg', '-thumbnail 220x220', png(400, 300).subarray(0, 60), 220, 165],
  ];
  it.each(rows)('is %s', async (_name, mimetype, args, source, width, height) => {
    const picture = await made(mimetype, args, source);
    expect(imageSize(picture)).toMatchObject({ width, height, type: mimetype === 'image/png' ? 'png' : 'jpg' });
  });

  it('shows what the source shows', async () => {
    const { data, width } = decode(await made('image/png', '-thumbnail 10x10', png(100, 100)));
    expect([...data.slice(0, 4)]).toEqual([255, 0, 0, 255]);
    expect([...data.slice((width - 1) * 4, width * 4)]).toEqual([0, 0, 255, 255]);
  });
});

describe('A text', () => {
  it('of a PDF is what its pages say', async () => {
    expect(text(await made('text/plain', '', pdfWith('Hello of a page')))).toBe('Hello of a page');
  });
  it('of a plain text is the text', async () => {
    expect(text(await made('text/plain', '', bytes('Line one\nÄ line two\n')))).toBe('Line one\nÄ line two\n');
  });
  it('of anything else is a sentence', async () => {
    expect(text(await made('text/plain', '', png(4, 4), 'OBJ page.tif'))).toBe('Text of OBJ page.tif\n');
  });
  it('as hOCR has a line for each line, escaped', async () => {
    const hocr = text(await made('text/vnd.hocr+html', '', bytes('A <b>\nand more\n')));
    expect(hocr.match(/class="ocr_line"/g)).toHaveLength(2);
    expect(hocr).toContain('&lt;b&gt;');
  });
});

describe('The other services', () => {
  it('describe a file: FITS with its size, its MD5 and its pixels', async () => {
    const fits = text(await made('application/xml', '', png(4, 3), 'a & b.png', 'image/png'));
    expect(fits).toContain('<filename toolname="OIS File Information">a &amp; b.png</filename>');
    expect(fits).toContain('<imageWidth toolname="Exiftool">4</imageWidth>');
    expect(fits).toMatch(/<md5checksum toolname="OIS File Information">[0-9a-f]{32}</);
  });
  it.each(['\ufffe', '\uffff', '\u0000', '\ud800', 'a\rb', ']]>', '"><x y="'])(
    'write XML that a strict reader reads, whatever name, type and words have in them: %j',
    async (odd) => {
      const name = `a ${odd}.png`;
      const fits = readXml(text(await made('application/xml', '', png(4, 3), name, `image/${odd}`)));
      const readable = (written: string) => written.replace(/[\0\ufffe\uffff]|[\ud800-\udfff]/g, '\ufffd');
      expect(elementsOf(fits, 'filename').map(textIn)).toEqual([readable(name)]);
      expect(elementsOf(fits, 'identity')[0]?.attributes['mimetype']).toBe(readable(`image/${odd}`));
      const hocr = readXml(text(await made('text/vnd.hocr+html', '', bytes(`One ${odd} word\n`), name)));
      expect(elementsOf(hocr, 'title').map(textIn)).toEqual([readable(name)]);
      expect(elementsOf(hocr, 'span').map(textIn).join('')).not.toBe('');
    },
  );
  it('make a sound and a video that begin as such', async () => {
    const sound = await made('audio/mpeg', '-codec:a libmp3lame -q:a 5', bytes('x'));
    expect([...sound.subarray(0, 2)]).toEqual([0xff, 0xf3]);
    expect(text((await made('video/mp4', '', bytes('x'))).subarray(4, 8))).toBe('ftyp');
  });
});
