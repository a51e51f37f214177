/**
 * What the decoders make of pictures, and where they stop: by the size in the header, by counting, and never by the size of the file.
 * Modules of its own: the decoders put a global object there when they are loaded.
 *
 * @jest-environment node
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { encode } from 'fast-png';
import jpeg from 'jpeg-js';
import { UnreadSource } from '../../src/repository/repository-content.ts';
import { checkJpeg } from '../../src/application/decoding/pictures/check-jpeg.ts';
import { readPicture } from '../../src/application/decoding/pictures/read-picture.ts';
import { unpackBits, unpackLzw } from '../../src/application/decoding/pictures/tiff-compression.ts';
import { greyTiff, nestedTiff, packedZeros, pngOf, scannedJpeg, textChunk, tiffOf } from '../support/hostile-files.ts';

type Samples = {
  readonly samples: Readonly<Record<string, string>>;
  readonly noise: string;
  readonly noisePixels: string;
};
const file = join(import.meta.dirname, 'tiff-samples.json');
const { samples, noise, noisePixels } = JSON.parse(readFileSync(file, 'utf8')) as Samples; // beside this file

const [width, height] = [37, 29];

/** The colours of the samples, which the program that wrote them computed likewise. */
const colourOf = (name: string, x: number, y: number): readonly number[] => {
  if (name.startsWith('rgb')) return [(x * 7) & 255, (y * 8) & 255, (x * y) & 255];
  const grey = (x * 7) & 255;
  const isLight = (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 1;
  return name.startsWith('bilevel') ? Array<number>(3).fill(isLight ? 255 : 0) : [grey, grey, grey];
};

describe('A TIFF that libtiff wrote', () => {
  it.each(Object.entries(samples))('has the pixels that were put in: %s', async (name, text) => {
    const picture = await readPicture(Buffer.from(text, 'base64'));
    const wanted = Array.from({ length: width * height }, (_, at) => [
      ...colourOf(name, at % width, Math.floor(at / width)),
      name === 'rgba' ? 200 : 255,
    ]);
    expect([picture.width, picture.height]).toEqual([width, height]);
    expect([...picture.data]).toEqual(wanted.flat());
  });

  it('has them where LZW fills its table several times', async () => {
    const { data } = await readPicture(Buffer.from(noise, 'base64'));
    expect([...data].filter((_, at) => at % 4 === 0)).toEqual([...Buffer.from(noisePixels, 'base64')]);
  });
});

const grey = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => at * 5);

describe('A PNG and a JPEG', () => {
  it.each([
    ['grey', 1],
    ['grey with alpha', 2],
    ['RGB', 3],
    ['RGBA', 4],
  ] as const)('a PNG of %s has its pixels', async (_name, channels) => {
    const data = grey(6 * 4 * channels);
    const picture = await readPicture(encode({ width: 6, height: 4, data, channels }));
    const pixel = (at: number): readonly number[] => [...data.subarray(at * channels, (at + 1) * channels)];
    const wanted = Array.from({ length: 24 }, (_, at) => {
      const [first = 0, second = 0, third = 0, fourth = 255] = pixel(at);
      return channels < 3 ? [first, first, first, channels === 2 ? second : 255] : [first, second, third, fourth];
    });
    expect([...picture.data]).toEqual(wanted.flat());
  });

  it('a JPEG has those of another decoder, nearly', async () => {
    const data = Uint8Array.from({ length: 40 * 30 * 4 }, (_, at) => (at % 4 === 3 ? 255 : (at >> 3) & 255));
    const bytes = new Uint8Array(jpeg.encode({ width: 40, height: 30, data }, 90).data);
    const other = jpeg.decode(bytes, { useTArray: true }).data;
    const picture = await readPicture(bytes);
    const distances = [...picture.data].map((value, at) => Math.abs(value - (other[at] ?? 0)));
    expect(Math.max(...distances)).toBeLessThan(40);
  });
});

