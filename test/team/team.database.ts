/** The worlds of a team, and their small state, over a PostgreSQL within the process. */
import { afterAll, beforeAll, describe } from '@jest/globals';
import { type Database, openTestDatabase } from './postgres/pglite.ts';
import { describeCollector } from './collecting/collector.suite.ts';
import { describeSharedState } from './shared-state.suite.ts';
import { describeTeamWorlds } from './team-worlds.suite.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
}, 120_000);

// Each of them begins with a database of its own, one after another.
describe('over PGlite', () => describeSharedState(() => database));
describe('over PGlite', () => describeTeamWorlds(() => database));
describe('over PGlite', () => describeCollector(() => database));

afterAll(() => database.close());
