/** Reads and computes the sizes of pictures. */
import { imageSize } from 'image-size';
import { isRecord } from '../../basics/json.ts';

export type PictureSize = { readonly width: number; readonly height: number };

/** Where the source does not tell a size. */
const usualSize: PictureSize = { width: 640, height: 480 };

const isSize = (value: unknown): value is PictureSize =>
  isRecord(value) && Number.isSafeInteger(value['width']) && Number.isSafeInteger(value['height']);

/** By the header; the usual size where there is none. */
export const sizeOf = (bytes: Uint8Array): PictureSize => {
  try {
    const size: unknown = imageSize(bytes);
    return isSize(size) && size.width > 0 && size.height > 0 ? size : usualSize;
  } catch {
    return usualSize;
  }
};

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
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
};

/** A grey picture need not be as large as the one that it stands for. */
export const fitting = (size: PictureSize): PictureSize => {
  const factor = Math.min(1, 1024 / Math.max(size.width, size.height));
  return { width: Math.max(1, Math.round(size.width * factor)), height: Math.max(1, Math.round(size.height * factor)) };
};
