/** A database that another program has left: brought to the schema of this one, and what it holds. */
import { createControlTokenRows } from '../../../src/team/postgres/control-token-rows.ts';
import type { Database } from '../../../src/team/postgres/database.ts';
import { migrate } from '../../../src/team/postgres/schema.ts';

export const migrated = (database: Database): Promise<unknown> => migrate(database);

export const storedControlTokens = (database: Database): Promise<readonly unknown[]> =>
  createControlTokenRows(database).load();
