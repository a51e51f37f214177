/** Opens the worlds of a team: connects to the database, brings its tables up to date, and fills a new repository. */
import { existingSigningKey } from '../basics/secrets/signing-key.ts';
import { createWriteTally } from '../basics/work-tally.ts';
import { listedRecordModel } from '../repository/repository-content.ts';
import { createReadWithRecord, readWithKey } from './read-ahead.ts';
import type { CheckReadiness } from '../openapi/openapi-host.ts';
import { repositorySite, type Site } from '../repository/repository.ts';
import { createChangeHints } from './postgres/listener.ts';
import type { Database } from './postgres/database.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { createControlTokenRows } from './postgres/control-token-rows.ts';
import { createStoredRecords } from './observations/stored-records.ts';
import { createObservationRows } from './postgres/observation-rows.ts';
import { createRecordCache } from './postgres/record-cache.ts';
import { migrate } from './postgres/schema.ts';
import { openStoredWorld, type StoredWorld, type StoredWorldOptions } from './postgres/stored-world.ts';
import { shownDatabase, type DatabasePlace } from '../server/server.ts';
import {
  type CreateWorldRecords,
  openTemporaryArchiveStorage,
  type ReadHealth,
  unwritableBytes,
  bytesReadiness,
  siteSettingsOf,
  type OpenedWorlds,
  type OpenWorldsOptions,
  pickedSettings,
} from '../server/server-worlds.ts';
import { createFixtures, type Fixtures } from '../server/server-application.ts';
import { createCollector, startBackground } from './collecting/collector.ts';
import { createDatabaseClock } from './database-clock.ts';
import { databaseHealth } from './database-health.ts';
import { fillMain } from './fill.ts';
import { reachDatabase } from './reach-database.ts';
import { openTeamBytes } from './team-bytes.ts';
import { createTeamFixtures } from './team-fixtures.ts';
import { teamSigningKey } from './team-signing-key.ts';
import { createTeamWorlds } from './team-worlds.ts';
import { countWorlds, findWorld } from './world-rows.ts';
import type { Clock } from '../openapi/openapi-records.ts';

type OpenTeamOptions = Omit<OpenWorldsOptions, 'durability' | 'schedule' | 'seed' | 'files'> & {
  readonly store: DatabasePlace;
};

/**
 * Rejects with `ConfigurationError`, with an error of the code `ATOLL_STORE_UNREACHABLE`, or with that of a fixture that cannot be
 * read.
 */
export const openTeamWorlds = async (options: OpenTeamOptions): Promise<OpenedWorlds> => {
  const database = await openPostgres(options.store);
  try {
    await reachDatabase(database, shownDatabase(options.store.url), options.store.waitMs);
    return await openTeamOn(database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
};

/** The most memory for records of all worlds in this process. */
const recordCacheBytes = 128 * 1024 * 1024;

type OpenOnOptions = Omit<OpenTeamOptions, 'store'> & { readonly store: Pick<DatabasePlace, 'consistency'> };

/** The same on a database that answers. */
export const openTeamOn = async (database: Database, options: OpenOnOptions): Promise<OpenedWorlds> => {
  const { site, ids, warn, writes = createWriteTally() } = options;
  const { instance } = await migrate(database);
  const clock = createDatabaseClock(database, options.clock);
  await clock.compare();
  const process = ids.uuid().slice(0, 13);
  const { blobs, storages, readiness } = await openTeamBytes({ ...options, database, instance });
  let fixtures = createFixtures(options);
  const layers = createTeamFixtures({ database, clock, ids, blobs, fixtures: () => fixtures });
  const own: Pick<Fixtures, 'ownContent' | 'ownName'> = fixtures;
  const isNew = await fillMain({ database, clock, process, fixtures: layers, ...own });
  const stored = await openStoredWorlds(database, {
    ...{ process, site: repositorySite(site), consistency: options.store.consistency, writes },
  });
  const signingKey =
    options.signingKey === undefined ? teamSigningKey(database) : existingSigningKey(options.signingKey);
  options.keepRecords?.(recordsIn(database, clock));
  const worlds = await createTeamWorlds({
    ...{ database, clock, blobs, ids, baseUrl: options.baseUrl, intercept: options.intercept },
    settings: { ...siteSettingsOf(site), signingKey, ...pickedSettings(options) },
    fixture: (name) => layers.named(name),
    openStored: stored.open,
    ownSettings: (name) => findWorld(database, { name, now: clock.now() }),
  });
  const collector = createCollector({ database, clock, storages, process, warn });
  const background = startBackground(clock, collector, warn);
  return {
    ...{ world: worlds.main.world, worlds, localWorlds: undefined, isNew },
    health: allOf([databaseHealth(database, writes, process), () => unwritableBytes(storages), background.health]),
    controlTokens: createControlTokenRows(database),
    openArchiveStorage: openTemporaryArchiveStorage(site.uploads.freeBytes),
    readiness: [databaseReadiness(database), ...readiness, ...bytesReadiness(storages)],
    pool: () => database.pool(),
    countWorlds: async () => 1 + (await countWorlds(database)).count,
    signingKey,
    useSite: (next) => {
      stored.useSite(repositorySite(next));
      fixtures = createFixtures({ ...options, site: next, fixturesFit: false, checkedRecords: [] });
      layers.forget();
      worlds.useSite(siteSettingsOf(next));
    },
    close: async () => {
      worlds.close();
      await background.end();
      await stored.close();
      await database.close();
    },
  };
};

/** The traffic and coverage of the worlds of a database. */
const recordsIn =
  (database: Database, clock: Clock): CreateWorldRecords =>
  (parts) =>
    createStoredRecords({ ...parts, store: createObservationRows(database, () => clock.now()) });

/** All reasons of all parts. */
const allOf =
  (parts: readonly ReadHealth[]): ReadHealth =>
  async () =>
    (await Promise.all(parts.map((read) => read()))).flat();

/** What opens the worlds of a database in this process, with what all of them share. */
const openStoredWorlds = async (
  database: Database,
  { site, ...own }: Pick<StoredWorldOptions, 'process' | 'consistency' | 'writes'> & { readonly site: Site },
) => {
  const cache = createRecordCache(recordCacheBytes);
  const hints = await createChangeHints(database);
  let readWithRecord = createReadWithRecord(site.model);
  const options: StoredWorldOptions = {
    ...{ ...own, database, cache, hints, model: listedRecordModel },
    readAhead: { withKey: readWithKey, withRecord: (entity) => readWithRecord(entity) },
  };
  return {
    open: (name: string): Promise<StoredWorld | undefined> => openStoredWorld(name, options),
    useSite: (next: Site): void => {
      readWithRecord = createReadWithRecord(next.model);
    },
    close: (): Promise<void> => hints.close(),
  };
};

const databaseReadiness = (database: Database): CheckReadiness => ({
  name: 'database',
  check: async () => {
    await database.query('select 1 from atoll_worlds where id = 0');
    return { name: 'database', isReady: true, message: 'The database answers.' };
  },
});
