/** JSON Web Tokens: what stands in them, how they are signed and read. Whether the account still exists is asked elsewhere. */
import { hash } from 'node:crypto';
import type jwt from 'jsonwebtoken';
import type { Clock } from '../model/clock.ts';
import { secondsOf } from '../model/clock.ts';
import { createBoundedMap } from './bounded-map.ts';
import type { Principal } from '../model/principal.ts';
import type { SigningKeySource } from './signing-key.ts';

/** Pinned: nothing else is signed or accepted, whatever a token's header says (RFC 8725 §3.1). */
const algorithm = 'RS256';
/** Longer ones are refused before any work is done for them; ours have about 600 characters. */
const maxLength = 4096;
const cacheLimit = 10_000;

/** What a good token says. Times in seconds since 1970; it holds from `notBefore` up to, but not at, `expires`. */
export type TokenClaims = {
  readonly uid: number;
  readonly name: string;
  readonly notBefore: number;
  readonly expires: number;
};

export type Tokens = {
  issue(principal: Principal): Promise<string>;
  /** The claims of a token that is ours, complete and in its time; else undefined. */
  verify(token: string): Promise<TokenClaims | undefined>;
};

export type TokenOptions = {
  readonly key: SigningKeySource;
  readonly clock: Clock;
  /** `iss`: the base URL. It must be there when a token comes back, but is not compared (decisions: Defaults). */
  readonly issuer: string;
  readonly lifetimeSeconds: number;
};

/** Issues and verifies by one key and one clock, so there is no leeway. */
export const createTokens = ({ key, clock, issuer, lifetimeSeconds }: TokenOptions): Tokens => {
  // RSA is dear enough to be done once a token; only the times change from one request to the next.
  const verified = createBoundedMap<string, TokenClaims>(cacheLimit);
  const read = async (token: string): Promise<TokenClaims | undefined> =>
    isWellFormed(token) ? readVerified(token, (await key()).publicKey, secondsOf(clock)) : undefined;
  return {
    issue: async (principal) => {
      const { privateKey } = await key();
      const { default: library } = await import('jsonwebtoken');
      return library.sign(claimsOf(principal, issuer, secondsOf(clock), lifetimeSeconds), privateKey, { algorithm });
    },
    verify: async (token) => {
      if (token.length > maxLength) return undefined;
      const digest = hash('sha256', token, 'base64url');
      const claims = verified.get(digest) ?? (await read(token));
      if (claims === undefined) return undefined;
      const now = secondsOf(clock);
      if (now >= claims.expires) {
        verified.delete(digest);
        return undefined;
      }
      verified.set(digest, claims);
      return now >= claims.notBefore ? claims : undefined;
    },
  };
};

/** Recording: docs-jwt-token-decoded. */
const claimsOf = (principal: Principal, issuer: string, now: number, lifetime: number): jwt.JwtPayload => ({
  iat: now,
  exp: now + lifetime,
  drupal: { uid: String(principal.uid) },
  webid: String(principal.uid),
  iss: issuer,
  sub: principal.name,
  roles: ['authenticated', ...principal.roles],
});

/**
 * Three parts in base64url without padding or stray bits, so that one token has one spelling (RFC 7515 §2); the first two are
 * JSON objects: the library stumbles over `null`.
 */
const isWellFormed = (token: string): boolean => {
  const parts = token.split('.').map((part) => ({ part, bytes: Buffer.from(part, 'base64url') }));
  return (
    parts.length === 3 &&
    parts.every(({ part, bytes }) => bytes.toString('base64url') === part) &&
    parts.slice(0, 2).every(({ bytes }) => isJsonObject(bytes.toString()))
  );
};

const isJsonObject = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

const readVerified = async (token: string, publicKey: jwt.PublicKey, now: number): Promise<TokenClaims | undefined> => {
  // Loaded with the first token: most visits bring none, and a start waits for nothing that it does not need.
  const { default: library } = await import('jsonwebtoken');
  try {
    const { header, payload } = library.verify(token, publicKey, {
      algorithms: [algorithm],
      clockTimestamp: now,
      complete: true,
    });
    // No extension is understood here, so every critical one must be refused (RFC 7515 §4.1.11, RFC 7797 §6).
    if ('crit' in header || 'b64' in header || typeof payload === 'string') return undefined;
    return readClaims(payload);
  } catch (error) {
    // Everything that is wrong with a token comes as this class.
    if (error instanceof library.JsonWebTokenError) return undefined;
    throw error;
  }
};

/** Reference 5.3: webid, sub, roles and iss must be there; a token without an end is none of ours. */
const readClaims = (payload: jwt.JwtPayload): TokenClaims | undefined => {
  const { webid, sub, roles, iss, exp, iat, nbf } = payload as Record<string, unknown>; // any JSON may stand in a claim
  const uid = readUid(webid);
  if (uid === undefined || typeof sub !== 'string' || !Array.isArray(roles) || typeof iss !== 'string')
    return undefined;
  if (!isTime(exp) || !isTime(iat ?? 0) || !isTime(nbf ?? 0)) return undefined;
  return { uid, name: sub, expires: exp, notBefore: Math.max(Number(iat ?? 0), Number(nbf ?? 0)) };
};

const readUid = (webid: unknown): number | undefined => {
  const uid = typeof webid === 'string' && /^[1-9][0-9]{0,15}$/.test(webid) ? Number(webid) : webid;
  return typeof uid === 'number' && Number.isSafeInteger(uid) && uid > 0 ? uid : undefined;
};

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
