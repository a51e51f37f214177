/** Unpacks compressed bodies, so that people can read them and secrets are found in them. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';
import { digest } from '../../basics/secrets/digest.ts';
import { headerValue, type HeaderLine, type WireBody } from '../wire-exchange.ts';

export type Message = { readonly headers: readonly HeaderLine[]; readonly body: WireBody };

/** The most bytes that a body may have when it is unpacked. */
const maxBytes = 64 * 1024 * 1024;

type Limit = { readonly maxOutputLength: number };

const decoders: Readonly<Record<string, (bytes: Uint8Array, limit: Limit) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  // Some servers leave out the frame.
  deflate: (bytes, limit) => {
    try {
      return inflateSync(bytes, limit);
    } catch {
      return inflateRawSync(bytes, limit);
    }
  },
  br: brotliDecompressSync,
};

/** The message without its `Content-Encoding`. A compressed body that cannot be unpacked into `most` bytes loses its bytes. */
export const decodedMessage = ({ headers, body }: Message, most = maxBytes): Message => {
  const coding = headerValue(headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || coding === '' || body.bytes === 0) return { headers, body };
  const bytes = decode(body, coding, { maxOutputLength: most });
  if (bytes === undefined) return { headers, body: { ...body, kept: new Uint8Array(), isWhole: false } };
  const plain = headers.filter(([name]) => name.toLowerCase() !== 'content-encoding');
  return { headers: withLength(plain, bytes), body: wholeBody(bytes) };
};

const decode = ({ kept, isWhole }: WireBody, coding: string, limit: Limit): Uint8Array | undefined => {
  if (!isWhole) return undefined;
  try {
    const codings = coding.split(/\s*,\s*/).reverse();
    return codings.reduce<Uint8Array | undefined>((bytes, one) => bytes && decoders[one]?.(bytes, limit), kept);
  } catch {
    return undefined;
  }
};

/** A body of these bytes. */
export const wholeBody = (bytes: Uint8Array): WireBody => ({
  ...{ bytes: bytes.byteLength, kept: bytes, isWhole: true },
  sha256: digest('sha256', bytes, 'hex'),
});

/** The headers with the length of this body, where they name a length. Without a body they name none. */
export const withLength = (headers: readonly HeaderLine[], body: Uint8Array | undefined): HeaderLine[] =>
  headers.flatMap(([name, value]): HeaderLine[] => {
    if (name.toLowerCase() !== 'content-length') return [[name, value]];
    return body === undefined ? [] : [[name, String(body.byteLength)]];
  });
