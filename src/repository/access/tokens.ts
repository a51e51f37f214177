/** Issues and verifies JSON Web Tokens. `jwt-auth.ts` looks up their accounts. */
import { digest } from '../../basics/secrets/digest.ts';
import { isRecord, parsedJson } from '../../basics/json.ts';
import { createLruMap } from '../../basics/lru-map.ts';
import type { Principal } from '../model/principal.ts';
import { mainName } from '../../openapi/openapi-host.ts';
import type { SigningKey, SigningKeySource } from '../../basics/secrets/signing-key.ts';
import { signedToken, verifiedToken, type Claims } from '../../basics/secrets/token-signatures.ts';
import { secondsOf, type Clock } from '../../openapi/openapi-records.ts';

/** Longer tokens are refused before any work is done. The tokens of Atoll have about 600 characters. */
const maxLength = 4096;
const cacheLimit = 10_000;

/** The claims of a valid token. Times in seconds since 1970; it is valid from `notBefore` until just before `expires`, which may be infinite. */
export type TokenClaims = {
  /** The world that issued the token, by the claim `world`. Tokens of the main world have no such claim. */
  readonly world: string;
  /** The account that the token lets in. */
  readonly uid: number;
  /** The account whose name must be `name`. */
  readonly webid: number;
  readonly name: string;
  readonly notBefore: number;
  readonly expires: number;
};

/** `advice` is undefined when the token is valid here and now, and otherwise says where and when it is. */
type TokenVerdict = { readonly claims: TokenClaims; readonly advice: string | undefined };

export type Tokens = {
  issue(principal: Principal): Promise<string>;
  /** Undefined when the signature is wrong or a claim is missing. */
  verify(token: string): Promise<TokenVerdict | undefined>;
};

type TokenOptions = {
  readonly key: SigningKeySource;
  readonly clock: Clock;
  /** The claim `iss`: the base URL. A token must have the claim, but its value is not compared. */
  readonly issuer: string;
  /** The name of the world that issues the tokens, and the only one in which they are valid: all worlds share one key. */
  readonly world: string;
  readonly lifetimeSeconds: number;
  /** A token is valid so many seconds before its time already, because the clock of who issued it may be ahead. 0 when left out. */
  readonly leewaySeconds?: number | undefined;
  /**
   * Whether tokens are read and written as the real site's modules do today: with an audience, the account by the claim
   * `drupal.uid`, and valid without `exp`. Otherwise as in the time of the contract.
   */
  readonly isToday: boolean;
  /** Whether the head of a token names its key (`kid`), for those who look the key up. */
  readonly namesKey: boolean;
};

const audience = 'islandora';

/** Where the same clock dates and verifies tokens, times have no leeway. */
export const createTokens = (options: TokenOptions): Tokens => {
  const { key, clock, world, lifetimeSeconds, isToday, leewaySeconds = 0 } = options;
  // RSA is slow, so each signature is verified once. Only the times are checked again.
  const verified = createLruMap<string, TokenClaims>(cacheLimit);
  const read = async (token: string): Promise<TokenClaims | undefined> => {
    const claims = isWellFormed(token) ? await readVerified(token, await key(), isToday) : undefined;
    return claims && { ...claims, notBefore: claims.notBefore - leewaySeconds };
  };
  return {
    issue: async (principal) => {
      const claims = claimsOf(principal, options, secondsOf(clock), lifetimeSeconds);
      return signedToken(isToday ? { ...claims, aud: [audience] } : claims, await key(), {
        namesKey: options.namesKey,
      });
    },
    verify: async (token) => {
      if (token.length > maxLength) return undefined;
      const fingerprint = digest('sha256', token, 'base64url');
      const claims = verified.get(fingerprint) ?? (await read(token));
      if (claims === undefined) return undefined;
      if (claims.world !== world) return { claims, advice: otherWorldAdvice(claims) };
      const now = secondsOf(clock);
      if (now >= claims.expires) verified.delete(fingerprint);
      else verified.set(fingerprint, claims);
      const isTimely = now >= claims.notBefore && now < claims.expires;
      return { claims, advice: isTimely ? undefined : otherTimeAdvice(claims, now) };
    },
  };
};

