/** The built-in services of a page: the browser decodes and scales pictures, outside the page's own thread. A page reads no PDF. */
import type { PictureSize } from '../basics/file-beginnings.ts';
import {
  askedSize,
  type DerivativeService,
  mostSourceBytes,
  needsSource,
  tooLargeSource,
  type FileReaders,
  makeDerivative,
  makePlaceholder,
  UnreadSource,
} from '../repository/repository-content.ts';

/** Rejects with `UnreadSource` for bytes that the browser does not read as a picture. */
const readPicture = (source: Uint8Array): Promise<ImageBitmap> =>
  createImageBitmap(new Blob([new Uint8Array(source)])).catch(() => {
    throw new UnreadSource('This browser does not read the file as a picture.');
  });

const encoded = async (
  { width, height }: PictureSize,
  mimetype: string,
  picture: ImageBitmap | undefined,
): Promise<Uint8Array> => {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser draws no pictures here.');
  context.fillStyle = '#c8c8c8';
  context.fillRect(0, 0, width, height);
  if (picture !== undefined) context.drawImage(picture, 0, 0, width, height);
  const made = await canvas.convertToBlob({ type: mimetype, quality: 0.85 });
  return new Uint8Array(await made.arrayBuffer());
};

const readers: FileReaders = {
  scalePicture: async (source, mimetype, args) => {
    const picture = await readPicture(source);
    return encoded(askedSize(args, picture), mimetype, picture);
  },
  greyPicture: (size, mimetype) => encoded(size, mimetype, undefined),
};

export const pageServices: DerivativeService = {
  make: async (order, source) => {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let size = 0;
    for await (const piece of source) {
      size += piece.length;
      if (!needsSource(order) || size > mostSourceBytes) break;
      pieces.push(new Uint8Array(piece));
    }
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
    return size > mostSourceBytes
      ? makePlaceholder(order, bytes, { reason: tooLargeSource, readers })
      : makeDerivative(order, bytes, readers);
  },
  end: () => undefined,
};
