/** Replaces the used members of `node:crypto`: hashes by @noble/hashes, random values by Web Crypto. */
import { hmac } from '@noble/hashes/hmac.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { scryptAsync } from '@noble/hashes/scrypt.js';
import { sha256, sha512 } from '@noble/hashes/sha2.js';
import { Buffer } from './buffer.ts';

const hashes = { sha256, sha512, sha1, md5 };
type Name = keyof typeof hashes;
type Encoding = 'hex' | 'base64' | 'base64url';

type Sum = { update(bytes: Uint8Array): unknown; digest(): Uint8Array };

/** The part of Node's `Hash` that is used. */
class Hash {
  readonly #sum: Sum;
  constructor(sum: Sum) {
    this.#sum = sum;
  }
  update(content: string | Uint8Array): this {
    this.#sum.update(bytesOf(content));
    return this;
  }
  digest(): Buffer;
  digest(encoding: Encoding): string;
  digest(encoding?: Encoding): Buffer | string {
    const bytes = Buffer.from(this.#sum.digest());
    return encoding === undefined ? bytes : bytes.toString(encoding);
  }
}

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content, 'utf8') : content;

export const createHash = (name: Name): Hash => new Hash(hashes[name].create());

export const createHmac = (name: Name, key: string | Uint8Array): Hash =>
  new Hash(hmac.create(hashes[name], bytesOf(key)));

export const hash = (name: Name, content: string | Uint8Array, encoding: Encoding = 'hex'): string =>
  createHash(name).update(content).digest(encoding);

export const randomBytes = (size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  crypto.getRandomValues(bytes);
  return bytes;
};

/** Pages without https have no `crypto.randomUUID`. Version 4 and variant 8 (RFC 9562 §5.4). */
export const randomUUID = (): string => {
  const hex = randomBytes(16).toString('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, variant + hex.slice(17, 20)];
  return [...groups, hex.slice(20)].join('-');
};

/** Takes the same time wherever the two differ. Both must have the same length. */
export const timingSafeEqual = (a: Uint8Array, b: Uint8Array): boolean => {
  if (a.byteLength !== b.byteLength) throw new RangeError('Input buffers must have the same byte length');
  let difference = 0;
  for (const [index, byte] of a.entries()) difference |= byte ^ (b[index] ?? 0);
  return difference === 0;
};

type ScryptOptions = { readonly N: number; readonly r: number; readonly p: number; readonly maxmem?: number };

/** scrypt (RFC 7914). It gives way to other work while it computes. */
export const scrypt = (
  password: string,
  salt: Uint8Array,
  length: number,
  { N, r, p, maxmem }: ScryptOptions,
  done: (error: Error | null, derived: Buffer) => void,
): void => {
  const options = { N, r, p, dkLen: length, ...(maxmem === undefined ? {} : { maxmem }) };
  scryptAsync(bytesOf(password), salt, options).then(
    (derived) => done(null, Buffer.from(derived)),
    (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), Buffer.alloc(0)),
  );
};
