/** The class `Buffer` of the package `buffer`, with the encoding `base64url`, which it lacks, and UTF-8 by the platform. */
import type { Buffer as NodeBuffer } from 'node:buffer';
// By its file: the name `buffer` alone is Node's own module where tests run.
import * as packaged from 'buffer/index.js';

// The used members are those of Node; the tests compare them.
const Buffer = packaged.Buffer as unknown as typeof NodeBuffer;
type Buffer = NodeBuffer;

const encoder = new TextEncoder();
/** The package reads some broken sequences as another number of replacement characters than Node. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const isUtf8 = (encoding: unknown): boolean => encoding === undefined || encoding === 'utf8' || encoding === 'utf-8';

const prototype = Buffer.prototype as Buffer; // typed as any by Node
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with the buffer below
const toText = prototype.toString;

prototype.toString = function (this: Buffer, encoding?: BufferEncoding, start = 0, end = this.length): string {
  if (isUtf8(encoding)) return decoder.decode(this.subarray(start, Math.max(start, end)));
  if (encoding !== 'base64url') return toText.call(this, encoding, start, end);
  return toText.call(this, 'base64', start, end).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};

const fromAny = Buffer.from.bind(Buffer) as (...content: readonly unknown[]) => NodeBuffer<ArrayBuffer>;

/** The package reads both alphabets as `base64`. */
Buffer.from = (...[content, encoding, ...rest]: readonly unknown[]) => {
  if (typeof content !== 'string' || !isUtf8(encoding)) {
    return fromAny(content, encoding === 'base64url' ? 'base64' : encoding, ...rest);
  }
  const { buffer, byteOffset, byteLength } = encoder.encode(content);
  return fromAny(buffer, byteOffset, byteLength);
};

const lengthOf = Buffer.byteLength.bind(Buffer);

Buffer.byteLength = (content, encoding) =>
  typeof content === 'string' && isUtf8(encoding) ? encoder.encode(content).byteLength : lengthOf(content, encoding);

export { Buffer };
