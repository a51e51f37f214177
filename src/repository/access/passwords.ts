/** Hashes and verifies passwords with scrypt (RFC 7914). */
import { areSameBytes, digest, randomKey, scrypt, type ScryptOptions } from '../../basics/secrets/digest.ts';
import { maxHashMemory as maxmem, readPasswordHash } from '../site/password-hash.ts';
import { createSemaphore } from '../../basics/semaphore.ts';
import { createLruMap } from '../../basics/lru-map.ts';
import { unavailable } from '../../openapi/openapi-terms.ts';

/** In UTF-16 units. Longer passwords are refused before any work is done. */
export const maxPasswordLength = 128;

const cost = { N: 2 ** 14, r: 8, p: 1 };
const hashBytes = 32;

type StoredHash = { readonly salt: Buffer; readonly expected: Buffer; readonly options: ScryptOptions };

/**
 * Takes the place of a missing hash, so that a refusal takes as long for an unknown name as for a known one: it costs what the hash
 * of an account last cost.
 */
let dummyHash: StoredHash = {
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
  const hash = await hashing(() => scrypt(password, salt, hashBytes, { ...cost, maxmem }));
  const encoded = [salt, hash].map((bytes) => Buffer.from(bytes).toString('base64'));
  return ['scrypt', cost.N, cost.r, cost.p, ...encoded].join('$');
};

/**
 * Pairs of password and stored hash that have matched, for all worlds of the process: most worlds are copies with the same
 * accounts. A changed password has another hash and so another entry. The keyed digest keeps passwords out of memory.
 */
const knownMatches = createLruMap<string, true>(1000);
/** Drawn when it is needed: edge runtimes have no random values while modules are loaded. */
let drawnKey: string | undefined;
const matchKey = (): string => (drawnKey ??= randomKey());

/**
 * True when the password belongs to the hash. A pair that has matched before costs no second scrypt. With a missing or
 * malformed hash it is false after the same work.
 * Rejects with a Problem 503 when too many passwords are being hashed.
 */
export const passwordMatches = async (password: string, hash: string | undefined): Promise<boolean> => {
  if (password.length > maxPasswordLength) return false;
  const match = digest('sha256', JSON.stringify([matchKey(), password, hash]), 'base64url');
  if (knownMatches.get(match) === true) return true;
  const stored = readHash(hash);
  const { salt, expected, options } = stored ?? dummyHash;
  const derived = await hashing(() => scrypt(password, salt, expected.byteLength, options));
  if (stored !== undefined) dummyHash = { ...dummyHash, options };
  const matches = areSameBytes(derived, expected) && stored !== undefined;
  if (matches) knownMatches.set(match, true);
  return matches;
};

const readHash = (text: string | undefined): StoredHash | undefined => {
  const read = readPasswordHash(text ?? '');
  if (read === undefined) return undefined;
  const { salt, hash, N, r, p } = read;
  return { salt, expected: hash, options: { N, r, p, maxmem } };
};
