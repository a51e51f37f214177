/** The provider `jwt_auth`: `Authorization: Bearer <token>` (RFC 6750 §2.1). What a token is, is not known here. */
import { labelOf } from '../content/entity.ts';
import type { Provider } from './access.ts';
import type { Accounts } from './accounts.ts';
import { isActive } from './accounts.ts';
import type { Identity } from './principal.ts';
import type { Tokens } from './tokens.ts';

/**
 * Every Bearer header counts as credentials (reference 1.3). The account is looked up on every request and its stored
 * roles count, not the token's; a token whose name is no longer the account's is refused (reference 5.3).
 */
export const createJwtAuth = (accounts: Accounts, tokens: Tokens): Provider => {
  const judge = async (token: string): Promise<Identity> => {
    const claims = await tokens.verify(token);
    const account = claims === undefined ? undefined : await accounts.numbered(claims.uid);
    return isActive(account) && labelOf(account) === claims?.name
      ? accounts.accepted(account, 'jwt_auth')
      : accounts.refused('jwt_auth');
  };
  return {
    name: 'jwt_auth',
    recognise: ({ headers }) => {
      const header = headers['authorization'];
      const match = header === undefined ? null : /^bearer(?: +(.*))?$/i.exec(header);
      return match === null ? undefined : judge(match[1] ?? '');
    },
  };
};
