/** Port: databases that keep worlds, in place of a directory or memory. */
import type { OpenedWorlds, OpenWorldsOptions } from '../worlds/open-worlds.ts';

/** Where a database is, and how it is used. */
export type DatabasePlace = {
  /** `postgres://user@host:port/database`, with the parameters of libpq. */
  readonly url: string;
  /** When the URL has none. */
  readonly password?: string | undefined;
  /** `strict`: every read sees every acknowledged write. `local`: a read may miss those of the last second. */
  readonly consistency: 'strict' | 'local';
  /** The most connections. */
  readonly poolSize?: number | undefined;
  /** The database ends a statement that takes longer. */
  readonly statementTimeoutMs?: number | undefined;
  /** How long a start waits for the database, in milliseconds. */
  readonly waitMs: number;
};

type OpenDatabaseOptions = Omit<OpenWorldsOptions, 'durability' | 'schedule' | 'seed' | 'files'>;

/**
 * Both reject with `ConfigurationError` when the database refuses, and with an error of the code `storeUnreachableCode` when it does
 * not answer in time.
 */
export type Databases = {
  /** Opens the worlds of a database, and fills a new one. Rejects with the error of a fixture that cannot be read, too. */
  open(place: DatabasePlace, options: OpenDatabaseOptions): Promise<OpenedWorlds>;
  /** Whether the database holds a repository. Makes nothing in it. */
  hasRepository(place: DatabasePlace): Promise<boolean>;
};

export const storeUnreachableCode = 'ATOLL_STORE_UNREACHABLE';

/** Whether a text names a database, not a directory. */
export const isDatabaseUrl = (text: string): boolean => /^postgres(ql)?:\/\//.test(text);

/** The address without its password, for logs and messages. */
export const shownDatabase = (url: string): string => {
  try {
    const { protocol, host, pathname, username } = new URL(url);
    return `${protocol}//${username === '' ? '' : `${username}@`}${host}${pathname}`;
  } catch {
    return 'the database';
  }
};
