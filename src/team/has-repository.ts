/** Looks whether a database holds a repository, without making anything in it. */
import { openPostgres } from './postgres/open-postgres.ts';
import type { Database } from './postgres/database.ts';
import { mainName } from '../openapi/openapi-host.ts';
import { shownDatabase, type DatabasePlace } from '../server/server.ts';
import { reachDatabase } from './reach-database.ts';

export const hasRepository = async (store: DatabasePlace): Promise<boolean> => {
  const database = await openPostgres(store);
  try {
    await reachDatabase(database, shownDatabase(store.url), store.waitMs);
    return await hasMainWorld(database);
  } finally {
    await database.close();
  }
};

const hasMainWorld = async (database: Database): Promise<boolean> => {
  const [table] = await database.query<{ found: string }>(
    "select table_name as found from information_schema.tables where table_name = 'atoll_worlds' and table_schema = current_schema()",
  );
  if (table === undefined) return false;
  const rows = await database.query('select id from atoll_worlds where name = $1', [mainName]);
  return rows.length > 0;
};
