/** Makes small images in the formats that the archive does not have: GIF and TIFF files. */
import { latin1, u8 } from './byte-parts.ts';

type ImageSize = { readonly width: number; readonly height: number };

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
