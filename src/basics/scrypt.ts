/** Derives a key from a password with scrypt (RFC 7914). */
import { scrypt as deriveWithCallback, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';

export type { ScryptOptions };

/** `length` is that of the result, in bytes. */
export const scrypt = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(deriveWithCallback);
