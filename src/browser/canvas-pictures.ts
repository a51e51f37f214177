/** Replaces `living/services/pictures.ts`: the browser scales pictures, so that no library has to be loaded for it. */
import { askedSize, fitting, type PictureSize, sizeOf } from '../living/services/picture-size.ts';

/** Undefined for bytes that the browser does not read as a picture. */
const readPicture = (source: Uint8Array): Promise<ImageBitmap | undefined> =>
  createImageBitmap(new Blob([new Uint8Array(source)])).catch(() => undefined);

const drawn = (picture: ImageBitmap | undefined, { width, height }: PictureSize): OffscreenCanvas => {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser draws no pictures here.');
  context.fillStyle = '#c8c8c8';
  context.fillRect(0, 0, width, height);
  if (picture !== undefined) context.drawImage(picture, 0, 0, width, height);
  return canvas;
};

export const makePicture = async (source: Uint8Array, mimetype: string, args: string): Promise<Uint8Array> => {
  const picture = await readPicture(source);
  const canvas = drawn(picture, askedSize(args, picture ?? fitting(sizeOf(source))));
  const made = await canvas.convertToBlob({ type: mimetype, quality: 0.85 });
  return new Uint8Array(await made.arrayBuffer());
};
