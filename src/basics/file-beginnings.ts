/** Knows what the first bytes of a file tell: whether it is of its media type, and how large its picture is. */
import { imageSize } from 'image-size';

/** Only types whose files all begin so. A PDF may begin with other bytes, within its first 1,024. */
const beginnings: Readonly<Record<string, RegExp>> = {
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
  'image/tiff': /^(II[*+]\0|MM\0[*+])/,
  'image/jp2': /^(\0\0\0\x0cjP {2}|\xffO\xffQ)/,
  'image/webp': /^RIFF[\s\S]{4}WEBP/,
  'image/bmp': /^BM/,
  'application/pdf': /%PDF-/,
  'application/zip': /^PK(\x03\x04|\x05\x06|\x07\x08)/,
  'audio/mpeg': /^(ID3|\xff[\xe0-\xff])/,
  'audio/wav': /^(RIFF|RF64|BW64)[\s\S]{4}WAVE/,
  'video/mp4': /^[\s\S]{4}(ftyp|moov|mdat|free|skip|wide)/,
};

/** Other names of those types. */
const sameTypes: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/x-ms-bmp': 'image/bmp',
  'audio/mp3': 'audio/mpeg',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-wav': 'audio/wav',
};

/** What the first bytes of such a file match, one character for each byte. Undefined where its files begin in many ways. */
export const beginningOfFiles = (mediaType: string): RegExp | undefined => {
  const name = sameTypes[mediaType] ?? mediaType;
  return Object.hasOwn(beginnings, name) ? beginnings[name] : undefined;
};

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