const otherWorldAdvice = ({ world }: TokenClaims): string =>
  `The token is valid in the world "${world}" alone. ${askAdvice}`;

const askAdvice = 'Ask this world for a token: GET /jwt/token at its address, or world.token() in the library.';

const otherTimeAdvice = ({ notBefore, expires }: TokenClaims, now: number): string =>
  `The token is valid from ${isoSeconds(notBefore)} until ${isoSeconds(expires)}, and the clock of this world says ` +
  `${isoSeconds(now)}. ${askAdvice}`;

/** ISO 8601, or the number itself when no date has it. */
const isoSeconds = (seconds: number): string => {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().replace('.000Z', 'Z');
};

/** Recorded: test/contract/recordings/docs-jwt-token-decoded.json. */
const claimsOf = (
  principal: Principal,
  { issuer, world }: Pick<TokenOptions, 'issuer' | 'world'>,
  now: number,
  lifetime: number,
): Claims => ({
  iat: now,
  exp: now + lifetime,
  drupal: { uid: String(principal.uid) },
  webid: String(principal.uid),
  iss: issuer,
  sub: principal.name,
  roles: ['authenticated', ...principal.roles],
  ...(world === mainName ? {} : { world }),
});

/**
 * Three parts in base64url without padding or stray bits, so that one token has one spelling (RFC 7515 §2). The first two are
 * JSON objects, because the library fails on `null`.
 */
const isWellFormed = (token: string): boolean => {
  const parts = token.split('.').map((part) => ({ part, bytes: Buffer.from(part, 'base64url') }));
  return (
    parts.length === 3 &&
    parts.every(({ part, bytes }) => bytes.toString('base64url') === part) &&
    parts.slice(0, 2).every(({ bytes }) => isRecord(parsedJson(bytes.toString())))
  );
};

/** The claims of a token with a right signature, whatever its times. The caller compares them with the clock. */
const readVerified = async (token: string, key: SigningKey, isToday: boolean): Promise<TokenClaims | undefined> => {
  const verified = await verifiedToken(token, key);
  // Atoll supports no extension, so it must refuse every critical one (RFC 7515 §4.1.11, RFC 7797 §6).
  if (verified === undefined || 'crit' in verified.header || 'b64' in verified.header) return undefined;
  return isToday ? readClaimsOfToday(verified.claims) : readClaims(verified.claims);
};

/** The claims webid, sub, roles and iss are required, and exp, too, in the time of the contract. */
const readClaims = (payload: Claims): TokenClaims | undefined => {
  const { webid, sub, roles, iss, exp, iat, nbf, world = mainName } = payload as Record<string, unknown>; // a claim may be any JSON
  const uid = readUid(webid);
  if (uid === undefined || typeof sub !== 'string' || !Array.isArray(roles) || typeof iss !== 'string')
    return undefined;
  if (typeof world !== 'string' || !isTime(exp) || !isTime(iat ?? 0) || !isTime(nbf ?? 0)) return undefined;
  const notBefore = Math.max(Number(iat ?? 0), Number(nbf ?? 0));
  return { world, uid, webid: uid, name: sub, expires: exp, notBefore };
};

/**
 * Recorded: "forged …" in test/contract/recordings/second-lab/auth-and-sessions.json. The real site fails with a 500 where `aud`
 * is a text; Atoll refuses the token.
 */
const readClaimsOfToday = (payload: Claims): TokenClaims | undefined => {
  const { drupal, aud, exp } = payload as Record<string, unknown>; // a claim may be any JSON
  if (aud !== undefined && !(Array.isArray(aud) && aud.includes(audience))) return undefined;
  const uid = isRecord(drupal) ? readUid(drupal['uid']) : undefined;
  const expires = exp === undefined ? Infinity : typeof exp === 'string' ? Number(exp) : exp;
  if (uid === undefined || typeof expires !== 'number' || Number.isNaN(expires)) return undefined;
  const claims = readClaims({ ...payload, exp: 0 });
  return claims && { ...claims, uid, expires };
};

const readUid = (webid: unknown): number | undefined => {
  const uid = typeof webid === 'string' && /^[1-9][0-9]{0,15}$/.test(webid) ? Number(webid) : webid;
  return typeof uid === 'number' && Number.isSafeInteger(uid) && uid > 0 ? uid : undefined;
};

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
