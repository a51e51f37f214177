/** A repository that stays in a browser, for tests: the built-in site with its starter fixture, opened as `createAtoll` does. */
import { recordModel, type Site } from '../../../src/repository/repository.ts';
import { join } from 'node:path';
import { openPersistentData, type PersistentData } from '../../../src/browser/persistence/open-persistent-data.ts';
import type { Platform } from '../../../src/browser/persistence/platform.ts';
import { initialRecords } from '../../../src/repository/repository-sites.ts';
import { loadSite } from '../../support/site-sources.ts';
import type { FixtureContent } from '../../../src/server/server-application.ts';
import {
  createMemoryWorldBytes,
  stateOfFixture,
  createMemoryWorldData,
  createWorlds,
  type MainWorld,
  type LocalWorlds,
} from '../../../src/server/server-worlds.ts';
import { createWorldClock, systemClock, systemIds } from '../../../src/server/server.ts';
import { repositoryApplication } from '../../../src/application/application.ts';
import { readFixture, root, starter } from '../../support/atoll.ts';

let loaded: Promise<Site> | undefined;
export const builtInSite = (): Promise<Site> => (loaded ??= loadSite(join(root, 'data/site')));

/** The records of the site and of the starter fixture, and their bytes. */
export const starterContent = async (): Promise<FixtureContent> => {
  const { entities, counters, blobs } = await readFixture(starter);
  return { entities: [...initialRecords(await builtInSite()), ...entities], counters, blobs };
};

/** The worlds of a server whose main world this is. */
export const worldsOver = async (main: MainWorld, pool = createMemoryWorldBytes()): Promise<LocalWorlds> => {
  const site = await builtInSite();
  return createWorlds({
    ...{ main, pool },
    settings: {
      application: repositoryApplication,
      site,
      signingKey: () => Promise.reject(new Error('No test here needs a token.')),
      readIcon: () => Promise.resolve(new Uint8Array()),
      caches: undefined,
    },
    baseUrl: 'http://localhost',
    fixture: async () => stateOfFixture(await starterContent(), { model: recordModel, site }),
    ownFixtureName: () => 'starter',
    clock: systemClock,
    schedule: () => () => undefined,
  });
};

/** Worlds whose main world is in memory. */
export const worldsInMemory = async (): Promise<LocalWorlds> => {
  const state = await stateOfFixture(await starterContent(), { model: recordModel, site: await builtInSite() });
  const pool = createMemoryWorldBytes();
  const main: MainWorld = {
    data: createMemoryWorldData(state, pool, systemIds),
    replaceData: async (next, publish) => publish(createMemoryWorldData(next, pool, systemIds)),
    clock: createWorldClock(systemClock),
    durability: 'memory',
  };
  return worldsOver(main, pool);
};

export type Opened = PersistentData & {
  readonly worlds: LocalWorlds;
  readonly warnings: readonly string[];
  /** Ends as a page does that is left: writes are finished, and the next one may open. */
  readonly leave: () => Promise<void>;
};

/** Opens the repository `museum` of this origin. */
export const openHere = async (platform: Platform, initial = starterContent): Promise<Opened> => {
  const warnings: string[] = [];
  const opened = await openPersistentData({
    ...{ databaseName: 'museum', site: await builtInSite(), platform },
    ...{ initial, ids: systemIds, clock: systemClock, warn: (message) => warnings.push(message) },
  });
  const worlds = await worldsOver(opened.main);
  return {
    ...opened,
    worlds,
    warnings,
    leave: async () => {
      worlds.close();
      await opened.close();
    },
  };
};
