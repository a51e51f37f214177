/** Makes images of pages that are drawn: PNG and TIFF files. */

export type ImageSize = { readonly width: number; readonly height: number };

type Samples = { readonly bits: 1 | 8; readonly data: Buffer };

/** A grey TIFF. In one bit, 1 is black. `compression` says how the data are compressed: 1 not at all, 8 by `deflated`. */
export const tiffBytes = ({ width, height }: ImageSize, { bits, data }: Samples, compression: 1 | 8 = 1): Buffer => {
  const entries: readonly (readonly [tag: number, value: number])[] = [
    [256, width],
    [257, height],
    [258, bits],
    [259, compression],
    [262, bits === 1 ? 0 : 1],
    [273, 8 + 2 + 8 * 12 + 4],
    [278, height],
    [279, data.length],
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
  return Buffer.concat([Buffer.from('II*\0\x08\0\0\0'), directory, data]);
};

/** The same bytes on every Node and in every browser. The library is loaded when the first one is made. */
export const deflated = async (data: Buffer): Promise<Buffer> => {
  const { zlibSync } = await import('fflate');
  return Buffer.from(zlibSync(data));
};

/** A grey PNG. In one bit, 0 is black. The library is loaded when the first one is made. */
export const pngBytes = async (size: ImageSize, { bits, data }: Samples): Promise<Buffer> => {
  const { encode } = await import('fast-png');
  return Buffer.from(encode({ ...size, data, channels: 1, depth: bits }));
};
