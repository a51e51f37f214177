/** Does the work of the microservices: makes the bytes that a message asks for out of those of the source. */
import { silentSound, greyVideo } from './silent-media.ts';
import { makePicture } from './pictures.ts';
import { fitsOf } from './technical-metadata.ts';
import { hocrOf, makeText } from './texts.ts';

/** What a message of a derivative says. */
export type DerivativeRequest = {
  readonly mimetype: string;
  readonly args: string;
  readonly source_uri: string;
  readonly destination_uri: string;
  readonly file_upload_uri: string;
};

export type SourceBytes = {
  readonly bytes: Uint8Array;
  /** The name of the source file, and its media type. */
  readonly name: string;
  readonly mimetype: string;
};

const encoded = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What no service makes here comes as it is: a file of its own type, without a conversion. */
export const makeDerivative = async (
  { mimetype, args }: Pick<DerivativeRequest, 'mimetype' | 'args'>,
  source: SourceBytes,
): Promise<Uint8Array> => {
  const [kind] = mimetype.split('/');
  if (kind === 'image') return makePicture(source.bytes, mimetype, args);
  if (kind === 'audio') return silentSound();
  if (kind === 'video') return greyVideo();
  if (mimetype === 'application/xml') return encoded(fitsOf(source));
  const text = await makeText(source.bytes, source.name);
  return encoded(mimetype.includes('hocr') ? hocrOf(text, source.name) : text);
};
