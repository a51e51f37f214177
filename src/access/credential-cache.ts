/** Which passwords were found right a moment ago, so that Basic with every request does not cost a hash each time. */
import { hash } from 'node:crypto';
import type { Clock } from '../model/clock.ts';
import { createBoundedMap } from './bounded-map.ts';

const lifetime = 60_000;
const limit = 10_000;

/** A name and a password, or a whole Authorization header, as a keyed hash, so that no password lies in memory. */
export type Fingerprint = string;

export type CredentialCache = {
  fingerprint(...secrets: readonly string[]): Fingerprint;
  /** Whether this pair was found right against this very hash in the last 60 s. A new password is a new hash. */
  holds(fingerprint: Fingerprint, passwordHash: string | undefined): boolean;
  /** When what was kept ends to hold, in milliseconds since 1970; 0 when nothing was. */
  ends(fingerprint: Fingerprint): number;
  keep(fingerprint: Fingerprint, passwordHash: string | undefined): void;
};

/** An empty cache. The key is random and never leaves the process. */
export const createCredentialCache = (key: string, clock: Clock): CredentialCache => {
  const found = createBoundedMap<Fingerprint, { readonly passwordHash: string; readonly expires: number }>(limit);
  return {
    // Compared inside the process only, so that an HMAC's second pass would protect nothing; it costs as much as the first.
    fingerprint: (...secrets) => hash('sha256', JSON.stringify([key, ...secrets]), 'base64url'),
    holds: (fingerprint, passwordHash) => {
      const entry = found.get(fingerprint);
      if (entry === undefined) return false;
      if (entry.passwordHash === passwordHash && clock.now() < entry.expires) return true;
      found.delete(fingerprint);
      return false;
    },
    ends: (fingerprint) => found.get(fingerprint)?.expires ?? 0,
    keep: (fingerprint, passwordHash) => {
      if (passwordHash !== undefined) found.set(fingerprint, { passwordHash, expires: clock.now() + lifetime });
    },
  };
};
