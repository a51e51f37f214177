/** Opens the main world on disk or in memory, and fills a new one with the site and a fixture. */
import { join } from 'node:path';
import { generatedSigningKey, existingSigningKey } from '../../basics/secrets/signing-key.ts';
import type { CreateWorldRecords } from '../coverage/world-records.ts';
import type { CheckReadiness, ControlTokenStore, HostedWorld, HostedSite } from '../../openapi/openapi-host.ts';
import type { PoolState, UploadTally, WriteTally } from '../../basics/work-tally.ts';
import type { PassedOptions } from '../options/start-options.ts';
import { createWorldClock, type WorldClock } from './world-clock.ts';
import { createMemoryWorldData, type WorldData } from './world-data.ts';
import type { SavedState } from './saved-state.ts';
import type { SiteSettings } from './served/served-world.ts';
import type { Application, WorldSettings } from '../application.ts';
import { createWorlds, type LocalWorlds, type MainWorld, type Worlds, type WorldsOptions } from './worlds.ts';
import { createDiskWorldData, replaceDataOnDisk } from './disk-world-data.ts';
import { fillNew } from './copy-blobs.ts';
import { createCurrentFixtures, type DocumentSeeds } from './collections/use-collections.ts';
import type { FixtureOptions, Fixtures } from './fixtures.ts';
import { readRegularFile } from '../../basics/disk/regular-file.ts';
import {
  openFileControlTokens,
  createMemoryControlTokens,
  openJournalEntityStore,
  type JournalEntityStore,
  type BlobPool,
  type BlobSweeper,
  createBlobSweeper,
} from '../../storage/storage.ts';
import type { Durability, Files } from '../../basics/disk/files.ts';
import { createSemaphore } from '../../basics/semaphore.ts';
import type { OpenArchiveStorage } from './archive/archive-storage.ts';
import { openDiskArchiveStorage } from './archive/disk-archive-storage.ts';
import { openDiskWorldBytes } from './bytes/disk-world-bytes.ts';
import { openStorages } from './bytes/open-storages.ts';
import { archivesInPool, createMemoryWorldBytes } from './bytes/memory-world-bytes.ts';
import { openDiskReaders, verifyInBackground } from './blob-readers.ts';
import { createDamagedFiles } from './damage/damaged-files.ts';
import { openSigningKey } from './disk-signing-key.ts';
import { diskHealth, memoryHealth, type ReadHealth } from './store-health.ts';
import { sweepBlobs } from './sweep-blobs.ts';
import type {
  Clock,
  Identifiers,
  BlobStorage,
  BlobReference,
  EntityStore,
  RecordModel,
} from '../../openapi/openapi-records.ts';

export type OpenWorldsOptions = FixtureOptions & {
  /** What the worlds are for. */
  readonly application: Application;
  readonly baseUrl: string;
  /** The data directory. Without a directory nothing is written to disk. */
  readonly data: string | undefined;
  readonly durability: Durability;
  /** How the worlds answer reads. When left out: as the site says. */
  readonly caches?: WorldSettings['caches'];
  readonly clock: Clock;
  readonly frozenAt?: PassedOptions['frozenAt'];
  readonly ids: Identifiers;
  /** A PEM to sign tokens with, instead of the data directory's own key. */
  readonly signingKey?: string | undefined;
  /** See `WorldsOptions.schedule`. When left out: a timer that does not keep the process alive. */
  readonly schedule?: WorldsOptions['schedule'] | undefined;
  /** Makes the interceptors of each world, outermost first. */
  readonly intercept?: WorldsOptions['intercept'];
  /** Called before any world is made, where traffic and coverage are kept elsewhere than in memory. */
  readonly keepRecords?: ((create: CreateWorldRecords) => void) | undefined;
  readonly warn: (message: string) => void;
  /** Count each batch that is written, and each upload. */
  readonly writes?: WriteTally | undefined;
  readonly uploads?: UploadTally | undefined;
  /** See `WorldSettings`. */
  readonly ownWork?: WorldSettings['ownWork'];
  /** The most bytes of all forked worlds together, in memory with those of the main world. Tests pass a few. */
  readonly pooledBytes?: number | undefined;
  /** A file system for tests in which the disk fails, and when journals are compacted there. */
  readonly files?: Files | undefined;
  readonly compaction?: JournalCompaction | undefined;
};

type JournalCompaction = Pick<Parameters<typeof openJournalEntityStore>[0], 'smallJournalBytes' | 'retryMs'>;

