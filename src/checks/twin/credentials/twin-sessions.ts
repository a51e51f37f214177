/** Remembers which session of Atoll stands for which one of the target, and begins it anew when it was lost. */
import type { OwnLogins, OwnSession } from './own-logins.ts';
import type { Pairs } from '../../../contract/compare/id-map.ts';

export type TwinSessions = {
  /** Atoll's session for a cookie of the target. `account` is whose it is, where that is known. */
  of(cookie: string, account: string | undefined): Promise<OwnSession | undefined>;
  /** The tokens of a known session. */
  known(cookie: string): OwnSession | undefined;
  /** Both servers have begun one. `csrf` and `logout` are the target's tokens. */
  begun(
    cookie: string,
    session: { readonly account: string; readonly csrf: string; readonly logout: string },
    own: OwnSession,
  ): void;
  /** Atoll has lost all of its own. */
  drop(): void;
};

type Session = {
  readonly account: string;
  readonly csrf: string;
  readonly logout: string;
  own: OwnSession | undefined;
};

const maxKept = 10_000;

export const createTwinSessions = (pairs: Pairs, logins: OwnLogins): TwinSessions => {
  const sessions = new Map<string, Session>();
  const remember = (cookie: string, session: Session): void => {
    sessions.set(cookie, session);
    const [oldest] = sessions.keys();
    if (sessions.size > maxKept && oldest !== undefined) sessions.delete(oldest);
  };
  const pairToken = (target: string, atoll: string): void => {
    if (target !== '' && atoll !== '') pairs.learn({ kind: 'secret', target, atoll });
  };
  return {
    of: async (cookie, account) => {
      const unknown = account === undefined ? undefined : { account, csrf: '', logout: '', own: undefined };
      const session = sessions.get(cookie) ?? unknown;
      if (session === undefined) return undefined;
      session.own ??= await logins.session(session.account);
      if (session.own === undefined) return undefined;
      remember(cookie, session);
      pairs.learn({ kind: 'cookie', target: cookie, atoll: session.own.cookie });
      pairToken(session.csrf, session.own.csrf);
      pairToken(session.logout, session.own.logout);
      return session.own;
    },
    known: (cookie) => sessions.get(cookie)?.own,
    begun: (cookie, session, own) => {
      pairs.learn({ kind: 'cookie', target: cookie, atoll: own.cookie });
      if (session.account !== '') remember(cookie, { ...session, own });
    },
    drop: () => {
      pairs.forget('cookie');
      for (const session of sessions.values()) session.own = undefined;
    },
  };
};
