/** Scales pictures. Its libraries are loaded when the first picture is due. */
import { createLruMap } from '../../basics/lru-map.ts';
import { askedSize, fitting, type PictureSize, sizeOf } from './picture-size.ts';

/** Four bytes for each pixel: red, green, blue, alpha. */
type Picture = PictureSize & { readonly data: Uint8Array };

/** Larger ones would hold up other requests for seconds. */
const mostPixels = 16_000_000;

/** Samples of 8 or 16 bits as four bytes for each pixel. */
const fourBytes = (size: PictureSize, data: ArrayLike<number>, channels: number, highest: number): Picture => {
  const pixels = size.width * size.height;
  const result = new Uint8Array(pixels * 4);
  const isGrey = channels < 3;
  for (let at = 0; at < pixels; at += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      const sample = data[at * channels + (isGrey ? 0 : channel)] ?? 0;
      result[at * 4 + channel] = highest === 255 ? sample : Math.round((sample / highest) * 255);
    }
    const alpha = channels === 2 || channels === 4 ? data[at * channels + channels - 1] : undefined;
    result[at * 4 + 3] = alpha === undefined ? 255 : Math.round((alpha / highest) * 255);
  }
  return { ...size, data: result };
};

const begins = (bytes: Uint8Array, ...first: readonly number[]): boolean =>
  first.every((byte, at) => bytes[at] === byte);

const readPng = async (bytes: Uint8Array): Promise<Picture> => {
  const { convertIndexedToRgb, decode } = await import('fast-png');
  const png = decode(bytes);
  if (png.palette !== undefined) return fourBytes(png, convertIndexedToRgb(png), png.palette[0]?.length ?? 3, 255);
  return fourBytes(png, png.data, png.channels, png.depth === 16 ? 65_535 : png.depth === 8 ? 255 : 2 ** png.depth - 1);
};

const readJpeg = async (bytes: Uint8Array): Promise<Picture> => {
  const { default: jpeg } = await import('jpeg-js');
  return jpeg.decode(bytes, { useTArray: true, maxResolutionInMP: mostPixels / 1e6, maxMemoryUsageInMB: 512 });
};

const readTiff = async (bytes: Uint8Array): Promise<Picture> => {
  const { decode } = await import('tiff');
  const [page] = decode(bytes, { pages: [0] });
  if (page === undefined) throw new Error('The file has no page.');
  const { width, height, samplesPerPixel, bitsPerSample } = page;
  if (page.data.length !== width * height * samplesPerPixel) throw new Error('The page is packed.');
  return fourBytes({ width, height }, page.data, samplesPerPixel, 2 ** bitsPerSample - 1);
};

/** Undefined for bytes that the libraries do not read, and for pictures that are too large. */
const readPicture = async (bytes: Uint8Array): Promise<Picture | undefined> => {
  try {
    const { width, height } = sizeOf(bytes);
    if (width * height > mostPixels) return undefined;
    if (begins(bytes, 0x89, 0x50, 0x4e, 0x47)) return await readPng(bytes);
    if (begins(bytes, 0xff, 0xd8, 0xff)) return await readJpeg(bytes);
    const isTiff = begins(bytes, 0x49, 0x49, 0x2a, 0) || begins(bytes, 0x4d, 0x4d, 0, 0x2a);
    return isTiff ? await readTiff(bytes) : undefined;
  } catch {
    return undefined;
  }
};

const greyPicture = (size: PictureSize): Picture => ({
  ...size,
  data: new Uint8Array(size.width * size.height * 4).fill(0xc8),
});

/** Each new pixel is the mean of the pixels that it covers. */
const scaled = (picture: Picture, { width, height }: PictureSize): Picture => {
  if (picture.width === width && picture.height === height) return picture;
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = covered(y, height, picture.height);
    for (let x = 0; x < width; x += 1) {
      const [left, right] = covered(x, width, picture.width);
      const at = (y * width + x) * 4;
      for (let channel = 0; channel < 4; channel += 1) {
        let sum = 0;
        for (let row = top; row < bottom; row += 1) {
          for (let column = left; column < right; column += 1) {
            sum += picture.data[(row * picture.width + column) * 4 + channel] ?? 0;
          }
        }
        data[at + channel] = Math.round(sum / ((bottom - top) * (right - left)));
      }
    }
  }
  return { width, height, data };
};

const covered = (at: number, length: number, of: number): readonly [number, number] => {
  const begin = Math.min(of - 1, Math.floor((at * of) / length));
  return [begin, Math.max(begin + 1, Math.floor(((at + 1) * of) / length))];
};

const encoded = async (picture: Picture, mimetype: string): Promise<Uint8Array> => {
  if (mimetype === 'image/png') {
    const { encode } = await import('fast-png');
    return encode({ ...picture, channels: 4, depth: 8 });
  }
  const { default: jpeg } = await import('jpeg-js');
  return new Uint8Array(jpeg.encode({ ...picture }, 85).data);
};

/** By type and size. Each encoding of a JPEG fills tables of 65,535 rows first, and all grey pictures of a size are equal. */
const greyOnes = createLruMap<string, Uint8Array>(8);

const greyBytes = async (size: PictureSize, mimetype: string): Promise<Uint8Array> => {
  const key = `${mimetype} ${size.width} ${size.height}`;
  const bytes = greyOnes.get(key) ?? (await encoded(greyPicture(size), mimetype));
  greyOnes.set(key, bytes);
  return bytes;
};

/** A picture of the wanted type. It is grey where the source is another thing, such as a video or a PDF. */
export const makePicture = async (source: Uint8Array, mimetype: string, args: string): Promise<Uint8Array> => {
  const read = await readPicture(source);
  const target = askedSize(args, read ?? fitting(sizeOf(source)));
  return read === undefined ? greyBytes(target, mimetype) : encoded(scaled(read, target), mimetype);
};