export type OpenedWorlds = {
  /** The first view of the main world. */
  readonly world: HostedWorld;
  readonly worlds: Worlds;
  /** The same. Undefined where they are in a database. */
  readonly localWorlds: LocalWorlds | undefined;
  readonly isNew: boolean;
  /** What is wrong with the data directory now. */
  readonly health: ReadHealth;
  readonly controlTokens: ControlTokenStore;
  /** Opens a place for the bytes of an archive until a world has them. */
  readonly openArchiveStorage: OpenArchiveStorage;
  /** What must hold before the server may get requests. */
  readonly readiness: readonly CheckReadiness[];
  /** The number of worlds, where `worlds.list` reads all of them from a database. */
  readonly countWorlds?: (() => Promise<number>) | undefined;
  /** The connections to the database. Undefined without one. */
  readonly pool?: (() => PoolState) | undefined;
  /** The key that signs tokens. Makes it if there is none yet. */
  readonly signingKey: () => Promise<unknown>;
  /** All worlds continue with another site, which must have the same storages. Stored data stay. */
  useSite(site: HostedSite): void;
  /** The collections of documents begin with these records. Undefined where worlds have no collections. */
  readonly useCollections?: ((seeds: DocumentSeeds) => Promise<void>) | undefined;
  close(): Promise<void>;
};

/** Worlds in memory or on disk. */
type OpenedLocalWorlds = Omit<OpenedWorlds, 'worlds'> & { readonly worlds: LocalWorlds };

/** Rejects with an error of `src/storage`, or of a fixture that cannot be read. */
export const openWorlds = async (options: OpenWorldsOptions): Promise<OpenedLocalWorlds> => {
  const { site, baseUrl, clock, data } = options;
  const fixtures = createCurrentFixtures(options);
  const opened =
    data === undefined ? await inMemory(options, fixtures.current()) : await onDisk(options, data, fixtures.current());
  const { signingKey, replaceData } = opened;
  const newClock = (): WorldClock => startClock(options);
  const durability = data === undefined ? 'memory' : options.durability;
  const worlds = createWorlds({
    main: { data: opened.data, replaceData, clock: newClock(), durability },
    settings: { ...siteSettingsOf(site), signingKey, ...pickedSettings(options) },
    ...{ pool: opened.pool, baseUrl },
    fixture: (name) => fixtures.current().named(name),
    ownFixtureName: () => fixtures.current().ownName(),
    ...{ clock, newClock },
    schedule: options.schedule ?? unrefTimer,
    intercept: options.intercept,
  });
  return {
    world: worlds.main.world,
    worlds,
    localWorlds: worlds,
    isNew: opened.isNew,
    health: opened.health,
    controlTokens: opened.controlTokens,
    readiness: opened.readiness,
    openArchiveStorage: opened.openArchiveStorage,
    signingKey,
    useSite: (next) => {
      fixtures.change({ site: next, fixturesFit: false, checkedRecords: [] });
      worlds.useSite(siteSettingsOf(next));
      opened.judge?.(next);
    },
    useCollections: (seeds) => fixtures.useCollections(seeds, { main: worlds.main.world, isNew: opened.isNew }),
    close: async () => {
      const { store } = worlds.main.world;
      await opened.end();
      worlds.close();
      await opened.endPool();
      await store.close();
    },
  };
};

/** A clock that shows the real time, or is frozen from the start. */
const startClock = ({ clock, frozenAt }: OpenWorldsOptions): WorldClock => {
  const worldClock = createWorldClock(clock);
  if (frozenAt !== undefined) worldClock.set({ mode: 'frozen', now: Date.parse(frozenAt) });
  return worldClock;
};

/** The settings of worlds that are taken as they are. */
export const pickedSettings = (options: Pick<OpenWorldsOptions, 'application' | 'caches' | 'uploads' | 'ownWork'>) => {
  const { application, caches, uploads, ownWork } = options;
  return { application, caches, uploads, ownWork };
};

export const siteSettingsOf = (site: HostedSite): SiteSettings => ({
  site,
  readIcon: (name) => readRegularFile(join(site.iconDirectory, name)),
});

const unrefTimer = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

type OpenedData = Pick<MainWorld, 'data' | 'replaceData'> &
  Pick<OpenedWorlds, 'isNew' | 'health' | 'readiness' | 'controlTokens' | 'openArchiveStorage'> &
  Pick<WorldSettings, 'signingKey'> & {
    /** Says in the background which records a site does not fit. */
    readonly judge?: ((site: HostedSite) => void) | undefined;
    /** Ends what goes on in the background. */
    readonly end: () => Promise<void>;
    /** Where the bytes of forked worlds are. */
    readonly pool: BlobPool;
    /** Removes what is in the pool, when no world is left. */
    readonly endPool: () => Promise<void>;
  };

