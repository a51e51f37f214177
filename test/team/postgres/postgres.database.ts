/** The worlds, the entity store and the small state in a database, over a PostgreSQL within the process. */
import { afterAll, beforeAll } from '@jest/globals';
import type { Database } from '../../../src/team/postgres/database.ts';
import { observationsIn } from './observation-rows.ts';
import { openTestDatabase } from './pglite.ts';
import { describeEntityStore } from '../../storage/entity-store.suite.ts';
import { describeObservationStore } from '../observations/observation-store.suite.ts';
import { describeControlTokens } from './control-tokens.suite.ts';
import { describeDatabaseFaults } from './faults.suite.ts';
import { describeLayers } from './layers.suite.ts';
import { describeRaces } from './races.suite.ts';
import { describeReads } from './reads.suite.ts';
import { describeRecordQuery } from './record-query.suite.ts';
import { describeStoredWorlds } from './stored-worlds.suite.ts';
import { makeWorld, openWorld } from './worlds.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
}, 120_000);
afterAll(() => database.close());

describeStoredWorlds('PGlite', () => database);
describeEntityStore('PGlite', async () => (await openWorld(database, await makeWorld(database))).store);
describeLayers('PGlite', () => database);
describeDatabaseFaults('PGlite', () => database);
describeRaces('PGlite', () => database);
describeReads('PGlite', () => database);
describeRecordQuery('PGlite', () => database, 15);
describeControlTokens('PGlite', () => [database, database]);
describeObservationStore('PGlite', async () => observationsIn(database));
