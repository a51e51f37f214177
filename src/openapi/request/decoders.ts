/** Decodes the pieces of a request, each as its place has them. */
import type { Place } from '../document/parameter.ts';

/** A text that cannot be read as its style says. */
export class Unreadable extends Error {}

const decode = (raw: string): string => {
  try {
    return decodeURIComponent(raw);
  } catch {
    throw new Unreadable('is not percent-encoded UTF-8');
  }
};

/** A plus sign is a blank in a query alone. */
export const decodeQuery = (raw: string): string => decode(raw.replaceAll('+', ' '));

/** Many cookies are not percent-encoded. */
const decodeCookie = (raw: string): string => {
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
};

type Decoders = Readonly<Record<Place, typeof decode>>;
const decoders: Decoders = { path: decode, query: decodeQuery, header: (raw) => raw, cookie: decodeCookie };

/** Bytes that are no UTF-8 are replaced in a query. In a path the segment stays as it was sent, so that it names nothing. */
const tolerantDecoders: Decoders = {
  ...decoders,
  path: (raw) => (raw.includes('%') ? raw.split('/').map(decodeCookie).join('/') : raw),
  query: (raw) => (/[%+]/.test(raw) ? (new URLSearchParams(`_=${raw}`).get('_') ?? '') : raw),
};

export const decoderOf = (place: Place, { isTolerant }: { readonly isTolerant: boolean }): typeof decode =>
  (isTolerant ? tolerantDecoders : decoders)[place];
