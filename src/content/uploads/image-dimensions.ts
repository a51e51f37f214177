/** Reads an image's dimensions from its header, without decoding the image. */
import { imageSize } from 'image-size';
import type { BlobReference } from '../../model/entity.ts';

/** Width and height in pixels. Empty when the bytes are not an image of a known format, or a broken one. */
export const dimensionsOf = (head: Uint8Array): Pick<BlobReference, 'width' | 'height'> => {
  try {
    const { width, height } = imageSize(head);
    return Number.isSafeInteger(width) && Number.isSafeInteger(height) ? { width, height } : {};
  } catch {
    return {};
  }
};
