/** Creates the `Access` of a world from the parts of this folder. */
import { keyedDigest } from '../../basics/secrets/digest.ts';
import { publishedKey, type SigningKeySource } from '../../basics/secrets/signing-key.ts';
import { createMemoryState, type WorldState } from '../../openapi/openapi-host.ts';
import type { Site } from '../site/site.ts';
import type { Access, AccessAddress } from './access.ts';
import { type Accounts, createAccounts, isActive } from './accounts.ts';
import { createBasicAuth } from './basic-auth.ts';
import { createCookieAuth, createSessionCookie } from './cookie-auth.ts';
import { createCredentialCache, type CredentialCache } from './credential-cache.ts';
import { createFlood, type Flood } from './flood.ts';
import {
  type AccountChanges,
  authorizationHeader,
  bothTokenHeaders,
  countAccountChanges,
  createIdentityCache,
} from './identity-cache.ts';
import { createJwtAuth } from './jwt-auth.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createSignIn } from './sign-in.ts';
import { createTokens } from './tokens.ts';
import type { Clock, Identifiers, EntityStore } from '../../openapi/openapi-records.ts';

type AccessOptions = {
  readonly site: Pick<Site, 'roles' | 'flood' | 'tokenSeconds' | 'sessionSeconds' | 'tokensOfToday'> & {
    readonly beyond: Pick<Site['beyond'], 'token_keys'>;
  };
  readonly store: EntityStore;
  readonly clock: Clock;
  readonly ids: Identifiers;
  readonly signingKey: SigningKeySource;
  /** The name of the world. */
  readonly world: string;
  /** The state of an earlier `Access` of the same world. When left out: a new state. */
  readonly state?: AccessState | undefined;
};

/**
 * The sessions, counters and caches of one world. They stay when the world's site changes. Sessions, counters and the anonymous
 * token are in the state of the world. The caches are here alone: they answer only while no account has changed.
 */
export type AccessState = {
  readonly cache: CredentialCache;
  readonly sessions: Sessions;
  readonly loginFlood: Flood;
  readonly basicFlood: Flood;
  readonly accountChanges: AccountChanges;
  /** The CSRF token of every anonymous visitor. It belongs to no session. */
  readonly anonymousToken: () => string;
  /** See `TokenOptions`. */
  readonly leewaySeconds: number;
};

export const createAccessState = ({
  site,
  store,
  clock,
  ids,
  state,
}: Pick<AccessOptions, 'site' | 'store' | 'clock' | 'ids'> & { readonly state: WorldState }): AccessState => {
  const cache = createCredentialCache(ids.secret(), clock);
  return {
    cache,
    sessions: createSessions(site.sessionSeconds, clock, ids, state),
    loginFlood: createFlood(site.flood, clock, state, 'login-flood'),
    basicFlood: createFlood(site.flood, clock, state, 'basic-flood'),
    accountChanges: countAccountChanges(store),
    anonymousToken: createAnonymousToken(state, ids),
    leewaySeconds: state.leewaySeconds,
  };
};

/**
 * Returns a function that creates the `Access` of one address of the world. All addresses share the state, so that a client
 * that has logged in at one address is logged in at the others.
 */
export const createAccess = (options: AccessOptions): ((address: AccessAddress) => Access) => {
  const { site, store, clock, signingKey, world } = options;
  const state = options.state ?? createAccessState({ ...options, state: createMemoryState() });
  const { cache, sessions, basicFlood, anonymousToken, accountChanges, leewaySeconds } = state;
  const accounts = createAccounts(store, site.roles);
  const isToday = site.tokensOfToday;
  const basicAuth = createBasicAuth(
    accounts,
    cache,
    basicFlood,
    createIdentityCache(accountChanges, clock, authorizationHeader),
  );
  const login = createLogin(accounts, state);
  return (address) => {
    const cookie = createSessionCookie(address, site.sessionSeconds);
    const issuer = address.baseUrl;
    // In the time of the contract a token named no key.
    const namesKey = isToday && site.beyond.token_keys;
    const tokens = createTokens({
      ...{ key: signingKey, clock, issuer, world, isToday, namesKey, leewaySeconds },
      lifetimeSeconds: site.tokenSeconds,
    });
    const tokenHeaders = isToday ? bothTokenHeaders : authorizationHeader;
    const jwtAuth = createJwtAuth(accounts, tokens, createIdentityCache(accountChanges, clock, tokenHeaders), isToday);
    const cookieAuth = createCookieAuth(accounts, sessions, cookie.cookieName);
    return {
      anonymous: accounts.anonymous,
      // open: that a token in its own header goes before Basic is not recorded. The header is meant for use together with Basic.
      providers: isToday ? [jwtAuth, basicAuth, cookieAuth] : [basicAuth, jwtAuth, cookieAuth],
      principal: async (uid) => {
        const account = await accounts.byId(uid);
        return isActive(account) ? accounts.principal(account) : undefined;
      },
      ...cookie,
      login,
      session: (id) => sessions.find(id),
      logout: (id) => sessions.end(id),
      csrfToken: (id) => sessions.find(id)?.csrfToken ?? anonymousToken(),
      issueToken: (principal) => tokens.issue(principal),
      publishedKeys: async () => [publishedKey((await signingKey()).publicKey)],
    };
  };
};

/** The checks come in the order of the real site: failed attempts, blocked account, password. */
const createLogin = (accounts: Accounts, { loginFlood, cache, sessions }: AccessState): Access['login'] => {
  const signIn = createSignIn(loginFlood, cache);
  return async (name, password, address) => {
    const account = await accounts.byName(name);
    const uid = isActive(account) ? account.id : undefined;
    const refusal = loginFlood.refusal(uid, address);
    if (refusal !== undefined) return { kind: refusal };
    if (account !== undefined && !isActive(account)) return { kind: 'blocked' };
    const fingerprint = cache.fingerprint(name, password);
    const outcome = await signIn({
      ...{ uid, fingerprint, address, passwordHash: account?.password },
      password: () => password,
    });
    if (outcome === 'wrong') return { kind: 'unrecognised' };
    if (outcome !== 'accepted') return { kind: outcome };
    if (account === undefined) return { kind: 'unrecognised' };
    return { kind: 'accepted', account, session: sessions.open(account) };
  };
};

/** The most parts of the secret. */
const secretLimit = 100;

/**
 * Returns what gives the token. Draws a secret unless the state has one. Where several were drawn at the same moment, the least
 * counts.
 */
const createAnonymousToken = (state: WorldState, ids: Identifiers): (() => string) => {
  const secrets = state.tally<string>('anonymous-token', secretLimit);
  const secret = (): string => {
    const [least] = [...secrets.all('')].sort();
    if (least !== undefined) return least;
    const drawn = ids.secret();
    secrets.change('', () => drawn);
    return drawn;
  };
  // Drawn now: with a seed, the secrets of sessions depend on the order.
  secret();
  return () => keyedDigest(secret(), 'anonymous');
};
