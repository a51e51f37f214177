/** The class `Buffer` of the package `buffer`, with the encoding `base64url`, which it lacks. */
import { Buffer } from 'buffer';

const toText = Buffer.prototype.toString;

Buffer.prototype.toString = function (encoding?: BufferEncoding, start?: number, end?: number): string {
  if (encoding !== 'base64url') return toText.call(this, encoding, start, end);
  return toText.call(this, 'base64', start, end).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};

const fromAny = Buffer.from.bind(Buffer) as (...content: readonly unknown[]) => Buffer<ArrayBuffer>;

/** The package reads both alphabets as `base64`. */
Buffer.from = (...[content, encoding, ...rest]: readonly unknown[]) =>
  fromAny(content, encoding === 'base64url' ? 'base64' : encoding, ...rest);

export { Buffer };
