/** Joins the parts of authentication to what the rest of the program asks for: an `Access`. Each part stands in its own file. */
import { createHmac } from 'node:crypto';
import type { Clock, Identifiers } from '../content/given.ts';
import type { Site } from '../site/site.ts';
import type { EntityStore } from '../storage/entity-store.ts';
import type { Access, LoginOutcome } from './access.ts';
import type { Accounts } from './accounts.ts';
import { createAccounts, isActive } from './accounts.ts';
import { createBasicAuth } from './basic-auth.ts';
import { createCookieAuth } from './cookie-auth.ts';
import { createCredentialCache, type CredentialCache } from './credential-cache.ts';
import type { Flood } from './flood.ts';
import { createFlood } from './flood.ts';
import { createJwtAuth } from './jwt-auth.ts';
import { createSessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';
import { createSessions } from './sessions.ts';
import type { SignIn } from './sign-in.ts';
import { createSignIn } from './sign-in.ts';
import type { SigningKeySource } from './signing-key.ts';
import { createTokens } from './tokens.ts';

export type AccessOptions = {
  readonly site: Pick<Site, 'roles' | 'flood' | 'tokenSeconds' | 'sessionSeconds'>;
  readonly store: EntityStore;
  readonly clock: Clock;
  readonly ids: Identifiers;
  /** As in `World`. */
  readonly baseUrl: string;
  readonly basePath: string;
  readonly signingKey: SigningKeySource;
};

/** The authentication of one world. Sessions, counters and caches begin empty and belong to it alone. */
export const createAccess = (options: AccessOptions): Access => {
  const { site, store, clock, ids, baseUrl, basePath, signingKey } = options;
  const accounts = createAccounts(store, site.roles);
  const cache = createCredentialCache(ids.secret(), clock);
  const sessions = createSessions(site.sessionSeconds, clock, ids);
  const cookie = createSessionCookie({ baseUrl, basePath, lifetimeSeconds: site.sessionSeconds });
  const tokens = createTokens({ key: signingKey, clock, issuer: baseUrl, lifetimeSeconds: site.tokenSeconds });
  const loginFlood = createFlood(site.flood, clock);
  // Derived, so that an anonymous visitor always gets the same one; it is the token of no session.
  const anonymousToken = createHmac('sha256', ids.secret()).update('anonymous').digest('base64url');
  return {
    anonymous: accounts.anonymous,
    providers: [
      createBasicAuth(accounts, createSignIn(createFlood(site.flood, clock), cache), cache),
      createJwtAuth(accounts, tokens),
      createCookieAuth(accounts, sessions, cookie.name),
    ],
    principal: async (uid) => {
      const account = await accounts.numbered(uid);
      return isActive(account) ? accounts.principal(account) : undefined;
    },
    cookieName: cookie.name,
    setCookie: (session) => cookie.write(session),
    login: createLogin({ accounts, flood: loginFlood, cache, signIn: createSignIn(loginFlood, cache), sessions }),
    session: (id) => sessions.find(id),
    logout: (id) => sessions.end(id),
    csrfToken: (id) => sessions.find(id)?.csrfToken ?? anonymousToken,
    issueToken: (principal) => tokens.issue(principal),
  };
};

type LoginParts = {
  readonly accounts: Accounts;
  readonly flood: Flood;
  readonly cache: CredentialCache;
  readonly signIn: SignIn;
  readonly sessions: Sessions;
};

/** In the reference's order: flood, blocked account, password (reference 5.2). */
const createLogin =
  ({ accounts, flood, cache, signIn, sessions }: LoginParts) =>
  async (name: string, password: string, address: string): Promise<LoginOutcome> => {
    const account = await accounts.named(name);
    const refusal = flood.refusal(name, address);
    if (refusal !== undefined) return { kind: refusal };
    if (account !== undefined && !isActive(account)) return { kind: 'blocked' };
    const fingerprint = cache.fingerprint(name, password);
    const outcome = await signIn({
      ...{ name, fingerprint, address, passwordHash: account?.password },
      password: () => password,
    });
    if (outcome === 'wrong') return { kind: 'unrecognised' };
    if (outcome !== 'accepted') return { kind: outcome };
    if (account === undefined) return { kind: 'unrecognised' };
    return { kind: 'accepted', account, session: sessions.open(account) };
  };
