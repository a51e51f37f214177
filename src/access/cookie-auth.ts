/** The provider `cookie`: a session that was opened by a login. */
import type { Provider } from './access.ts';
import type { Accounts } from './accounts.ts';
import { isActive } from './accounts.ts';
import type { Identity } from '../model/principal.ts';
import { readSessionCookie } from './session-cookie.ts';
import type { Sessions } from './sessions.ts';

/**
 * A cookie of the world's name is credentials, stale or foreign ones too (reference 1.3). A session ends when its account is
 * blocked, is gone or has a new password (decisions: Defaults).
 */
export const createCookieAuth = (accounts: Accounts, sessions: Sessions, cookieName: string): Provider => {
  const judge = async (id: string): Promise<Identity> => {
    const session = sessions.find(id);
    if (session === undefined) return accounts.refused('cookie');
    const account = await accounts.numbered(session.uid);
    if (isActive(account) && sessions.belongsTo(session, account)) return accounts.accepted(account, 'cookie');
    sessions.end(session.id);
    return accounts.refused('cookie');
  };
  return {
    name: 'cookie',
    recognise: ({ headers }) => {
      const id = readSessionCookie(headers, cookieName);
      return id === undefined ? undefined : judge(id);
    },
  };
};