/** Red, as Pillow writes it in CMYK: 16 × 8 pixels. */
const redInCmyk = [
  '/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwANCQoLCggNCwoLDg4NDxMgFRMSEhMnHB4XIC4pMTAuKS0sMzpKPjM2RjcsLUBXQUZMTlJT',
  'UjI+WmFaUGBKUVJP/8AAFAgACAAQBEMRAE0RAFkRAEsRAP/EAB8AAAEFAQEBAQEBAAAAAAAAAAABAgMEBQYHCAkKC//EALUQAAIB',
  'AwMCBAMFBQQEAAABfQECAwAEEQUSITFBBhNRYQcicRQygZGhCCNCscEVUtHwJDNicoIJChYXGBkaJSYnKCkqNDU2Nzg5OkNERUZH',
  'SElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6g4SFhoeIiYqSk5SVlpeYmZqio6Slpqeoqaqys7S1tre4ubrCw8TFxsfIycrS09TV',
  '1tfY2drh4uPk5ebn6Onq8fLz9PX29/j5+v/aAA4EQwBNAFkASwAAPwD06vMK8wr06iiiiv/Z',
].join('');

it('A JPEG in CMYK has the colours that a screen shows', async () => {
  const { width: wide, data } = await readPicture(Buffer.from(redInCmyk, 'base64'));
  expect(wide).toBe(16);
  const [red = 0, green = 255, blue = 255, alpha] = data;
  expect([red > 200, green < 60, blue < 60, alpha]).toEqual([true, true, true, 255]);
});

/** Bytes that the process has outside the heap of JavaScript. WebAssembly and buffers are there. */
const outside = (): number => process.memoryUsage().external + process.memoryUsage().arrayBuffers;

describe('A picture that is more than it says', () => {
  it.each([
    ['a PNG of one pixel whose data are 256 MiB', pngOf(1, 1, packedZeros(256))],
    [
      'a PNG with ten texts of 64 MiB',
      pngOf(1, 1, deflateSync(Buffer.alloc(5)), Array(10).fill(textChunk(packedZeros(64)))),
    ],
    ['a TIFF of 10 × 10 pixels whose strip is 256 MiB', greyTiff(10, 10, 8, packedZeros(256))],
  ])('takes no more memory than its pixels: %s', async (_name, bytes) => {
    const before = outside();
    await readPicture(bytes).catch(() => undefined);
    expect(outside() - before).toBeLessThan(64 * 1024 * 1024);
  });

  it.each([
    ['a PNG', pngOf(30_000, 30_000, deflateSync(Buffer.alloc(5)))],
    ['a TIFF', greyTiff(65_000, 65_000, 1, Buffer.alloc(10))],
  ])('is not read when its header has too many pixels: %s', async (_name, bytes) => {
    await expect(readPicture(bytes)).rejects.toThrow('The picture has more than 16 million pixels.');
  });

  it.each([0x8769, 0x8825, 0xa005, 330, 34_665])(
    'is not followed into directories that lead to each other: tag %s',
    async (tag) => {
      await expect(readPicture(nestedTiff(tag))).rejects.toThrow(UnreadSource);
    },
  );

  it('is not read when its tiles are far larger than the page', async () => {
    const tiled = tiffOf([
      () => [
        ...([
          [256, 200_000],
          [257, 1],
          [258, 8],
          [262, 1],
        ] as const),
        ...([
          [322, 1],
          [323, 16_000_000],
          [324, 8],
          [325, 8],
        ] as const),
      ],
    ]);
    await expect(readPicture(tiled)).rejects.toThrow(UnreadSource);
  });

  it('is not read when a JPEG has more scans than encoders write', () => {
    expect(() => checkJpeg(scannedJpeg(160, 120, 64))).not.toThrow();
    expect(() => checkJpeg(scannedJpeg(160, 120, 65))).toThrow('The JPEG has more than 64 scans.');
  });

  it('is not read when a JPEG has two frames', () => {
    const one = Buffer.from(jpeg.encode({ width: 8, height: 8, data: Buffer.alloc(256) }, 80).data);
    expect(() => checkJpeg(Buffer.concat([one, one]))).toThrow('The JPEG has more than one frame.');
  });

  it('is cut where it is packed: LZW and PackBits give what is asked for', () => {
    expect(unpackBits(Uint8Array.from(Array(1000).fill([0x81, 7]).flat()), 10)).toEqual(new Uint8Array(10).fill(7));
    // Clear, then the newest code again and again: each text is longer than the last by one.
    const codes = [256, 65, 258, 259, 260, 261, 262, 257];
    const bits = codes.map((code) => code.toString(2).padStart(9, '0')).join('');
    const packed = Uint8Array.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
    expect(unpackLzw(packed, 12)).toEqual(new Uint8Array(12).fill(65));
  });
});
