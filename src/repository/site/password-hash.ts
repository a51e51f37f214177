/** Reads the password hashes of accounts: `scrypt$N$r$p$salt$hash` (RFC 7914), salt and hash in base64. */

type PasswordHash = {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
};

/** Bytes of memory that a check may take: twice the 128 × N × r of N = 16384 and r = 8. */
export const maxHashMemory = 32 * 1024 * 1024;

const maxParallel = 16;

/** A hash of a few bytes, or of none, is that of many passwords. */
const minHashBytes = 16;

/** The parts of a hash. Undefined for another form, and for a hash that is too short. */
export const readPasswordHash = (text: string): PasswordHash | undefined => {
  const match = /^scrypt\$(\d{1,10})\$(\d{1,10})\$(\d{1,10})\$([A-Za-z0-9+/]+=*)\$([A-Za-z0-9+/]+=*)$/.exec(text);
  if (match === null) return undefined;
  const [, N, r, p, salt = '', encoded = ''] = match;
  const hash = Buffer.from(encoded, 'base64');
  if (hash.byteLength < minHashBytes) return undefined;
  return { ...{ N: Number(N), r: Number(r), p: Number(p) }, ...{ salt: Buffer.from(salt, 'base64'), hash } };
};

/** Whether a login can pay for the hash. scrypt refuses other numbers, or would take the whole machine. */
export const isAffordable = (text: string): boolean => {
  const { N, r, p } = readPasswordHash(text) ?? { N: 0, r: 0, p: 0 };
  const isPower = N > 1 && 2 ** Math.round(Math.log2(N)) === N;
  // The sum that OpenSSL compares with its limit.
  const bytes = 128 * r * (N + p + 2);
  return isPower && r > 0 && p > 0 && p <= maxParallel && bytes <= maxHashMemory;
};
