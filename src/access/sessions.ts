/** The open sessions of a world. How a session travels as a cookie is not known here. */
import type { Entity } from '../model/entity.ts';
import type { Clock, Identifiers } from '../model/clock.ts';
import type { Session } from './access.ts';
import { createBoundedMap } from './bounded-map.ts';

const sessionLimit = 10_000;

export type Sessions = {
  /** A session with an id of its own, so that an id somebody else planted is worth nothing (A33). */
  open(account: Entity): Session;
  /** The session, while its time lasts. */
  find(id: string | undefined): Session | undefined;
  /** Whether the account still has the password that it logged in with. */
  belongsTo(session: Session, account: Entity): boolean;
  end(id: string): void;
};

/** No sessions yet. They live in memory and last `lifetimeSeconds` by the given clock. */
export const createSessions = (lifetimeSeconds: number, clock: Clock, ids: Identifiers): Sessions => {
  const sessions = createBoundedMap<string, { readonly session: Session; readonly passwordHash: string | undefined }>(
    sessionLimit,
  );
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
      // Removed, not passed over: a clock that is set back must not wake it.
      sessions.delete(session.id);
      return undefined;
    },
    belongsTo: (session, account) =>
      session.uid === account.id && sessions.get(session.id)?.passwordHash === account.password,
    end: (id) => sessions.delete(id),
  };
};
