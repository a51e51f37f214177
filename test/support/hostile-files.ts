/** Makes files that cost a reader far more than they weigh: small, and grown out of what their formats let grow. */
import { deflateSync } from 'node:zlib';
import jpeg from 'jpeg-js';
import { pdfPage, pdfStream } from './pdf.ts';
import { pngChunk, pngSignature } from './png.ts';

/** A file of a format that is made of entries: their tags and values, each of four bytes. */
export type Directory = readonly (readonly [tag: number, value: number])[];

/** A little-endian TIFF. `pages` has what each directory holds, by where the next ones lie. `data` comes behind the directories. */
export const tiffOf = (
  pages: readonly ((placeOf: (page: number) => number, dataAt: number) => Directory)[],
  data: Buffer = Buffer.alloc(0),
): Buffer => {
  const lengths = pages.map((page) => 2 + page(() => 0, 0).length * 12 + 4);
  const placeOf = (at: number): number => (at < pages.length ? 8 + lengths.slice(0, at).reduce((a, b) => a + b, 0) : 0);
  const dataAt = 8 + lengths.reduce((a, b) => a + b, 0);
  const file = Buffer.alloc(dataAt);
  file.write('II*\0', 'latin1');
  file.writeUInt32LE(8, 4);
  pages.forEach((page, at) => {
    const place = placeOf(at);
    const entries = page(placeOf, dataAt);
    file.writeUInt16LE(entries.length, place);
    entries.forEach(([tag, value], index) => {
      const entry = place + 2 + index * 12;
      file.writeUInt16LE(tag, entry);
      // Type 4: a whole number of 32 bits.
      file.writeUInt16LE(4, entry + 2);
      file.writeUInt32LE(1, entry + 4);
      file.writeUInt32LE(value, entry + 8);
    });
  });
  return Buffer.concat([file, data]);
};

/** A grey TIFF of one strip. */
export const greyTiff = (width: number, height: number, compression: number, data: Buffer): Buffer =>
  tiffOf(
    [
      (_placeOf, dataAt) => [
        ...([
          [256, width],
          [257, height],
          [258, 8],
          [259, compression],
          [262, 1],
        ] as const),
        ...([
          [273, dataAt],
          [277, 1],
          [278, height],
          [279, data.length],
        ] as const),
      ],
    ],
    data,
  );

/** Directories that lead to the next one `each` times: a reader that follows all meets each^count of them. */
export const nestedTiff = (tag: number, count = 24, each = 4): Buffer =>
  tiffOf(
    Array.from({ length: count }, (_, at) => (placeOf) => [
      ...([
        [256, 10],
        [257, 10],
      ] as const),
      ...Array.from({ length: each }, () => [tag, placeOf(at + 1)] as const),
    ]),
  );

/** A PNG of RGBA. `before` stands between its header and its data, which are compressed. */
export const pngOf = (width: number, height: number, data: Buffer, before: readonly Buffer[] = []): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  const chunks = [pngChunk('IHDR', header), ...before, pngChunk('IDAT', data), pngChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([pngSignature, ...chunks]);
};

/** Zeros that are a thousand times as many when they are unpacked. */
export const packedZeros = (mebibytes: number): Buffer => deflateSync(Buffer.alloc(mebibytes * 1024 * 1024));

export const textChunk = (packed: Buffer): Buffer =>
  pngChunk('iTXt', Buffer.concat([Buffer.from([0x61, 0, 1, 0, 0, 0]), packed]));

/** A noisy picture, as a phone takes it. */
export const noisyJpeg = (width: number, height: number): Buffer => {
  let state = 1;
  const data = Buffer.alloc(width * height * 4);
  for (let at = 0; at < data.length; at += 1) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fff_ffff;
    data[at] = at % 4 === 3 ? 255 : ((at >> 4) & 127) + ((state >> 16) & 63);
  }
  return Buffer.from(jpeg.encode({ width, height, data }, 80).data);
};

/** A progressive JPEG with so many scans that say nothing. Each is a pass over all pixels. */
export const scannedJpeg = (width: number, height: number, scans: number): Buffer => {
  const whole = Buffer.from(jpeg.encode({ width, height, data: Buffer.alloc(width * height * 4, 90) }, 80).data);
  const frame = whole.indexOf(Buffer.from([0xff, 0xc0]));
  whole[frame + 1] = 0xc2;
  const head = whole.subarray(0, whole.indexOf(Buffer.from([0xff, 0xda])));
  const scan = Buffer.concat([Buffer.from([0xff, 0xda, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 0, 0]), Buffer.alloc(91)]);
  return Buffer.concat([head, ...Array.from({ length: scans }, () => scan), Buffer.from([0xff, 0xd9])]);
};

/** Forms that draw the next one `each` times. */
export const nestedPdf = (depth: number, each = 10): Buffer => {
  const form = (at: number): string => {
    const isLast = at + 1 === depth;
    const next = isLast ? '' : `/XObject<</X ${7 + at} 0 R>>`;
    return pdfStream(
      `/Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</Font<</F1 5 0 R>>${next}>>`,
      isLast ? 'BT /F1 9 Tf (deep) Tj ET' : '/X Do '.repeat(each),
    );
  };
  const forms = Array.from({ length: depth }, (_, at) => form(at));
  return pdfPage(pdfStream('', '/X Do'), '/XObject<</X 6 0 R>>', forms);
};

/** A page whose content is so many bytes when it is unpacked. */
export const packedPdf = (content: Buffer): Buffer =>
  pdfPage(pdfStream('/Filter/FlateDecode', deflateSync(content).toString('latin1')));
