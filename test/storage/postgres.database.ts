/** The worlds, the entity store and the small state in a database, over a PostgreSQL within the process. */
import { afterAll, beforeAll } from '@jest/globals';
import type { Database } from '../../src/team/postgres/database.ts';
import { observationsIn } from '../support/observation-rows.ts';
import { openTestDatabase } from '../support/pglite.ts';
import { describeEntityStore } from './entity-store.suite.ts';
import { describeObservationStore } from './observation-store.suite.ts';
import { describeControlTokens } from './postgres/control-tokens.suite.ts';
import { describeDatabaseFaults } from './postgres/faults.suite.ts';
import { describeLayers } from './postgres/layers.suite.ts';
import { describeRaces } from './postgres/races.suite.ts';
import { describeReads } from './postgres/reads.suite.ts';
import { describeRecordQuery } from './postgres/record-query.suite.ts';
import { describeStoredWorlds } from './postgres/stored-worlds.suite.ts';
import { makeWorld, openWorld } from './postgres/worlds.ts';

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
