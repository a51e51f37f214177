/** What the program needs of a database: statements, transactions and hints. Implemented over `pg`, and in tests over PGlite. */
import { Problem } from '../../openapi/openapi-terms.ts';

/** A statement that each connection prepares once, by its name. One name always has the same text. */
export type Statement = { readonly name: string; readonly text: string };

/** Columns of type bigint arrive as numbers, arrays as arrays. */
export type Queries = {
  /** Resolves with the rows. Rejects with a Problem: 503 without a connection, 507 without space; other errors as they come. */
  readonly query: <Row>(statement: string | Statement, values?: readonly unknown[]) => Promise<readonly Row[]>;
};

/** Outside a transaction each statement is a transaction of its own. */
export type Database = Queries & {
  /**
   * Runs `work` in a transaction on one connection, with READ COMMITTED or what the engine has above it. Runs it again when the
   * engine tells to (SQLSTATE 40001, 40P01), at most `maxAttempts` times, then rejects with 503. Rejects with a `DatabaseProblem`
   * whose `isUnknown` is true when the connection ended during the commit: nobody knows whether it happened.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * Calls `onMessage` with what `NOTIFY` sends on the channel, as far as the engine has this and the connection holds. A hint
   * only: messages get lost. Resolves with a function that ends the calls.
   */
  listen(channel: string, onMessage: (payload: string) => void): Promise<() => Promise<void>>;
  /** The connections: all, those without work, and the calls that wait for one. */
  pool(): { readonly total: number; readonly idle: number; readonly waiting: number };
  /** Waits for what runs. Later calls reject with 503. */
  close(): Promise<void>;
};

/** How often a transaction is begun before it is refused. */
export const maxAttempts = 20;

/** 503: the database cannot be reached, or it is too busy. Clients learn when to ask again. */
export class DatabaseProblem extends Problem {
  /** A write was sent, and its answer did not arrive. It may have happened. */
  readonly isUnknown: boolean;

  constructor(message: string, options: { readonly isUnknown?: boolean; readonly cause?: unknown } = {}) {
    super(503, message, { headers: { 'Retry-After': '1' }, cause: options.cause });
    this.isUnknown = options.isUnknown ?? false;
  }
}
