/** Atolls of a test that observe the same worlds, as processes that share a database. The records of each are its own. */
import { resolveReferences } from '../../../src/openapi/openapi-parts.ts';
import { operationsOf } from '../../../src/repository/repository-engine.ts';
import { createWorldObserver } from '../../../src/server/server-start.ts';
import { createStoredRecords } from '../../../src/team/observations/stored-records.ts';
import { createTestAtoll, sources, type TestAtoll } from '../../support/atoll.ts';
import { createTestObservations, type TestObservations } from './observation-store.ts';

export type ObservingProcess = TestAtoll & { readonly observer: ReturnType<typeof createWorldObserver> };

export type ObservingProcesses = {
  readonly shared: TestObservations;
  /** Another process. `bytes` is its memory for what is not written yet. */
  start(options?: { readonly entries?: number; readonly bytes?: number }): Promise<ObservingProcess>;
};

/** Every process has the world `main`, and may make the world `side`. */
export const createObservingProcesses = async (): Promise<ObservingProcesses> => {
  const shared = createTestObservations();
  const ids: Readonly<Record<string, number>> = { main: await shared.makeWorld(), side: await shared.makeWorld() };
  const { document } = await sources();
  const operations = operationsOf(resolveReferences(document));
  return {
    shared,
    start: async ({ entries, bytes } = {}) => {
      const observer = createWorldObserver({ entries, operations: () => operations });
      observer.keepIn((options) => createStoredRecords({ ...options, store: shared.store(), bytes }));
      const atoll = await createTestAtoll({
        app: { observer },
        open: { intercept: [(name, state) => observer.intercept(name, state, ids[name])] },
      });
      return { ...atoll, observer };
    },
  };
};
