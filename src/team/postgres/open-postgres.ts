/** Opens a database by `pg`: a pool of connections that notices when the database cannot be reached, and recovers by itself. */
import type { Client, Pool, PoolClient, QueryConfig } from 'pg';
import { badAddress, connectionOptions, type PostgresOptions } from './connection-options.ts';
import { DatabaseProblem, maxAttempts, type Database, type Queries, type Statement } from './database.ts';
import { errorCode } from '../../basics/error-code.ts';
import { busy, createReachability, problemOf, type Reachability, tellsToRetry } from './reachability.ts';
import { createListener } from './listener.ts';

/** How a statement is sent. */
type Send = (client: Client, statement: string | Statement, values?: readonly unknown[]) => Promise<readonly unknown[]>;

/**
 * Makes the pool. It connects at the first statement. Rejects with `ConfigurationError` for an address that cannot be used. Calls
 * are refused with 503 within two seconds while the database cannot be reached.
 */
export const openPostgres = async (options: PostgresOptions): Promise<Database> => {
  const { default: pg } = await import('pg');
  const config = { ...connectionOptions(options), types: { getTypeParser: createTypeParsers(pg.types) } };
  try {
    // Reads the address without connecting.
    new pg.Client(config);
  } catch (error) {
    throw badAddress(options.url, error);
  }
  const connect = (): Client => new pg.Client(config);
  const reachability = createReachability(() => probe(connect));
  const send = createSend(options.preparesStatements ?? true, reachability);
  const pool = new pg.Pool(config);
  // The pool has dropped the connection already. The next call makes another one.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    // Who waits for an answer on this connection gets the error too.
    client.on('error', () => undefined);
    // Other engines do not know these words.
    for (const setting of settings) client.query(`set ${setting}`).catch(() => undefined);
  });
  return createDatabase(pool, connect, send, reachability);
};

/**
 * PostgreSQL compiles a statement that it thinks is long, and plans a prepared statement again for other values: both take longer
 * than any of these statements.
 */
const settings = ['jit = off', 'plan_cache_mode = force_generic_plan'];

const createDatabase = (pool: Pool, connect: () => Client, send: Send, reachability: Reachability): Database => {
  const listener = createListener(connect);
  const checkOut = createCheckOut(pool, reachability);
  let closing: Promise<void> | undefined;
  return {
    query: async <Row>(statement: string | Statement, values?: readonly unknown[]) => {
      for (let attempt = 1; ; attempt += 1) {
        const client = await checkOut();
        try {
          const rows = await send(client, statement, values);
          client.release();
          // The caller says what the statement returns.
          return rows as readonly Row[];
        } catch (error) {
          const problem = problemOf(error, !onlyReads(statement));
          client.release(isBroken(error));
          if (!tellsToRetry(error) || attempt === maxAttempts) throw problem;
        }
      }
    },
    transaction: async (work) => {
      for (let attempt = 1; ; attempt += 1) {
        const client = await checkOut();
        const outcome = await attemptTransaction(client, send, work);
        if ('result' in outcome) return outcome.result;
        if (!tellsToRetry(outcome.error) || attempt === maxAttempts) throw outcome.problem;
        await pause(attempt);
      }
    },
    listen: listener.listen,
    pool: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: async () => {
      closing ??= Promise.all([listener.close(), pool.end()]).then(() => reachability.close());
      await closing;
    },
  };
};

/** How long a call waits for a connection while the database answers others. */
const queuedMs = 10_000;

/** Waits for a connection: as long as `queuedMs` while all are in use, and no longer than `reachability` says without an answer. */
const createCheckOut = (pool: Pool, reachability: Reachability) => async (): Promise<PoolClient> => {
  const until = performance.now() + queuedMs;
  const connect = (): Promise<PoolClient> =>
    reachability.connected(
      () => pool.connect(),
      (client) => client.release(),
    );
  for (;;) {
    try {
      return await connect();
    } catch (error) {
      if (!isPoolFull(error)) throw error;
      if (performance.now() >= until) throw busy(error);
    }
  }
};

/** The pool's own words for a call that has waited for one of its connections. It has others for a connection that is not made. */
const isPoolFull = (error: unknown): boolean =>
  error instanceof DatabaseProblem &&
  error.cause instanceof Error &&
  error.cause.message === 'timeout exceeded when trying to connect';

const onlyReads = (statement: string | Statement): boolean =>
  /^\s*select\b/i.test(typeof statement === 'string' ? statement : statement.text);

/** Whether the error says nothing about the state of the connection, so that the connection must not be used again. */
const isBroken = (error: unknown): boolean =>
  !(error instanceof Error && 'severity' in error && error.severity === 'ERROR');

type Outcome<T> = { readonly result: T } | { readonly error: unknown; readonly problem: unknown };

const attemptTransaction = async <T>(
  client: PoolClient,
  send: Send,
  work: (queries: Queries) => Promise<T>,
): Promise<Outcome<T>> => {
  let isCommitting = false;
  try {
    // Not awaited: it is sent together with the first statement, which fails when it does.
    const begun = send(client, 'begin');
    begun.catch(() => undefined);
    const result = await work({
      query: async <Row>(statement: string | Statement, values?: readonly unknown[]) =>
        // The caller says what the statement returns.
        (await send(client, statement, values)) as readonly Row[],
    });
    await begun;
    isCommitting = true;
    await send(client, 'commit');
    client.release();
    return { result };
  } catch (error) {
    const isClean = !isCommitting && (await rollBack(client, send));
    client.release(!isClean);
    return { error, problem: problemOf(error, isCommitting) };
  }
};

const rollBack = (client: PoolClient, send: Send): Promise<boolean> =>
  send(client, 'rollback').then(
    () => true,
    () => false,
  );

/** Longer at each attempt, and not the same for two that met. */
const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.min(100, 2 ** attempt) * Math.random()));

const createSend = (prepares: boolean, reachability: Reachability): Send => {
  return async (client, statement, values) => {
    const config: QueryConfig =
      typeof statement === 'string' ? { text: statement } : prepares ? statement : { text: statement.text };
    const sent = client.query(values === undefined ? config : { ...config, values: [...values] });
    const { rows } = await reachability.watched(client, sent);
    return rows as readonly unknown[];
  };
};

/** Below the rest of two seconds. */
const probeMs = 1_200;

/** Connects and asks once. Rejects when there is no answer in time. A refusal, such as "too many connections", is an answer. */
const probe = async (connect: () => Client): Promise<void> => {
  const client = connect();
  client.on('error', () => undefined);
  const timer = setTimeout(() => client.connection.stream.destroy(), probeMs);
  try {
    await client.connect();
    await client.query('select 1');
  } catch (error) {
    if (!isAnswer(error)) throw error;
  } finally {
    clearTimeout(timer);
    client.end().catch(() => undefined);
  }
};

/** An SQLSTATE, but for those of an engine that starts or stops. */
const isAnswer = (error: unknown): boolean => /^(?!57P)(?=.*\d)[0-9A-Z]{5}$/.test(errorCode(error) ?? '');

/** The ids, counters and times of this program are all far below 2 ** 53. */
const createTypeParsers = (types: { getTypeParser(oid: number, format?: 'text' | 'binary'): unknown }) => {
  const bigint = 20;
  const bigints = 1016;
  const parsers = new Map<number, (text: string) => unknown>([
    [bigint, Number],
    [bigints, (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number))],
  ]);
  return (oid: number, format?: 'text' | 'binary'): unknown => parsers.get(oid) ?? types.getTypeParser(oid, format);
};
