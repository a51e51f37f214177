/** The worlds in a database, over a PostgreSQL within the process. All else that a database holds: `*.database.ts`. */
import { afterAll, beforeAll } from '@jest/globals';
import type { Database } from '../../src/team/postgres/database.ts';
import { openTestDatabase } from '../support/pglite.ts';
import { describeStoredWorlds } from './postgres/stored-worlds.suite.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
}, 120_000);
afterAll(() => database.close());

describeStoredWorlds('PGlite', () => database);
