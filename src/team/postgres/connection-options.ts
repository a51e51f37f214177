/** Reads the address of a database: who connects where, with which encryption and which password. */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { isDatabaseUrl, shownDatabase } from '../../server/server.ts';

export type PostgresOptions = {
  /**
   * `postgres://user@host:port/database?sslmode=verify-full&sslrootcert=FILE`. The parameters are those of libpq. A unix socket:
   * `postgres:///database?host=/run/postgresql`.
   */
  readonly url: string;
  /** When the URL has none. */
  readonly password?: string | undefined;
  /** The most connections of this process; one more listens. 10 when left out. */
  readonly poolSize?: number | undefined;
  /** The engine ends a statement that takes longer. 10,000 when left out. */
  readonly statementTimeoutMs?: number | undefined;
  /** How long a call waits for a connection before it is refused. 1,500 when left out. */
  readonly connectTimeoutMs?: number | undefined;
  /**
   * Whether connections keep prepared statements. True when left out. False for a pooler that gives each transaction another
   * connection and does not know them: pgbouncer before 1.21, or with `max_prepared_statements = 0`.
   */
  readonly preparesStatements?: boolean | undefined;
};

/**
 * The options for `pg`. As with libpq, `sslmode=require` encrypts without a check of the certificate when no `sslrootcert` is
 * named; `verify-full` checks it. Throws `ConfigurationError` for a text that is not an address of a database.
 */
export const connectionOptions = (options: PostgresOptions) => {
  const { url, password, poolSize = 10, statementTimeoutMs = 10_000, connectTimeoutMs = 1_500 } = options;
  if (!isDatabaseUrl(url)) throw new ConfigurationError('The address of a database begins with postgres://.');
  const own = { uselibpqcompat: 'true', ...(password === undefined || hasPassword(url) ? {} : { password }) };
  return {
    connectionString: `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(own).toString().replaceAll('+', '%20')}`,
    max: poolSize,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 60_000,
    statement_timeout: statementTimeoutMs,
    // A process that hangs within a transaction must not hold the row of a world for longer.
    idle_in_transaction_session_timeout: Math.min(statementTimeoutMs, 5_000),
    lock_timeout: Math.min(statementTimeoutMs, 5_000),
    keepAlive: true,
    // A transaction sends its first statement together with its beginning.
    pipeline: true,
    application_name: 'atoll',
  };
};

const hasPassword = (url: string): boolean => /^[^/]*\/\/[^/?@]*:[^/?@]+@|[?&]password=/.test(url);

/** The error of an address that `pg` cannot read. Its own message may have the password, so it is not shown. */
export const badAddress = (url: string, error: unknown): ConfigurationError => {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  const reason = isMissing ? 'names a file that does not exist' : 'cannot be read';
  return new ConfigurationError(`The address ${shownDatabase(url)} ${reason}. Check its parameters.`);
};
