/** The observations of processes in a database, for tests. */
import type { Database } from '../../../src/team/postgres/database.ts';
import { createObservationRows } from '../../../src/team/postgres/observation-rows.ts';
import { removeWorld } from '../../../src/team/world-rows.ts';
import { makeWorld } from './worlds.ts';
import type { SharedObservations } from '../observations/observation-store.ts';

export const observationsIn = (database: Database): SharedObservations => ({
  store: () => createObservationRows(database, Date.now),
  makeWorld: () => makeWorld(database),
  dropWorld: (id) => database.transaction((queries) => removeWorld(queries, id)),
});
