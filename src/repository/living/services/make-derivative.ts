/** Does the work of the microservices: makes the bytes that a message asks for out of those of the source. */
import type { PictureSize } from '../../../basics/file-beginnings.ts';
import { askedSize, placeholderSize } from './asked-size.ts';
import type { Derivative, DerivativeOrder } from './derivative-service.ts';
import { silentSound, greyVideo } from './silent-media.ts';
import { fitsOf } from './technical-metadata.ts';
import { hocrOf, plainTextOf } from './texts.ts';
import { reasonOf } from './unread-source.ts';

/** The readers of files that a host has. Each rejects with `UnreadSource`, or with what its library throws. */
export type FileReaders = {
  /** Scales a picture to the size that the arguments ask for. */
  readonly scalePicture: (source: Uint8Array, mimetype: string, args: string) => Promise<Uint8Array>;
  readonly greyPicture: (size: PictureSize, mimetype: string) => Promise<Uint8Array>;
  /** The text of a PDF. Without it PDFs are not read. */
  readonly textOfPdf?: ((source: Uint8Array) => Promise<string>) | undefined;
};

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What no service makes here comes as it is: a file of its own type, without a conversion. */
export const makeDerivative = async (
  order: DerivativeOrder,
  source: Uint8Array,
  readers: FileReaders,
): Promise<Derivative> => {
  try {
    return { bytes: await derivedBytes(order, source, readers) };
  } catch (error) {
    return makePlaceholder(order, source, { reason: reasonOf(error), readers });
  }
};

const derivedBytes = async (
  { mimetype, args, source: { name, mimetype: type } }: DerivativeOrder,
  source: Uint8Array,
  { scalePicture, textOfPdf }: FileReaders,
): Promise<Uint8Array> => {
  const [kind] = mimetype.split('/');
  if (kind === 'image') return scalePicture(source, mimetype, args);
  if (kind === 'audio') return silentSound();
  if (kind === 'video') return greyVideo();
  if (mimetype === 'application/xml') return encoded(fitsOf({ bytes: source, name, mimetype: type }));
  const text = isPdf(source) && textOfPdf !== undefined ? await textOfPdf(source) : plainTextOf(source);
  return encoded(textAs(mimetype, text, name));
};

const textAs = (mimetype: string, text: string, name: string): string =>
  mimetype.includes('hocr') ? hocrOf(text, name) : text;

/** A PDF may begin with other bytes. */
const isPdf = (bytes: Uint8Array): boolean =>
  new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).includes('%PDF-');

/** A file of the wanted type that stands for what the source shows: a grey picture, a sentence, the name of the file. `head` has the first bytes of the source. */
export const makePlaceholder = async (
  { mimetype, args, source: { name, mimetype: type } }: DerivativeOrder,
  head: Uint8Array,
  { reason, readers }: { readonly reason: string; readonly readers: Pick<FileReaders, 'greyPicture'> },
): Promise<Derivative> => {
  if (mimetype.startsWith('image/')) {
    const bytes = await readers.greyPicture(askedSize(args, placeholderSize(head)), mimetype);
    return { bytes, placeholder: reason };
  }
  const text = `Text of ${name}\n`;
  const isMetadata = mimetype === 'application/xml';
  const written = isMetadata ? fitsOf({ bytes: undefined, name, mimetype: type }) : textAs(mimetype, text, name);
  return { bytes: encoded(written), placeholder: reason };
};
