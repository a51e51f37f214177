/** Reads an image's dimensions from its header, without decoding the image. */
import { imageSize } from 'image-size';
import type { BlobReference } from '../../model/entity.ts';

/** The library knows each format by so many bytes at most. */
const signatureBytes = 4096;

/**
 * Width and height in pixels. Empty when the bytes are not an image of a known format, or a broken one. `head` has the first bytes in
 * pieces.
 */
export const dimensionsOf = (head: readonly Uint8Array[]): Pick<BlobReference, 'width' | 'height'> => {
  try {
    if (!mayBeImage(joined(head, signatureBytes))) return {};
    const { width, height } = imageSize(joined(head));
    return isSize(width) && isSize(height) ? { width, height } : {};
  } catch {
    return {};
  }
};

/** A copy: the library reads beyond the end of a view, and takes what lies there for the rest of a cut file. */
const joined = (pieces: readonly Uint8Array[], length?: number): Uint8Array =>
  new Uint8Array(Buffer.concat(pieces, length ?? pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)));

/** Most uploads are not images, and copying their first 256 KiB for each would cost more than storing them. */
const mayBeImage = (beginning: Uint8Array): boolean => {
  try {
    imageSize(beginning);
    return true;
  } catch (error) {
    return !String(error).endsWith('unsupported file type: undefined');
  }
};

const isSize = (value: number): boolean => Number.isSafeInteger(value) && value > 0;
