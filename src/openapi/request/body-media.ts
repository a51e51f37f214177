/** Finds the media type that the body of a request has, among those that an operation takes. */
import type { Media, Operation, RequestBody } from '../document/operation.ts';
import { documentedType, isRange, type MediaType, readMediaType } from '../media-type.ts';
import { Refusal } from '../refusal.ts';

/** Names in lower case. */
type Headers = Readonly<Record<string, string | undefined>>;

/** The media of the document that a body has. */
export type ChosenMedia = { readonly media: Media; readonly type: MediaType; readonly contentType: string };

/** Whether a request announces a body, by its length or its transfer coding (RFC 9112 §6.3). */
export const announcesBody = (headers: Headers): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;

/**
 * The headers that name what a method takes: `Accept-Patch` (RFC 5789 §3.1), which has no ranges, and `Accept-Post` (Linked Data Platform
 * §7.1). None for other methods.
 */
export const acceptedBodies = ({ method, body }: Pick<Operation, 'method' | 'body'>): Record<string, string> => {
  if (method !== 'PATCH' && method !== 'POST') return {};
  const types = writableTypes(body).filter((type) => method === 'POST' || !isRange(type));
  return types.length === 0 ? {} : { [`Accept-${method === 'PATCH' ? 'Patch' : 'Post'}`]: types.join(', ') };
};

/** Others cannot stand in a header. */
const writableTypes = (body: RequestBody | undefined): string[] =>
  body?.media.map(({ type }) => type.trim()).filter((type) => readMediaType(type) !== undefined) ?? [];

/**
 * The media of a body by its Content-Type and Content-Encoding. Throws a refusal of kind `media-type` for one that the operation does not
 * take. Undefined where there is no body to read.
 */
export const mediaOfBody = (
  { method, body }: Pick<Operation, 'method' | 'body'>,
  headers: Headers,
): ChosenMedia | undefined => {
  if (body === undefined || !announcesBody(headers)) return undefined;
  const { 'content-type': contentType, 'content-encoding': encoding } = headers;
  const taken = body.media.map(({ type }) => type);
  if (taken.length === 0) return undefined;
  // RFC 9110 §15.5.16
  const accepted = { Accept: writableTypes(body).join(', '), ...acceptedBodies({ method, body }) };
  const refuse = (reason: string): Refusal => new Refusal('media-type', reason, { headers: accepted });
  if (contentType === undefined) throw refuse(`The body has no Content-Type; the operation takes ${taken.join(', ')}.`);
  const type = readMediaType(contentType);
  const documented = type && documentedType(taken, type);
  const media = body.media.find((each) => each.type === documented);
  if (type === undefined || media === undefined)
    throw refuse(`The operation takes ${taken.join(', ')}, not ${contentType.slice(0, 100)}.`);
  if (encoding !== undefined && !isEncoding(encoding)) {
    throw new Refusal('media-type', `The content encoding "${encoding.slice(0, 50)}" is not supported.`, {
      headers: { 'Accept-Encoding': 'gzip, deflate, identity' },
    });
  }
  const charset = type.parameters.get('charset');
  if (charset !== undefined && decoderFor(charset) === undefined)
    throw refuse(`The charset "${charset.slice(0, 50)}" is not known.`);
  return { media, type, contentType };
};

const isEncoding = (encoding: string): boolean => /^(identity|gzip|x-gzip|deflate)$/i.test(encoding.trim());

/** Undefined for a charset that is not known. */
export const decoderFor = (charset: string): InstanceType<typeof TextDecoder> | undefined => {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return undefined;
  }
};
