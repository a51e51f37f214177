/** The suite of the observation store on the one in memory that other tests use: it does what a database does. */
import { createTestObservations } from './observation-store.ts';
import { describeObservationStore } from './observation-store.suite.ts';

describeObservationStore('in memory', async () => createTestObservations());
