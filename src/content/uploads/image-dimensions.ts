/** Reads an image's dimensions from its header, without decoding the image. */
import { imageSize } from 'image-size';
import type { BlobReference } from '../../model/entity.ts';

/** Width and height in pixels. Empty when the bytes are not an image of a known format, or a broken one. */
export const dimensionsOf = (head: Uint8Array): Pick<BlobReference, 'width' | 'height'> => {
  try {
    // The library reads beyond the end of a view, and takes what lies there for the rest of a cut file.
    const { width, height } = imageSize(Uint8Array.from(head));
    return isSize(width) && isSize(height) ? { width, height } : {};
  } catch {
    return {};
  }
};

const isSize = (value: number): boolean => Number.isSafeInteger(value) && value > 0;
