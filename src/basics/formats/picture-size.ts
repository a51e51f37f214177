/** Reads the width and height of a picture from the first bytes of its file. */
import { imageSize } from 'image-size';

/** In pixels. */
export type PictureSize = { readonly width: number; readonly height: number };

/**
 * `image-size` compares each part of a HEIF file with all others, and each attribute of an SVG with the rest of the text. Within so many
 * bytes that takes milliseconds; within 256 KiB it took a second.
 */
const headerBytes = 8192;

/** In these two, long metadata may come before the size, and the library reads them in one pass. */
const hasSizeLate = (beginning: Uint8Array): boolean =>
  (beginning[0] === 0xff && beginning[1] === 0xd8) ||
  (beginning[0] === 0x49 && beginning[1] === 0x49) ||
  (beginning[0] === 0x4d && beginning[1] === 0x4d);

/** More of a file is never looked at. */
const mostBytes = 256 * 1024;

/** Undefined when the bytes are not a picture of a known format, or a broken one. `head` has the first bytes in pieces. */
export const pictureSizeOf = (head: readonly Uint8Array[]): PictureSize | undefined => {
  try {
    const beginning = joined(head, headerBytes);
    const { width, height } = imageSize(hasSizeLate(beginning) ? joined(head, mostBytes) : beginning);
    return isLength(width) && isLength(height) ? { width, height } : undefined;
  } catch {
    return undefined;
  }
};

/** A copy: the library reads beyond the end of a view, and takes what lies there for the rest of a cut file. */
const joined = (pieces: readonly Uint8Array[], most: number): Uint8Array => {
  const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const bytes = new Uint8Array(Math.min(length, most));
  let at = 0;
  for (const piece of pieces) {
    const part = piece.subarray(0, bytes.length - at);
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

const isLength = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
