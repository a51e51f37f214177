/** Reads pictures of strangers into pixels. How large one may be is asked of its header, before any decoder allocates for it. */
import { pictureSizeOf, type PictureSize } from '../../../basics/file-beginnings.ts';
import { UnreadSource } from '../../../repository/repository-content.ts';
import { jpegCodec, pngCodec } from './codecs.ts';
import { checkJpeg } from './check-jpeg.ts';
import { mostPixels, type Pixels } from './pixels.ts';
import { readTiff } from './tiff.ts';

const begins = (bytes: Uint8Array, ...first: readonly number[]): boolean =>
  first.every((byte, at) => bytes[at] === byte);

/** Rejects with `UnreadSource`, or with what the decoder throws of a damaged file. */
export const readPicture = async (bytes: Uint8Array): Promise<Pixels> => {
  const decoder = decoderOf(bytes);
  const size = pictureSizeOf([bytes]);
  if (decoder === undefined || size === undefined)
    throw new UnreadSource('The built-in services read PNG, JPEG and TIFF, and draw nothing else.');
  if (size.width * size.height > mostPixels)
    throw new UnreadSource(`The picture has more than ${mostPixels / 1e6} million pixels.`);
  const pixels = await decoder(bytes, size);
  // A decoder that found another header than the one that was checked.
  if (pixels.data.length !== size.width * size.height * 4)
    throw new Error('The picture has another size than its header.');
  return pixels;
};

type Decoder = (bytes: Uint8Array, size: PictureSize) => Pixels | Promise<Pixels>;

const decoderOf = (bytes: Uint8Array): Decoder | undefined => {
  if (begins(bytes, 0x89, 0x50, 0x4e, 0x47)) return readPng;
  if (begins(bytes, 0xff, 0xd8, 0xff)) return readJpeg;
  const isTiff = begins(bytes, 0x49, 0x49, 0x2a, 0) || begins(bytes, 0x4d, 0x4d, 0, 0x2a);
  return isTiff ? readTiff : undefined;
};

/** The decoder is Rust's `png`, which inflates a row at a time and stops growing at the size of the header. */
const readPng: Decoder = async (bytes) => (await pngCodec())(bytes);

const readJpeg: Decoder = async (bytes) => (checkJpeg(bytes) === 4 ? readCmyk(bytes) : (await jpegCodec())(bytes));

/** MozJPEG makes no RGB of CMYK. The slower decoder does, within the same bounds of the process. */
const readCmyk = async (bytes: Uint8Array): Promise<Pixels> => {
  const { default: jpeg } = await import('jpeg-js');
  return jpeg.decode(bytes, { useTArray: true, maxResolutionInMP: mostPixels / 1e6, maxMemoryUsageInMB: 512 });
};
