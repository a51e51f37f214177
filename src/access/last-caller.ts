/** Who sent the last request of a connection: a client sends the same header again and again, and is looked at once. */
import type { Clock } from '../model/clock.ts';
import type { EntityStore } from '../model/entity-store.ts';
import type { CredentialSource } from './access.ts';
import type { Identity } from '../model/principal.ts';

/** How often accounts have changed, whichever. */
export type AccountChanges = () => number;

/** Counts from 0, from now on. */
export const countAccountChanges = (store: Pick<EntityStore, 'watch'>): AccountChanges => {
  let count = 0;
  store.watch((touched) => {
    for (const key of touched) if (key.startsWith('user:')) count += 1;
  });
  return () => count;
};

/** What was found out about a header. It holds from `begins` up to, but not at, `ends`, in milliseconds since 1970. */
export type Finding = { readonly identity: Identity; readonly begins: number; readonly ends: number };

/** One provider's memory: what the last header of each connection was found to be, while that holds. */
export type LastCaller = {
  /** Undefined when the connection's last header was another, an account has changed since, or the time is over. */
  find(source: CredentialSource): Identity | undefined;
  /** Looks at a header, and remembers who it comes from where there is a finding. */
  look(source: CredentialSource, look: () => Promise<Identity | Finding>): Promise<Identity>;
};

type Remembered = Finding & { readonly header: string | undefined; readonly changes: number };

/** Nobody has come. What is remembered lies with the connection, as the header itself does, and goes with it. */
export const createLastCaller = (changes: AccountChanges, clock: Clock): LastCaller => {
  const callers = new WeakMap<object, Remembered>();
  return {
    find: ({ connection, headers }) => {
      const last = connection === undefined ? undefined : callers.get(connection);
      if (last === undefined || last.header !== headers['authorization'] || last.changes !== changes())
        return undefined;
      const now = clock.now();
      return now >= last.begins && now < last.ends ? last.identity : undefined;
    },
    look: async ({ connection, headers }, look) => {
      // Counted before: what changes while the account is looked up must not be missed.
      const before = changes();
      const found = await look();
      if (!('identity' in found)) return found;
      if (connection !== undefined) {
        callers.set(connection, { ...found, header: headers['authorization'], changes: before });
      }
      return found.identity;
    },
  };
};
