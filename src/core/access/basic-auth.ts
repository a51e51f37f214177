/** Authenticates requests by HTTP Basic (RFC 7617), whose header it reads and writes: the provider `basic_auth`. `sign-in.ts` checks the password. */
import { createLruMap } from '../../basics/lru-map.ts';
import type { Identity } from '../model/principal.ts';
import type { Provider } from './access.ts';
import { type Accounts, isActive } from './accounts.ts';
import type { CredentialCache, Fingerprint } from './credential-cache.ts';
import type { Flood } from './flood.ts';
import type { IdentityCache, TimedIdentity } from './identity-cache.ts';
import { createSignIn } from './sign-in.ts';

/** What is remembered of a header. The password itself never is. */
type Claim = { readonly name: string; readonly fingerprint: Fingerprint };

const maxClaims = 1000;

/** A wrong password, an unknown name, a blocked account and too many attempts are all refused in the same way. */
export const createBasicAuth = (
  accounts: Accounts,
  cache: CredentialCache,
  flood: Flood,
  identities: IdentityCache,
): Provider => {
  const signIn = createSignIn(flood, cache);
  // A client sends the same header with every request, so it is parsed once.
  const claims = createLruMap<Fingerprint, Claim>(maxClaims);
  const claimOf = (header: string): Claim | undefined => {
    const key = cache.fingerprint(header);
    const cached = claims.get(key);
    if (cached !== undefined) return cached;
    const credentials = readBasic(header);
    if (credentials === undefined) return undefined;
    const { name, password } = credentials;
    const claim: Claim = { name, fingerprint: cache.fingerprint(name, password) };
    claims.set(key, claim);
    return claim;
  };
  const authenticate = async (header: string, claim: Claim, address: string): Promise<Identity | TimedIdentity> => {
    const { name, fingerprint } = claim;
    const account = await accounts.byName(name);
    const active = isActive(account) ? account : undefined;
    const password = (): string => readBasic(header)?.password ?? '';
    const outcome = await signIn({ uid: active?.id, fingerprint, password, address, passwordHash: active?.password });
    // The real site counts an attempt against the address even when it refuses to look at the password.
    if (outcome !== 'accepted' && outcome !== 'wrong') flood.register(undefined, address);
    return outcome === 'accepted' && active !== undefined
      ? { identity: accounts.accepted(active, 'basic_auth'), validFrom: 0, validUntil: cache.validUntil(fingerprint) }
      : accounts.refused('basic_auth');
  };
  return {
    name: 'basic_auth',
    recognise: (source) => {
      // After a failure `signIn` has to see every attempt: it counts failures, and a success clears the count.
      const cached = flood.isIdle() ? identities.get(source) : undefined;
      if (cached !== undefined) return cached;
      const header = source.headers['authorization'];
      const claim = header === undefined || !isBasic.test(header) ? undefined : claimOf(header);
      if (header === undefined || claim === undefined) return undefined;
      return identities.resolve(source, () => authenticate(header, claim, source.address));
    },
  };
};

const isBasic = /^basic /i;

type BasicCredentials = { readonly name: string; readonly password: string };

/**
 * The name and password of an Authorization header, as UTF-8. The password begins after the first colon. It reads as PHP reads
 * for the real site: characters that are not of base64 are left out, and name and password may be empty or hold anything. Returns
 * undefined for another scheme and without a colon: such a header counts as no credentials at all.
 */
export const readBasic = (header: string | undefined): BasicCredentials | undefined => {
  const encoded = /^basic (.*)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const pair = Buffer.from(encoded.replace(/[^A-Za-z0-9+/]/g, ''), 'base64').toString();
  const colon = pair.indexOf(':');
  return colon === -1 ? undefined : { name: pair.slice(0, colon), password: pair.slice(colon + 1) };
};

/** The value of the header. */
export const basicCredentials = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
