/** Opens the main world on disk or in memory, and fills a new one with the site and a fixture. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generatedSigningKey, existingSigningKey, type SigningKeySource } from '../access/signing-key.ts';
import type { Clock, Identifiers } from '../model/clock.ts';
import { indexKeys } from '../content/index-keys.ts';
import { createWorldClock } from './world-clock.ts';
import { createMemoryWorldData, type WorldData } from './world-data.ts';
import type { SavedState } from './saved-state.ts';
import type { SiteSettings } from './named-world.ts';
import type { WorldSettings } from './world-view.ts';
import { createWorlds, type MainWorld, type Worlds, type WorldsOptions } from './worlds.ts';
import { createDiskWorldData, replaceDataOnDisk } from './disk-world-data.ts';
import { copyBlobs } from './copy-blobs.ts';
import { createFixtures, type FixtureOptions, type Fixtures } from './fixtures.ts';
import type { S3Location, Site } from '../site/site.ts';
import type { BlobStorage } from '../model/blob-storage.ts';
import { openDiskBlobStorage } from '../storage/blobs/disk-blob-storage.ts';
import { exportBlobs } from '../storage/export/export-directory.ts';
import { diskFiles, writeWhole, type Durability, type Files } from '../storage/files.ts';
import { openJournalEntityStore } from '../storage/journal/journal-entity-store.ts';
import { freeSpaceAbove } from '../storage/blobs/free-space.ts';
import { withPins } from '../storage/blobs/pinned-blobs.ts';
import { openS3BlobStorage } from '../storage/blobs/s3-blob-storage.ts';
import { withUploadQueue } from '../storage/blobs/upload-queue.ts';
import { createSemaphore } from '../storage/semaphore.ts';
import { withInstancePrefix } from './blob-readers.ts';
import { blobDirectory, withDelayedRemoval, sweepBlobs } from './sweep-blobs.ts';
import type { World } from '../world.ts';

export type OpenWorldsOptions = FixtureOptions & {
  readonly baseUrl: string;
  /** The data directory. Without one nothing is written to disk. */
  readonly data: string | undefined;
  readonly durability: Durability;
  readonly clock: Clock;
  readonly ids: Identifiers;
  /** A PEM to sign tokens with, instead of the data directory's own key. */
  readonly signingKey?: string | undefined;
  /** See `WorldsOptions.schedule`. When left out: a timer that does not keep the process alive. */
  readonly schedule?: WorldsOptions['schedule'] | undefined;
  /** The interceptors of each world, outermost first. */
  readonly intercept?: WorldsOptions['intercept'];
  readonly warn: (message: string) => void;
  /** A file system for tests in which the disk fails. */
  readonly files?: Files | undefined;
};

export type OpenedWorlds = {
  /** The first view of the main world. */
  readonly world: World;
  readonly worlds: Worlds;
  readonly isNew: boolean;
  /** Makes the signing key if there is none yet. */
  readonly warmSigningKey: () => Promise<unknown>;
  /** All worlds continue with another site, which must have the same storages. Stored data stay. */
  useSite(site: Site): void;
  close(): Promise<void>;
};

/** Rejects with an error of `src/storage`, or of a fixture that cannot be read. */
export const openWorlds = async (options: OpenWorldsOptions): Promise<OpenedWorlds> => {
  const { site, baseUrl, clock, data } = options;
  let fixtures = createFixtures(options);
  const opened = data === undefined ? await inMemory(options, fixtures) : await onDisk(options, data, fixtures);
  const { signingKey, replaceData } = opened;
  const durability = data === undefined ? 'memory' : options.durability;
  const worlds = createWorlds({
    main: { data: opened.data, replaceData, clock: createWorldClock(clock), durability },
    settings: { ...siteSettingsOf(site), signingKey },
    baseUrl,
    fixture: (name) => fixtures.named(name),
    clock,
    schedule: options.schedule ?? unrefTimer,
    intercept: options.intercept,
  });
  return {
    world: worlds.main.world,
    worlds,
    isNew: opened.isNew,
    warmSigningKey: signingKey,
    useSite: (next) => {
      fixtures = createFixtures({ ...options, site: next });
      worlds.useSite(siteSettingsOf(next));
    },
    close: async () => {
      const { store } = worlds.main.world;
      worlds.close();
      await store.close();
    },
  };
};

