/** Makes small images of one colour: PNG, JPEG, GIF and TIFF files. */
import { crc32, deflateSync } from 'node:zlib';
import { latin1, u16, u32, u8 } from './byte-parts.ts';

export type ImageSize = { readonly width: number; readonly height: number };

/** A PNG with a palette of one colour. Nothing is compressed, so that every version of Node makes the same bytes. */
export const pngBytes = ({ width, height }: ImageSize, colour: readonly [number, number, number]): Buffer => {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([latin1(type), data]);
    return Buffer.concat([u32(data.length), body, u32(crc32(body))]);
  };
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  return Buffer.concat([
    latin1('\x89PNG\r\n\x1a\n'),
    chunk('IHDR', Buffer.concat([u32(width, height), u8(1, 3, 0, 0, 0)])),
    chunk('PLTE', u8(...colour)),
    chunk('IDAT', deflateSync(rows, { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** A grey JPEG. Each block of 8 × 8 pixels takes two bits: no difference to the block before, and no further values. */
export const jpegBytes = ({ width, height }: ImageSize): Buffer => {
  const segment = (marker: number, data: Buffer): Buffer =>
    Buffer.concat([u8(0xff, marker), u16(data.length + 2), data]);
  const oneCode = (table: number): Buffer => u8(table, 1, ...Array.from({ length: 15 }, () => 0), 0);
  const bits = 2 * Math.ceil(width / 8) * Math.ceil(height / 8);
  const scan = Buffer.alloc(Math.ceil(bits / 8));
  // The bits after the last block are ones.
  if (bits % 8 !== 0) scan[scan.length - 1] = 0xff >> (bits % 8);
  return Buffer.concat([
    u8(0xff, 0xd8),
    segment(0xe0, Buffer.concat([latin1('JFIF\0'), u8(1, 1, 0), u16(1, 1), u8(0, 0)])),
    segment(0xdb, Buffer.concat([u8(0), Buffer.alloc(64, 16)])),
    segment(0xc0, Buffer.concat([u8(8), u16(height, width), u8(1, 1, 0x11, 0)])),
    segment(0xc4, oneCode(0x00)),
    segment(0xc4, oneCode(0x10)),
    segment(0xda, u8(1, 1, 0, 0, 63, 0)),
    scan,
    u8(0xff, 0xd9),
  ]);
};

/** A GIF of one pixel. */
export const gifBytes = (): Buffer =>
  Buffer.concat([
    latin1('GIF89a'),
    u8(1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255),
    u8(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b),
  ]);

/** A grey TIFF without compression. */
export const tiffBytes = ({ width, height }: ImageSize): Buffer => {
  const entries: readonly (readonly [tag: number, value: number])[] = [
    ...([
      [256, width],
      [257, height],
      [258, 8],
      [259, 1],
      [262, 1],
    ] as const),
    ...([
      [273, 8 + 2 + 8 * 12 + 4],
      [278, height],
      [279, width * height],
    ] as const),
  ];
  const directory = Buffer.alloc(2 + entries.length * 12 + 4);
  directory.writeUInt16LE(entries.length, 0);
  entries.forEach(([tag, value], index) => {
    const at = 2 + index * 12;
    directory.writeUInt16LE(tag, at);
    // Type 4: a whole number of 32 bits.
    directory.writeUInt16LE(4, at + 2);
    directory.writeUInt32LE(1, at + 4);
    directory.writeUInt32LE(value, at + 8);
  });
  return Buffer.concat([latin1('II*\0'), u8(8, 0, 0, 0), directory, Buffer.alloc(width * height, 0x80)]);
};
