/** Scales pictures and writes them as PNG or JPEG. */
import type { PictureSize } from '../../../basics/file-beginnings.ts';
import { askedSize } from '../../../repository/repository-content.ts';
import type { Pixels } from './pixels.ts';
import { readPicture } from './read-picture.ts';

/** Each new pixel is the mean of the pixels that it covers. */
const scaled = (picture: Pixels, { width, height }: PictureSize): Pixels => {
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

const encoded = async (picture: Pixels, mimetype: string): Promise<Uint8Array> => {
  if (mimetype === 'image/png') {
    const { encode } = await import('fast-png');
    return encode({ ...picture, channels: 4, depth: 8 });
  }
  const { default: jpeg } = await import('jpeg-js');
  return new Uint8Array(jpeg.encode({ ...picture }, 85).data);
};

/** A picture of the wanted type. Rejects as `readPicture`. */
export const scalePicture = async (source: Uint8Array, mimetype: string, args: string): Promise<Uint8Array> => {
  const picture = await readPicture(source);
  return encoded(scaled(picture, askedSize(args, picture)), mimetype);
};

export const greyPicture = (size: PictureSize, mimetype: string): Promise<Uint8Array> =>
  encoded({ ...size, data: new Uint8Array(size.width * size.height * 4).fill(0xc8) }, mimetype);