const siteSettingsOf = (site: Site): SiteSettings => ({
  site,
  readIcon: (name) => readFile(join(site.iconDirectory, name)),
});

const unrefTimer = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

type OpenedData = Pick<MainWorld, 'data' | 'replaceData'> &
  Pick<OpenedWorlds, 'isNew'> &
  Pick<WorldSettings, 'signingKey'>;

const inMemory = async (options: OpenWorldsOptions, fixtures: Fixtures): Promise<OpenedData> => {
  const { signingKey, seed, ids } = options;
  // With a seed, the state's own seed state applies.
  const dataFrom = (state: SavedState): WorldData => createMemoryWorldData(state, seed === undefined ? ids : undefined);
  return {
    data: dataFrom(await fixtures.own()),
    replaceData: async (state, publish) => publish(dataFrom(state)),
    signingKey: signingKey === undefined ? generatedSigningKey(async () => {}) : existingSigningKey(signingKey),
    isNew: true,
  };
};

const onDisk = async (options: OpenWorldsOptions, directory: string, fixtures: Fixtures): Promise<OpenedData> => {
  const { durability, warn, ids, files } = options;
  const journal = await openJournalEntityStore({ directory, indexes: indexKeys, durability, warn, files });
  try {
    const storages = await openStorages(options, directory, journal.instanceId);
    if (journal.isNew) {
      const source = exportBlobs(options.fixture);
      const seed = await copyBlobs(await fixtures.seed(), () => source, storages);
      await journal.seed(seed.entities, seed.counters);
    }
    const delayed = withDelayedRemoval(journal, storages, directory);
    await sweepBlobs({ store: journal.store, storages, delayed, directory, warn });
    const signingKey = await openSigningKey(options, join(directory, 'jwt-key.pem'));
    const blobs = new Map([...delayed].map(([scheme, storage]) => [scheme, withPins(storage)]));
    const parts = { journal, blobs, storages, ids };
    const { isNew } = journal;
    return { data: createDiskWorldData(parts), replaceData: replaceDataOnDisk(parts), isNew, signingKey };
  } catch (error) {
    await journal.store.close();
    throw error;
  }
};

/** One storage for each scheme, on disk or in a bucket as its mount says. All of them share one upload queue. */
export const openStorages = async (
  { site, durability, ids }: Pick<OpenWorldsOptions, 'site' | 'durability' | 'ids'>,
  directory: string,
  instance: string,
): Promise<ReadonlyMap<string, BlobStorage>> => {
  const newName = (): string => ids.uuid();
  const space = freeSpaceAbove(site.uploads.freeBytes);
  const uploads = createSemaphore(site.uploads.atOnce);
  const blobs = new Map<string, BlobStorage>();
  for (const { scheme, s3 } of site.storages) {
    const storage =
      s3 === undefined
        ? await openDiskBlobStorage({ directory: blobDirectory(directory, scheme), durability, newName, space })
        : await openBucket(withInstancePrefix(s3, instance), newName);
    blobs.set(scheme, withUploadQueue(storage, uploads));
  }
  return blobs;
};

const openBucket = async (location: S3Location, newName: () => string): Promise<BlobStorage> => {
  const storage = await openS3BlobStorage({ location, newName });
  // The server starts even when the service is unreachable. `sweepBlobs` logs a warning then.
  await storage.abortUnfinished().catch(() => undefined);
  return storage;
};

const openSigningKey = async (options: OpenWorldsOptions, file: string): Promise<SigningKeySource> => {
  if (options.signingKey !== undefined) return existingSigningKey(options.signingKey);
  const pem = await readFile(file, 'utf8').catch(() => undefined);
  if (pem !== undefined) return existingSigningKey(pem);
  // Atomic: a start that is killed here must not leave half a key.
  return generatedSigningKey(async (made) => {
    await writeWhole(diskFiles('full'), file, made);
  });
};
