/** Digests of texts and streams, keyed ones too, keys from passwords, and the comparison of secrets in constant time. */
import {
  createHash,
  createHmac,
  hash,
  randomBytes,
  scrypt as deriveWithCallback,
  type ScryptOptions,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';
import { chunksOf } from '../byte-streams.ts';

export type DigestName = 'md5' | 'sha1' | 'sha256' | 'sha512';

/** The digest of a text in UTF-8, or of bytes. */
export const digest = (
  name: DigestName,
  content: string | Uint8Array,
  encoding: 'hex' | 'base64' | 'base64url',
): string => hash(name, content, encoding);

/** The digest of all bytes of a stream, in hexadecimal digits. */
export const digestOfStream = async (name: DigestName, stream: ReadableStream<Uint8Array>): Promise<string> => {
  const sum = createHash(name);
  for await (const chunk of chunksOf(stream)) sum.update(chunk);
  return sum.digest('hex');
};

/** The pieces of a source, and the digests of all of them once they have been read, in hexadecimal digits. */
export const hashedWhileRead = (names: readonly DigestName[], source: AsyncIterable<Uint8Array>) => {
  const sums = names.map((name) => [name, createHash(name)] as const);
  return {
    chunks: (async function* () {
      for await (const chunk of source) {
        for (const [, sum] of sums) sum.update(chunk);
        yield chunk;
      }
    })(),
    hashes: (): Readonly<Record<string, string>> =>
      Object.fromEntries(sums.map(([name, sum]) => [name, sum.digest('hex')])),
  };
};

/** HMAC with SHA-256 (RFC 2104), in base64url. */
export const keyedDigest = (key: string, content: string): string =>
  createHmac('sha256', key).update(content).digest('base64url');

/** 32 random bytes in base64: a key that never leaves the process. */
export const randomKey = (): string => randomBytes(32).toString('base64');

/** Takes the same time wherever the two differ. Their lengths are not secret. */
export const areSameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.byteLength === b.byteLength && timingSafeEqual(a, b);

/** The same for two texts. */
export const isSameSecret = (received: string, expected: string): boolean =>
  areSameBytes(Buffer.from(received), Buffer.from(expected));

export type { ScryptOptions };

/** `length` is that of the result, in bytes. */
export const scrypt = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(deriveWithCallback);
