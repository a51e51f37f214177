/** Opens, finds and ends the sessions of a world. `session-cookie.ts` writes their cookies. */
import type { Clock, Entity, Identifiers } from '../../openapi/openapi-records.ts';
import type { Session } from './access.ts';
import { createMemoryState, type WorldState } from '../../openapi/openapi-host.ts';

const sessionLimit = 10_000;

export type Sessions = {
  /** Opens a session with a new id, so that an id planted by an attacker is worthless (session fixation). */
  open(account: Entity): Session;
  /** Undefined when there is no such session or its time is over. */
  find(id: string | undefined): Session | undefined;
  /** True when the account still has the password that it logged in with. */
  belongsTo(session: Session, account: Entity): boolean;
  end(id: string): void;
};

type StoredSession = { readonly session: Session; readonly passwordHash: string | undefined };

/** Sessions last `lifetimeSeconds` by the clock, at most as long as the state. */
export const createSessions = (
  lifetimeSeconds: number,
  clock: Clock,
  ids: Identifiers,
  state: WorldState = createMemoryState(),
): Sessions => {
  const sessions = state.map<StoredSession>('sessions', sessionLimit);
  return {
    open: (account) => {
      const session: Session = {
        id: ids.secret(),
        uid: account.id,
        csrfToken: ids.secret(),
        logoutToken: ids.secret(),
        expires: clock.now() + lifetimeSeconds * 1000,
      };
      sessions.set(session.id, { session, passwordHash: account.password });
      return session;
    },
    find: (id) => {
      const session = id === undefined ? undefined : sessions.get(id)?.session;
      if (session === undefined || clock.now() < session.expires) return session;
      // Removed for good: it must not come back when the clock is set back.
      sessions.delete(session.id);
      return undefined;
    },
    belongsTo: (session, account) =>
      session.uid === account.id && sessions.get(session.id)?.passwordHash === account.password,
    end: (id) => sessions.delete(id),
  };
};
