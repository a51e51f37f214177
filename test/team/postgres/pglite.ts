/**
 * Opens a PostgreSQL within the process, for tests of SQL. Opening takes ten seconds of a processor and 400 MB, so no file of
 * `npm test` does it: they are the suite `databases`.
 */
import { PGlite, type Transaction } from '@electric-sql/pglite';
import {
  DatabaseProblem,
  maxAttempts,
  type Database,
  type Queries,
  type Statement,
} from '../../../src/team/postgres/database.ts';
import { problemOf, tellsToRetry } from '../../../src/team/postgres/reachability.ts';
import { migrate } from '../../../src/team/postgres/schema.ts';

export { DatabaseProblem };
export type { Database, Queries };

/** An empty database with the schema. It has one connection, so transactions run one after another. */
export const openTestDatabase = async (): Promise<Database> => {
  const database = overPglite(await PGlite.create());
  await migrate(database);
  return database;
};

export const overPglite = (engine: PGlite): Database => {
  const retried = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (engine.closed) throw new DatabaseProblem('The database is closed.');
        return await work();
      } catch (error) {
        if (!tellsToRetry(error) || attempt === maxAttempts) throw problemOf(error);
      }
    }
  };
  return {
    query: (statement, values) => retried(() => queriesOf(engine).query(statement, values)),
    transaction: <T>(work: (queries: Queries) => Promise<T>) =>
      retried(() => engine.transaction((transaction) => work(queriesOf(transaction)))),
    listen: async (channel, onMessage) => engine.listen(channel, onMessage),
    pool: () => ({ total: 1, idle: 1, waiting: 0 }),
    close: async () => {
      if (!engine.closed) await engine.close();
    },
  };
};

const queriesOf = (engine: PGlite | Transaction): Queries => ({
  query: async <Row>(statement: string | Statement, values?: readonly unknown[]) => {
    const text = typeof statement === 'string' ? statement : statement.text;
    // PGlite gives columns without a name otherwise; the caller says what the statement returns.
    const { rows } = await engine.query(text, values === undefined ? [] : [...values]);
    return rows as readonly Row[];
  },
});
