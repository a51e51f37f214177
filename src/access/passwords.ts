/** How passwords are hashed and compared. Whose password it is, and how often somebody may guess, is not known here. */
import type { ScryptOptions } from 'node:crypto';
import { scrypt } from 'node:crypto';
import { unavailable } from '../problem.ts';
import { createParallelLimit } from './parallel-limit.ts';
import { sameBytes } from './secret.ts';

/** Longer passwords are refused before any work is done for them (in UTF-16 units, as `String.length` counts). */
export const maxPasswordLength = 128;

const cost = { N: 2 ** 14, r: 8, p: 1 };
const hashBytes = 32;
/** Twice what the cost above needs: enough for every hash this program has written. */
const maxmem = 32 * 1024 * 1024;

type StoredHash = { readonly salt: Buffer; readonly expected: Buffer; readonly options: ScryptOptions };

/** What is hashed against when there is no account, so that a name which does not exist takes as long to refuse. */
const nobody: StoredHash = {
  salt: Buffer.alloc(16),
  expected: Buffer.alloc(hashBytes),
  options: { ...cost, maxmem },
};

/**
 * One gate for the process, as there is one thread pool: hashing takes at most two of its four threads, and the disk
 * keeps the rest. Callers beyond the queue are told 503.
 */
const hashing = createParallelLimit(2, 100, () => unavailable('Too many logins at once. Try again later.'));

/** The password as `scrypt$N$r$p$salt$hash`, salt and hash in base64. The salt is given: at least 16 random bytes. */
export const hashPassword = async (password: string, salt: Uint8Array): Promise<string> => {
  const hash = await hashing(() => derive(password, salt, hashBytes, { ...cost, maxmem }));
  const encoded = [salt, hash].map((bytes) => Buffer.from(bytes).toString('base64'));
  return ['scrypt', cost.N, cost.r, cost.p, ...encoded].join('$');
};

/**
 * Whether the password belongs to the hash. Without a hash (no such account) the answer is false after the same work.
 * Rejects with a Problem 503 when too many passwords are being hashed.
 */
export const passwordMatches = async (password: string, hash: string | undefined): Promise<boolean> => {
  if (password.length > maxPasswordLength) return false;
  const stored = readHash(hash);
  const { salt, expected, options } = stored ?? nobody;
  const derived = await hashing(() => derive(password, salt, expected.byteLength, options));
  return sameBytes(derived, expected) && stored !== undefined;
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

const derive = (password: string, salt: Uint8Array, length: number, options: ScryptOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    scrypt(password, salt, length, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
