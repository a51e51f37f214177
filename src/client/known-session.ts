/** Remembers in a browser which session the client opened last at a server, and whose it is. The browser hides the cookie itself. */
import type { Exchange } from './authentication.ts';

/** Whether this is a page or a worker, where cookies are hidden and dialogs open. Node, Deno and Bun have neither. */
export const isBrowser = (): boolean => 'document' in globalThis || 'WorkerGlobalScope' in globalThis;

/** A session that this client has opened, in this page or in another one of its origin. */
type KnownSession = {
  /** The account. */
  readonly name: string;
  /** What `GET /session/token` answers: every session has its own, so it says whether the session is still the same. */
  readonly token: string;
  /** Ends the session. Undefined when somebody else has opened it. */
  readonly logout?: string | undefined;
};

type Storage = {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
};

/** For workers, which have no `localStorage`, and for browsers that forbid it. */
const inMemory = new Map<string, string>();
const memory: Storage = {
  getItem: (key) => inMemory.get(key) ?? null,
  setItem: (key, value) => void inMemory.set(key, value),
  removeItem: (key) => void inMemory.delete(key),
};

const inStorage = <T>(use: (storage: Storage) => T): T => {
  try {
    const { localStorage } = globalThis as { readonly localStorage?: Storage }; // browsers have one
    if (localStorage !== undefined) return use(localStorage);
  } catch {
    // It is forbidden, or full.
  }
  return use(memory);
};

const keyOf = ({ baseUrl }: Exchange): string => `atoll-client.session ${baseUrl}`;

/** The session that was opened last. Undefined when none is known. */
export const knownSession = (exchange: Exchange): KnownSession | undefined => {
  const text = inStorage((storage) => storage.getItem(keyOf(exchange)));
  try {
    return text === null ? undefined : (JSON.parse(text) as KnownSession); // `keepKnownSession` has written it
  } catch {
    return undefined;
  }
};

/** Remembers a session in place of the one before. */
export const keepKnownSession = (exchange: Exchange, session: KnownSession): void =>
  inStorage((storage) => storage.setItem(keyOf(exchange), JSON.stringify(session)));

/** Forgets a session that has ended. */
export const forgetKnownSession = (exchange: Exchange): void =>
  inStorage((storage) => storage.removeItem(keyOf(exchange)));
