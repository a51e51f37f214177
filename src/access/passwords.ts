/** Hashes and verifies passwords with scrypt (RFC 7914). */
import { scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { unavailable } from '../problem.ts';
import { createSemaphore } from '../storage/semaphore.ts';

/** In UTF-16 units. Longer passwords are refused before any work is done. */
export const maxPasswordLength = 128;

const cost = { N: 2 ** 14, r: 8, p: 1 };
const hashBytes = 32;
/** Bytes of memory: twice the 128 × N × r that this cost needs. */
const maxmem = 32 * 1024 * 1024;

type StoredHash = { readonly salt: Buffer; readonly expected: Buffer; readonly options: ScryptOptions };

/** Stands in for a missing hash, so that a refusal takes as long for an unknown name as for a known one. */
const dummyHash: StoredHash = {
  salt: Buffer.alloc(16),
  expected: Buffer.alloc(hashBytes),
  options: { ...cost, maxmem },
};

/**
 * One limit for the process, because it has one thread pool. Hashing takes at most two of the four threads, and file access
 * keeps the rest. When 100 callers wait, the next one gets a 503.
 */
const hashing = createSemaphore(2, {
  max: 100,
  refusal: () => unavailable('Too many logins at once. Try again later.'),
});

/**
 * Hashes a password for `password_hash` of an account in a site file. `salt` is at least 16 random bytes. The result is
 * `scrypt$N$r$p$salt$hash`: scrypt (RFC 7914) with N = 16384, r = 8 and p = 1; salt and hash (32 bytes) in base64.
 * Rejects with a Problem 503 when too many passwords are being hashed.
 */
export const hashPassword = async (password: string, salt: Uint8Array): Promise<string> => {
  const hash = await hashing(() => derive(password, salt, hashBytes, { ...cost, maxmem }));
  const encoded = [salt, hash].map((bytes) => Buffer.from(bytes).toString('base64'));
  return ['scrypt', cost.N, cost.r, cost.p, ...encoded].join('$');
};

/**
 * True when the password belongs to the hash. Without a hash, or with one of another form, it is false after the same work.
 * Rejects with a Problem 503 when too many passwords are being hashed.
 */
export const passwordMatches = async (password: string, hash: string | undefined): Promise<boolean> => {
  if (password.length > maxPasswordLength) return false;
  const stored = readHash(hash);
  const { salt, expected, options } = stored ?? dummyHash;
  const derived = await hashing(() => derive(password, salt, expected.byteLength, options));
  return timingSafeEqual(derived, expected) && stored !== undefined;
};

const readHash = (hash: string | undefined): StoredHash | undefined => {
  const match = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([A-Za-z0-9+/]+=*)\$([A-Za-z0-9+/]+=*)$/.exec(hash ?? '');
  if (match === null) return undefined;
  const [, N, r, p, salt = '', expected = ''] = match;
  return {
    salt: Buffer.from(salt, 'base64'),
    expected: Buffer.from(expected, 'base64'),
    options: { N: Number(N), r: Number(r), p: Number(p), maxmem },
  };
};

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt);
