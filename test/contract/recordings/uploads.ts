/** Bodies for the recorded uploads, of which only the number of bytes is known. */
import { pngBytes } from '../../support/png.ts';

/** The pictures that the recorded server was sent, by their number of bytes: width and height as its records tell. */
const pictures: Readonly<Record<number, readonly [width: number, height: number]>> = {
  94: [8, 8],
  225: [40, 30],
  354: [64, 48],
};

/** Bytes of exactly this number: the picture that the recording tells of, else text. What follows a picture's end is not read. */
export const bytesLike = (size: number): Buffer => {
  const picture = pictures[size];
  const bytes = Buffer.alloc(size, picture === undefined ? 'x' : 0);
  if (picture !== undefined) pngBytes(...picture).copy(bytes);
  return bytes;
};
