/** The provider `jwt_auth`: `Authorization: Bearer <token>` (RFC 6750 §2.1). What a token is, is not known here. */
import { labelOf } from '../model/entity.ts';
import type { Provider } from './access.ts';
import type { Accounts } from './accounts.ts';
import { isActive } from './accounts.ts';
import type { Finding, LastCaller } from './last-caller.ts';
import type { Identity } from '../model/principal.ts';
import type { Tokens } from './tokens.ts';

/**
 * Every Bearer header counts as credentials (reference 1.3). The account is looked up on every request and its stored
 * roles count, not the token's; a token whose name is no longer the account's is refused (reference 5.3).
 */
export const createJwtAuth = (accounts: Accounts, tokens: Tokens, lastCaller: LastCaller): Provider => {
  const judge = async (token: string): Promise<Identity | Finding> => {
    const claims = await tokens.verify(token);
    const account = claims === undefined ? undefined : await accounts.numbered(claims.uid);
    if (claims === undefined || !isActive(account) || labelOf(account) !== claims.name) {
      return accounts.refused('jwt_auth');
    }
    const identity = accounts.accepted(account, 'jwt_auth');
    return { identity, begins: claims.notBefore * 1000, ends: claims.expires * 1000 };
  };
  return {
    name: 'jwt_auth',
    recognise: (source) => {
      const known = lastCaller.find(source);
      if (known !== undefined) return known;
      const header = source.headers['authorization'];
      const match = header === undefined ? null : /^bearer(?: +(.*))?$/i.exec(header);
      return match === null ? undefined : lastCaller.look(source, () => judge(match[1] ?? ''));
    },
  };
};
