/** Authenticates requests by HTTP Basic (RFC 7617): the provider `basic_auth`. `sign-in.ts` checks the password. */
import { readBasic } from '../../basics/formats/basic-credentials.ts';
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
