/** Traffic and coverage in a real PostgreSQL, as two processes of one repository write and read them. */
import { afterAll, beforeAll } from '@jest/globals';
import type { Database } from '../../../src/team/postgres/database.ts';
import { openPostgres } from '../../../src/team/postgres/open-postgres.ts';
import { migrate } from '../../../src/team/postgres/schema.ts';
import { describeObservationStore } from '../../team/observations/observation-store.suite.ts';
import { observationsIn } from '../../team/postgres/observation-rows.ts';
import { startPostgres, type Postgres } from '../../support/postgres.ts';

let postgres: Postgres;
let databases: readonly [Database, Database];
beforeAll(async () => {
  postgres = await startPostgres();
  const url = await postgres.database();
  databases = [await openPostgres({ url }), await openPostgres({ url })];
  await migrate(databases[0]);
});
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()));
  await postgres.close();
});

describeObservationStore('in PostgreSQL', async () => {
  const [one, other] = databases.map(observationsIn);
  let stores = 0;
  if (one === undefined || other === undefined) throw new Error('There are two databases.');
  return { ...one, store: () => ((stores += 1) % 2 === 0 ? other : one).store() };
});
