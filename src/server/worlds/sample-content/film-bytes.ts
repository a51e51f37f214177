/** Makes a WebM without a track. */
import { latin1, u8 } from './byte-parts.ts';

/** An element of EBML (RFC 8794) with at most 126 bytes. */
const element = (id: readonly number[], ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([u8(...id, 0x80 | body.length), body]);
};

/** Header and information of a WebM. */
export const webmBytes = (): Buffer =>
  Buffer.concat([
    element(
      [0x1a, 0x45, 0xdf, 0xa3],
      element([0x42, 0x86], u8(1)),
      element([0x42, 0xf7], u8(1)),
      element([0x42, 0xf2], u8(4)),
      element([0x42, 0xf3], u8(8)),
      element([0x42, 0x82], latin1('webm')),
      element([0x42, 0x87], u8(2)),
      element([0x42, 0x85], u8(2)),
    ),
    element(
      [0x18, 0x53, 0x80, 0x67],
      element(
        [0x15, 0x49, 0xa9, 0x66],
        element([0x2a, 0xd7, 0xb1], u8(0x0f, 0x42, 0x40)),
        element([0x4d, 0x80], latin1('sample')),
        element([0x57, 0x41], latin1('sample')),
      ),
    ),
  ]);
