/** One of several processes over one database, within the process of the test: its own worlds, dispatch and caches. */
import { repositoryOnDisk } from '../../src/application/application-disk.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createWorldObserver,
  createFaultsByWorld,
  createFetch,
  createDispatch,
  createReloads,
} from '../../src/server/server-start.ts';
import { resolveReferences } from '../../src/openapi/openapi-parts.ts';
import { onDemandSchemas } from '../../src/openapi/openapi.ts';
import type { PlainReply, PlainRequest } from '../../src/openapi/openapi-host.ts';
import type { Fetch } from '../../src/exchange/exchange-worlds.ts';
import type { Database } from './postgres/pglite.ts';
import { openTeamOn } from '../../src/team/open-team-worlds.ts';
import { packagedFixture } from '../../src/server/server-application.ts';
import { systemIds } from '../../src/server/server.ts';
import type { Site } from '../../src/repository/repository.ts';
import type { Worlds } from '../../src/server/server-worlds.ts';
import { baseUrl, noteCoverage, readFixture, root, sources, starter, withQuickPasswords } from '../support/atoll.ts';
import { createClock } from '../support/time-and-chance.ts';

export type TestProcess = {
  readonly fetch: Fetch;
  readonly worlds: Worlds;
  /** Ends the process. The database stays open. */
  readonly stop: () => Promise<void>;
};

/** `data`: a directory for the bytes, which all processes share. `ownSite`: another site than the default one. */
export const startTestProcess = async (database: Database, data: string, ownSite?: Site): Promise<TestProcess> => {
  const { site: loaded, document, controlDocument, isChecked: isDefaultChecked } = await sources();
  const site = withQuickPasswords(ownSite ?? loaded);
  // A site of the test's own makes another document.
  const isChecked = isDefaultChecked && ownSite === undefined;
  const { followAddress, faults: ofApplication } = repositoryOnDisk;
  const [faults, observer] = [createFaultsByWorld({ ofApplication }), createWorldObserver({ followAddress })];
  const opened = await openTeamOn(
    // The database outlives each of its processes.
    { ...database, close: () => Promise.resolve() },
    {
      ...{
        site,
        baseUrl,
        data,
        fixture: starter,
        records: await readFixture(starter),
        clock: createClock(),
        ids: systemIds,
        application: repositoryOnDisk,
      },
      ...{ warn: () => undefined, intercept: [observer.intercept, faults.intercept] },
      fixtureNamed: (name) => packagedFixture(root, name),
      readFixture,
      store: { consistency: 'strict' },
    },
  );
  const { worlds, health, openArchiveStorage } = opened;
  const { answer } = await createDispatch({
    ...{
      worlds,
      openArchiveStorage,
      health,
      faults,
      observer,
      application: repositoryOnDisk,
      site,
      baseUrl,
      document,
      controlDocument,
      controlSchemas: onDemandSchemas,
    },
    reloads: createReloads({ load: async () => [], now: () => 0, report: () => undefined }),
    documentText: () => readFile(join(root, 'openapi.yaml'), 'utf8'),
    locate: (request) => worlds.locate(request),
    resolveControlDocument: async () => resolveReferences(controlDocument),
    ...{ isChecked, areDocumentsChecked: isChecked, version: '0.0.0', checkReplies: 'fail' },
    replyCacheBytes: 4 * 1024 * 1024,
    onEvent: noteCoverage,
  });
  const onError = (error: unknown): void => {
    throw error;
  };
  // One connection for all requests, as a balancer keeps one: what is remembered of it counts.
  const connection = {};
  const answerOnConnection = (request: PlainRequest): Promise<PlainReply> => answer({ ...request, connection });
  const fetch = createFetch({ answer: answerOnConnection, baseUrl, cors: 'off', onError });
  return { fetch, worlds, stop: () => opened.close() };
};
