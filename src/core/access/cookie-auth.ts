/** Authenticates requests by the cookie of a session that a login has opened: the provider `cookie`. */
import type { Provider } from './access.ts';
import { isActive, type Accounts } from './accounts.ts';
import type { Identity } from '../model/principal.ts';
import { readSessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';

/**
 * Every cookie with the world's cookie name counts as credentials. A stale or foreign cookie is therefore refused (403)
 * instead of being ignored (401), as on the real site. A session ends when its account is blocked, is deleted or gets a new password.
 */
export const createCookieAuth = (accounts: Accounts, sessions: Sessions, cookieName: string): Provider => {
  const authenticate = async (id: string): Promise<Identity> => {
    const session = sessions.find(id);
    if (session === undefined) return accounts.refused('cookie');
    const account = await accounts.byId(session.uid);
    if (isActive(account) && sessions.belongsTo(session, account)) return accounts.accepted(account, 'cookie');
    sessions.end(session.id);
    return accounts.refused('cookie');
  };
  return {
    name: 'cookie',
    recognise: ({ headers }) => {
      const id = readSessionCookie(headers, cookieName);
      return id === undefined ? undefined : authenticate(id);
    },
  };
};