const inMemory = async (options: OpenWorldsOptions, fixtures: Fixtures): Promise<OpenedData> => {
  const { signingKey, seed, ids } = options;
  // With a seed, uuids and secrets continue from the seed state of the saved state.
  const pool = createMemoryWorldBytes(options.pooledBytes);
  const dataFrom = (state: SavedState): WorldData =>
    createMemoryWorldData(state, pool, seed === undefined ? ids : undefined);
  let data = dataFrom(await fixtures.own());
  return {
    data,
    replaceData: async (state, publish) => publish((data = dataFrom(state))),
    signingKey: signingKey === undefined ? generatedSigningKey(async () => {}) : existingSigningKey(signingKey),
    ...{ isNew: true, readiness: [] },
    health: memoryHealth(() => data.blobs),
    controlTokens: createMemoryControlTokens(),
    openArchiveStorage: archivesInPool(pool),
    end: () => Promise.resolve(),
    ...{ pool, endPool: () => pool.swept() },
  };
};

const onDisk = async (options: OpenWorldsOptions, directory: string, fixtures: Fixtures): Promise<OpenedData> => {
  const { durability, warn, ids, files, writes, compaction } = options;
  const { model, createFitJudge } = options.application.content;
  const journalOptions = { directory, model, durability, warn, files, writes, ...compaction };
  const journal = await openJournalEntityStore(journalOptions);
  let sweeper: BlobSweeper | undefined;
  try {
    // The bytes stay with the records when the name of the directory leads elsewhere one day.
    const held = journal.heldPath(directory);
    const currentStore = (): EntityStore => journal.store;
    const damaged = createDamagedFiles(currentStore, warn);
    const onDamage = (scheme: string, blob: BlobReference): void => void damaged.noteBlob(scheme, blob);
    const { instanceId } = journal;
    const requireHeld = (): Promise<void> => journal.requireHeld();
    const makeRoom = async (): Promise<void> => sweeper?.makeRoom();
    const uploads = createSemaphore(options.site.uploads.maxConcurrent);
    const blobs = await openStorages({ ...options, onDamage, requireHeld, makeRoom, uploads }, held, instanceId);
    const { freeBytes } = options.site.uploads;
    const pool = await openDiskWorldBytes({
      ...{ directory: held, freeBytes, uploads, requireHeld, maxBytes: options.pooledBytes },
    });
    if (journal.isNew) await fillNew(journal, await fixtures.ownContent(), blobs);
    sweeper = sweeperOf(model, journal, blobs);
    await sweepBlobs({ store: journal.store, storages: blobs, sweeper, directory, warn });
    const signingKey = await openSigningKey(options, journal.files, join(directory, 'jwt-key.pem'));
    const parts = { model, journal, blobs, sweeper, ids };
    const readers = openDiskReaders(options.site, held);
    const endVerifying = verifyInBackground({ currentStore, readers, onDamage: damaged.note });
    const fitJudge = createFitJudge?.({
      ...{ store: currentStore, files: journal.files, warn, isNew: journal.isNew },
      file: join(directory, 'judged-site.json'),
    });
    fitJudge?.judge(options.site);
    return {
      ...{ data: createDiskWorldData(parts), replaceData: replaceDataOnDisk(parts), isNew: journal.isNew, signingKey },
      readiness: [directoryReadiness(journal), ...bytesReadiness(blobs)],
      controlTokens: await openFileControlTokens(directory, journal.files),
      openArchiveStorage: openDiskArchiveStorage({ directory: join(directory, 'importing'), freeBytes, isOwn: true }),
      health: diskHealth({ journal, blobs, damaged, directory: held, floorBytes: freeBytes }),
      judge: fitJudge?.judge,
      end: async () => {
        await Promise.all([endVerifying(), fitJudge?.end()]);
      },
      ...{ pool, endPool: () => pool.close() },
    };
  } catch (error) {
    await journal.store.close();
    throw error;
  }
};

/** Bytes that a record has released stay as long as a kept generation of the records names them. */
const sweeperOf = (
  model: RecordModel,
  journal: JournalEntityStore,
  storages: ReadonlyMap<string, BlobStorage>,
): BlobSweeper => {
  const generations = {
    current: () => journal.statistics().generation,
    oldestKept: () => journal.statistics().oldestKept,
    isOutOfSpace: () => journal.isOutOfSpace(),
    compact: () => journal.compact(),
  };
  const sweeper = createBlobSweeper({ model, storages, freeze: () => journal.freeze(), generations });
  journal.onGenerationsDropped(() => sweeper.sweep());
  return sweeper;
};

const directoryReadiness = (journal: JournalEntityStore): CheckReadiness => ({
  name: 'directory',
  check: async () => {
    const isReady = await journal.holdsDirectory();
    const message = isReady ? 'The data directory is the one that was opened.' : 'The data directory is lost.';
    return { name: 'directory', isReady, message };
  },
});

/** One check for each scheme whose bytes are elsewhere. */
export const bytesReadiness = (storages: ReadonlyMap<string, BlobStorage>): readonly CheckReadiness[] =>
  [...storages].flatMap(([scheme, storage]) => {
    if (storage.reach === undefined) return [];
    const name = `bytes of ${scheme}`;
    const check = async () => {
      await storage.reach?.();
      return { name, isReady: true, message: 'The service answers.' };
    };
    return [{ name, check }];
  });
