/** Authenticates requests by `Authorization: Bearer <token>` (RFC 6750 §2.1): the provider `jwt_auth`. */
import { labelOf } from '../model/entity.ts';
import type { Provider } from './access.ts';
import { isActive, type Accounts } from './accounts.ts';
import type { TimedIdentity, IdentityCache } from './identity-cache.ts';
import type { Identity } from '../model/principal.ts';
import type { Tokens } from './tokens.ts';

/**
 * Every Bearer header counts as credentials, even a malformed one. The stored roles of the account count, not those in the
 * token. A token is refused when its account has another name now.
 */
export const createJwtAuth = (accounts: Accounts, tokens: Tokens, identities: IdentityCache): Provider => {
  const authenticate = async (token: string): Promise<Identity | TimedIdentity> => {
    const verdict = await tokens.verify(token);
    if (verdict === undefined) return accounts.refused('jwt_auth');
    const { claims, advice } = verdict;
    if (advice !== undefined) return accounts.refused('jwt_auth', advice);
    const account = await accounts.byId(claims.uid);
    if (!isActive(account) || labelOf(account) !== claims.name) return accounts.refused('jwt_auth');
    const identity = accounts.accepted(account, 'jwt_auth');
    return { identity, validFrom: claims.notBefore * 1000, validUntil: claims.expires * 1000 };
  };
  return {
    name: 'jwt_auth',
    recognise: (source) => {
      const cached = identities.get(source);
      if (cached !== undefined) return cached;
      const header = source.headers['authorization'];
      const match = header === undefined ? null : /^bearer(?: +(.*))?$/i.exec(header);
      return match === null ? undefined : identities.resolve(source, () => authenticate(match[1] ?? ''));
    },
  };
};
