/** Computes the size of a derived picture. */
import { type PictureSize, pictureSizeOf } from '../../../basics/file-beginnings.ts';

/** Where the source does not tell a size. */
const usualSize: PictureSize = { width: 640, height: 480 };

/** The longest side of a picture that is made. */
const mostLength = 16_000;

/** The size that the arguments of the service ask for: `-thumbnail 220x220` of ImageMagick, `scale=100:-2` of FFmpeg. */
export const askedSize = (args: string, { width, height }: PictureSize): PictureSize => {
  const [, boxWidth, boxHeight] = /-(?:thumbnail|resize|scale) (\d+)x(\d+)/.exec(args) ?? [];
  const [, scaleWidth] = /\bscale=(\d+):/.exec(args) ?? [];
  const factor =
    boxWidth !== undefined
      ? Math.min(Number(boxWidth) / width, Number(boxHeight) / height)
      : scaleWidth !== undefined
        ? Number(scaleWidth) / width
        : 1;
  return { width: lengthOf(width * factor), height: lengthOf(height * factor) };
};

const lengthOf = (length: number): number => Math.min(mostLength, Math.max(1, Math.round(length)));

/** A placeholder has the proportions of its source and need not be as large. */
export const placeholderSize = (head: Uint8Array): PictureSize => {
  const { width, height } = pictureSizeOf([head]) ?? usualSize;
  const factor = Math.min(1, 1024 / Math.max(width, height));
  return { width: lengthOf(width * factor), height: lengthOf(height * factor) };
};
