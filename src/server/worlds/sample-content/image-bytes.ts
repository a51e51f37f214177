/** Makes images in the formats that the archive does not have, and of pages that are drawn: GIF, PNG and TIFF files. */
import { latin1, u32, u8 } from './byte-parts.ts';

export type ImageSize = { readonly width: number; readonly height: number };

/** A GIF of one pixel. */
export const gifBytes = (): Buffer =>
  Buffer.concat([
    latin1('GIF89a'),
    u8(1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255),
    u8(0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b),
  ]);

type Samples = { readonly bits: 1 | 8; readonly data: Buffer };

/** A grey TIFF without compression. In one bit, 1 is black. */
export const tiffBytes = ({ width, height }: ImageSize, samples?: Samples): Buffer => {
  const { bits, data } = samples ?? { bits: 8, data: Buffer.alloc(width * height, 0x80) };
  const entries: readonly (readonly [tag: number, value: number])[] = [
    ...([
      [256, width],
      [257, height],
      [258, bits],
      [259, 1],
      [262, bits === 1 ? 0 : 1],
    ] as const),
    ...([
      [273, 8 + 2 + 8 * 12 + 4],
      [278, height],
      [279, data.length],
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
  return Buffer.concat([latin1('II*\0'), u8(8, 0, 0, 0), directory, data]);
};

/** A grey PNG. In one bit, 0 is black. */
export const pngBytes = async ({ width, height }: ImageSize, { bits, data }: Samples): Promise<Buffer> => {
  const rowBytes = Math.ceil((width * bits) / 8);
  // A byte before each row says that it is not filtered.
  const rows = Buffer.alloc((rowBytes + 1) * height);
  for (let y = 0; y < height; y += 1) data.copy(rows, y * (rowBytes + 1) + 1, y * rowBytes, (y + 1) * rowBytes);
  const packed = new Response(new Blob([rows]).stream().pipeThrough(new CompressionStream('deflate')));
  return Buffer.concat([
    u8(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', Buffer.concat([u32(width, height), u8(bits, 0, 0, 0, 0)])),
    chunk('IDAT', Buffer.from(await packed.arrayBuffer())),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const chunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([latin1(type), data]);
  return Buffer.concat([u32(data.length), named, u32(crc32(named))]);
};

/** The checksum of PNG (PNG specification, annex D). */
const crc32 = (bytes: Buffer): number => {
  let sum = ~0;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
  }
  return ~sum;
};
