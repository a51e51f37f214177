/** Joins the parts of authentication to what the rest of the program asks for: an `Access`. Each part stands in its own file. */
import { createHmac } from 'node:crypto';
import type { Clock, Identifiers } from '../model/clock.ts';
import type { Site } from '../site/site.ts';
import type { EntityStore } from '../model/entity-store.ts';
import type { Access, LoginOutcome } from './access.ts';
import type { Accounts } from './accounts.ts';
import { createAccounts, isActive } from './accounts.ts';
import { createBasicAuth } from './basic-auth.ts';
import { createCookieAuth } from './cookie-auth.ts';
import { createCredentialCache, type CredentialCache } from './credential-cache.ts';
import type { Flood } from './flood.ts';
import { createFlood } from './flood.ts';
import { createJwtAuth } from './jwt-auth.ts';
import { countAccountChanges, createLastCaller, type AccountChanges, type LastCaller } from './last-caller.ts';
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
  readonly signingKey: SigningKeySource;
  /** What an earlier access of the same world has come to know; nothing when left out. */
  readonly memory?: AccessMemory | undefined;
};

/** What authentication remembers: sessions, counters, caches. It belongs to one world, and outlasts a change of its site. */
export type AccessMemory = {
  readonly cache: CredentialCache;
  readonly sessions: Sessions;
  readonly loginFlood: Flood;
  readonly basicFlood: Flood;
  readonly accountChanges: AccountChanges;
  /** Derived, so that an anonymous visitor always gets the same one; it is the token of no session. */
  readonly anonymousToken: string;
};

/** Nobody has come yet. */
export const createAccessMemory = ({
  site,
  store,
  clock,
  ids,
}: Pick<AccessOptions, 'site' | 'store' | 'clock' | 'ids'>): AccessMemory => {
  const cache = createCredentialCache(ids.secret(), clock);
  return {
    cache,
    sessions: createSessions(site.sessionSeconds, clock, ids),
    loginFlood: createFlood(site.flood, clock),
    basicFlood: createFlood(site.flood, clock),
    accountChanges: countAccountChanges(store),
    anonymousToken: createHmac('sha256', ids.secret()).update('anonymous').digest('base64url'),
  };
};

/** Under which address a world is met. `cookiePath` is where its session cookie is sent, `/` for everywhere. */
export type AccessAddress = { readonly baseUrl: string; readonly cookiePath: string };

/**
 * The authentication of one world. The result makes it speak for an address; all addresses of a world share what is
 * remembered, so that who logged in under one is known under the others.
 */
export const createAccess = (options: AccessOptions): ((address: AccessAddress) => Access) => {
  const { site, store, clock, signingKey, memory = createAccessMemory(options) } = options;
  const { cache, sessions, loginFlood, basicFlood, anonymousToken, accountChanges } = memory;
  const accounts = createAccounts(store, site.roles);
  const lastCaller = (): LastCaller => createLastCaller(accountChanges, clock);
  const basicAuth = createBasicAuth({
    ...{ accounts, cache, flood: basicFlood, lastCaller: lastCaller() },
    signIn: createSignIn(basicFlood, cache),
  });
  const login = createLogin({ accounts, flood: loginFlood, cache, signIn: createSignIn(loginFlood, cache), sessions });
  return ({ baseUrl, cookiePath }) => {
    const cookie = createSessionCookie({ baseUrl, path: cookiePath, lifetimeSeconds: site.sessionSeconds });
    const tokens = createTokens({ key: signingKey, clock, issuer: baseUrl, lifetimeSeconds: site.tokenSeconds });
    return {
      anonymous: accounts.anonymous,
      providers: [
        basicAuth,
        createJwtAuth(accounts, tokens, lastCaller()),
        createCookieAuth(accounts, sessions, cookie.name),
      ],
      principal: async (uid) => {
        const account = await accounts.numbered(uid);
        return isActive(account) ? accounts.principal(account) : undefined;
      },
      cookieName: cookie.name,
      setCookie: (session) => cookie.write(session),
      login,
      session: (id) => sessions.find(id),
      logout: (id) => sessions.end(id),
      csrfToken: (id) => sessions.find(id)?.csrfToken ?? anonymousToken,
      issueToken: (principal) => tokens.issue(principal),
    };
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
