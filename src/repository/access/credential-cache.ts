/** Remembers for a minute which passwords were right, so that a client with HTTP Basic does not cost a scrypt hash for each request. */
import { digest } from '../../basics/secrets/digest.ts';
import { createLruMap } from '../../basics/lru-map.ts';
import type { Clock } from '../../openapi/openapi-records.ts';

const lifetimeMs = 60_000;
const limit = 10_000;

/** A keyed hash of a name and a password, or of an Authorization header. It keeps passwords out of memory. */
export type Fingerprint = string;

export type CredentialCache = {
  fingerprint(...secrets: readonly string[]): Fingerprint;
  /** True when these credentials were right for this password hash within the last 60 s. A new password has another hash. */
  holds(fingerprint: Fingerprint, passwordHash: string | undefined): boolean;
  /** When the entry expires, in milliseconds since 1970; 0 when there is none. */
  validUntil(fingerprint: Fingerprint): number;
  keep(fingerprint: Fingerprint, passwordHash: string | undefined): void;
};

/** `key` is random and never leaves the process. */
export const createCredentialCache = (key: string, clock: Clock): CredentialCache => {
  const entries = createLruMap<Fingerprint, { readonly passwordHash: string; readonly expires: number }>(limit);
  return {
    // The fingerprint never leaves the process, so an HMAC would protect it no better and would hash twice.
    fingerprint: (...secrets) => digest('sha256', JSON.stringify([key, ...secrets]), 'base64url'),
    holds: (fingerprint, passwordHash) => {
      const entry = entries.get(fingerprint);
      if (entry === undefined) return false;
      if (entry.passwordHash === passwordHash && clock.now() < entry.expires) return true;
      entries.delete(fingerprint);
      return false;
    },
    validUntil: (fingerprint) => entries.get(fingerprint)?.expires ?? 0,
    keep: (fingerprint, passwordHash) => {
      if (passwordHash !== undefined) entries.set(fingerprint, { passwordHash, expires: clock.now() + lifetimeMs });
    },
  };
};
