/** An image's dimensions, read from its header and never by decoding it. */
import { imageSize } from 'image-size';
import type { BlobReference } from '../../model/entity.ts';

/** Width and height in pixels; nothing when the bytes are no image that is known, or a broken one. */
export const pixelsOf = (head: Uint8Array): Pick<BlobReference, 'width' | 'height'> => {
  try {
    const { width, height } = imageSize(head);
    return Number.isSafeInteger(width) && Number.isSafeInteger(height) ? { width, height } : {};
  } catch {
    return {};
  }
};
