/** Authenticates requests by `Authorization: Bearer <token>` (RFC 6750 §2.1): the provider `jwt_auth`. */
import { labelOf } from '../model/entity.ts';
import type { CredentialSource, Provider } from './access.ts';
import { isActive, type Accounts } from './accounts.ts';
import type { TimedIdentity, IdentityCache } from './identity-cache.ts';
import type { Identity } from '../model/principal.ts';
import type { TokenClaims, Tokens } from './tokens.ts';
import type { Entity } from '../../openapi/openapi-records.ts';

/**
 * The real site takes the scheme to the letter: `Bearer` and one space. Another spelling is not a token of this provider. What
 * follows counts as credentials, even when it is malformed. The stored roles of the account count, not those in the token. A
 * token is refused when its account has another name now. `isToday`: the header `JWT-Authorization` is read too.
 */
export const createJwtAuth = (
  accounts: Accounts,
  tokens: Tokens,
  identities: IdentityCache,
  isToday: boolean,
): Provider => {
  /** `webid` and `sub` must name one account. Who asks is the account of `uid`, which is the same in the contract's time. */
  const accountOf = async ({ uid, webid, name }: TokenClaims): Promise<Entity | undefined> => {
    const named = await accounts.byId(webid);
    if (!isActive(named) || labelOf(named) !== name) return undefined;
    return uid === webid ? named : accounts.byId(uid);
  };
  const authenticate = async (token: string): Promise<Identity | TimedIdentity> => {
    const verdict = await tokens.verify(token);
    if (verdict === undefined) return accounts.refused('jwt_auth');
    const { claims, advice } = verdict;
    if (advice !== undefined) return accounts.refused('jwt_auth', advice);
    const account = await accountOf(claims);
    if (!isActive(account)) return accounts.refused('jwt_auth');
    const identity = accounts.accepted(account, 'jwt_auth');
    return { identity, validFrom: claims.notBefore * 1000, validUntil: claims.expires * 1000 };
  };
  return {
    name: 'jwt_auth',
    recognise: (source) => {
      const cached = identities.get(source);
      if (cached !== undefined) return cached;
      const token = tokenIn(source.headers, isToday);
      return token === undefined ? undefined : identities.resolve(source, () => authenticate(token));
    },
  };
};

/** `Authorization` goes first. `JWT-Authorization` is for requests whose `Authorization` is that of HTTP Basic. */
export const tokenIn = (headers: CredentialSource['headers'], isToday: boolean): string | undefined =>
  bearerOf(headers['authorization']) ?? (isToday ? bearerOf(headers['jwt-authorization']) : undefined);

const bearerOf = (header: string | undefined): string | undefined =>
  header === undefined ? undefined : /^Bearer (.+)/.exec(header)?.[1];
