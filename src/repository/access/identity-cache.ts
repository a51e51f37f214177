/** Remembers who sent the last credentials of each connection, because a client repeats it with every request. */
import type { CredentialSource } from './access.ts';
import type { Identity } from '../model/principal.ts';
import type { Clock, EntityStore } from '../../openapi/openapi-records.ts';

/** Returns how often accounts have changed. */
export type AccountChanges = () => number;

export const countAccountChanges = (store: Pick<EntityStore, 'watch'>): AccountChanges => {
  let count = 0;
  store.watch((touched) => {
    for (const key of touched) if (key.startsWith('user:')) count += 1;
  });
  return () => count;
};

/** An identity that is valid from `validFrom` until just before `validUntil`, in milliseconds since 1970. */
export type TimedIdentity = { readonly identity: Identity; readonly validFrom: number; readonly validUntil: number };

/** Each provider has a cache of its own. */
export type IdentityCache = {
  /** Undefined when the last credentials of the connection were others, an account has changed, or the identity has expired. */
  get(source: CredentialSource): Identity | undefined;
  /** Calls `authenticate`, and remembers its result when that is a `TimedIdentity`. */
  resolve(source: CredentialSource, authenticate: () => Promise<Identity | TimedIdentity>): Promise<Identity>;
};

/** What of the headers carries the credentials. */
type Credentials = (headers: CredentialSource['headers']) => string | undefined;

export const authorizationHeader: Credentials = (headers) => headers['authorization'];

/** Both headers that may carry a token. A header has no line break. */
export const bothTokenHeaders: Credentials = (headers) =>
  `${headers['authorization'] ?? ''}\n${headers['jwt-authorization'] ?? ''}`;

type Entry = TimedIdentity & { readonly sent: string | undefined; readonly changes: number };

/** An entry is dropped together with its connection. */
export const createIdentityCache = (
  changes: AccountChanges,
  clock: Clock,
  credentialsOf: Credentials,
): IdentityCache => {
  const entries = new WeakMap<object, Entry>();
  return {
    get: ({ connection, headers }) => {
      const entry = connection === undefined ? undefined : entries.get(connection);
      if (entry === undefined || entry.sent !== credentialsOf(headers) || entry.changes !== changes()) return undefined;
      const now = clock.now();
      return now >= entry.validFrom && now < entry.validUntil ? entry.identity : undefined;
    },
    resolve: async ({ connection, headers }, authenticate) => {
      // Counted before, so that a change during the lookup is not missed.
      const before = changes();
      const result = await authenticate();
      if (!('identity' in result)) return result;
      if (connection !== undefined) {
        entries.set(connection, { ...result, sent: credentialsOf(headers), changes: before });
      }
      return result.identity;
    },
  };
};
