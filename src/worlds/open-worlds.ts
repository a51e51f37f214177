/** Opens the main world: its records and bytes, on disk or in memory, filled with the site and a fixture when it is new. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generatedSigningKey, givenSigningKey, type SigningKeySource } from '../access/signing-key.ts';
import type { Clock, Identifiers } from '../model/clock.ts';
import { indexKeys } from '../content/index-keys.ts';
import { createWorldClock } from './world-clock.ts';
import { createMemoryWorldData, type WorldData } from './world-data.ts';
import type { SavedState } from './saved-state.ts';
import type { SiteSettings } from './named-world.ts';
import { createWorlds, type MainWorld, type Worlds, type WorldsOptions } from './worlds.ts';
import { createDiskWorldData, replacementOnDisk } from './disk-world-data.ts';
import { withOwnBytes } from './fill-repository.ts';
import { createFixtures, type Fixtures } from './fixtures.ts';
import type { S3Place, Site } from '../site/site.ts';
import type { BlobStorage } from '../model/blob-storage.ts';
import { openDiskBlobStorage } from '../storage/blobs/disk-blob-storage.ts';
import { exportBlobs } from '../storage/export/export-directory.ts';
import { diskFiles, writeWhole, type Durability, type Files } from '../storage/files.ts';
import { openJournalEntityStore } from '../storage/journal/journal-entity-store.ts';
import { freeSpaceAbove } from '../storage/blobs/free-space.ts';
import type { Seed } from '../storage/memory-entity-store.ts';
import { withPins } from '../storage/blobs/pinned-blobs.ts';
import { openS3BlobStorage } from '../storage/blobs/s3-blob-storage.ts';
import { createUploadQueue, withUploadQueue } from '../storage/blobs/upload-queue.ts';
import { ownPlace } from './stored-blobs.ts';
import { blobDirectory, releasedByGeneration, sweepBlobs } from './sweep-blobs.ts';
import type { World } from '../world.ts';

export type OpenWorldsOptions = {
  readonly site: Site;
  readonly baseUrl: string;
  /** The data directory; nothing is written to disk without one. */
  readonly data: string | undefined;
  /** The directory of the fixture that fills a new repository, and that resets go back to. */
  readonly fixture: string;
  /** The fixture's records, when they have been read already. */
  readonly records?: Seed | undefined;
  /** The directory of a fixture that a world may be made from, by its name; undefined when there is none. */
  readonly fixtureNamed?: ((name: string) => Promise<string | undefined>) | undefined;
  readonly durability: Durability;
  readonly clock: Clock;
  readonly ids: Identifiers;
  /** Uuids and secrets of worlds in memory are drawn from it; forks draw from their fixture when it is left out. */
  readonly seed?: string | undefined;
  /** A PEM that tokens are signed with, instead of the data directory's own. */
  readonly signingKey?: string | undefined;
  /** Runs something later; the result prevents it. A timer that keeps no process alive when left out. */
  readonly after?: WorldsOptions['after'] | undefined;
  /** What lies around each world's repository, outermost first. */
  readonly intercept?: WorldsOptions['intercept'];
  readonly warn: (message: string) => void;
  /** For tests that let the disk fail. */
  readonly files?: Files | undefined;
};

export type OpenedWorlds = {
  /** The main world as it stands at first. */
  readonly world: World;
  readonly worlds: Worlds;
  readonly isNew: boolean;
  /** The key for tokens, made now if there is none yet. */
  readonly warmSigningKey: () => Promise<unknown>;
  /** Every world goes on with another site, whose storages are those of this one; what is stored stays. */
  adopt(site: Site): void;
  close(): Promise<void>;
};

/** Opens the main world, and with it the place of all others. Rejects with the codes of the storage room, or of a fixture that cannot be read. */
export const openWorlds = async (options: OpenWorldsOptions): Promise<OpenedWorlds> => {
  const { site, baseUrl, clock, data } = options;
  let fixtures = createFixtures(options);
  const opened = data === undefined ? await inMemory(options, fixtures) : await onDisk(options, data, fixtures);
  const { life, renew, signingKey } = opened;
  const worlds = createWorlds({
    main: {
      ...{ life, renew, clock: createWorldClock(clock) },
      durability: data === undefined ? 'memory' : options.durability,
    },
    setting: { ...settingOf(site), signingKey },
    baseUrl,
    fixture: (name) => fixtures.named(name),
    clock,
    after: options.after ?? afterQuietly,
    intercept: options.intercept,
  });
  return {
    world: worlds.main.world,
    worlds,
    isNew: opened.isNew,
    warmSigningKey: signingKey,
    adopt: (next) => {
      fixtures = createFixtures({ ...options, site: next });
      worlds.adopt(settingOf(next));
    },
    close: async () => {
      const { store } = worlds.main.world;
      worlds.close();
      await store.close();
    },
  };
};

const settingOf = (site: Site): SiteSettings => ({
  site,
  readIcon: (name) => readFile(join(site.iconDirectory, name)),
});

/** A timer that keeps no process alive. */
const afterQuietly = (ms: number, run: () => void): (() => void) => {
  const timer = setTimeout(run, ms).unref();
  return () => clearTimeout(timer);
};

type OpenedLife = {
  readonly life: WorldData;
  readonly renew: MainWorld['renew'];
  readonly signingKey: SigningKeySource;
  readonly isNew: boolean;
};

const inMemory = async (options: OpenWorldsOptions, fixtures: Fixtures): Promise<OpenedLife> => {
  const { signingKey, seed, ids } = options;
  // Where a seed is given the state stands at it.
  const live = (state: SavedState): WorldData => createMemoryWorldData(state, ...(seed === undefined ? [ids] : []));
  return {
    life: live(await fixtures.own()),
    renew: async (state, begin) => begin(live(state)),
    signingKey: signingKey === undefined ? generatedSigningKey(async () => {}) : givenSigningKey(signingKey),
    isNew: true,
  };
};

const onDisk = async (options: OpenWorldsOptions, directory: string, fixtures: Fixtures): Promise<OpenedLife> => {
  const { durability, warn, ids, files } = options;
  const journal = await openJournalEntityStore({ directory, indexes: indexKeys, durability, warn, files });
  try {
    const storages = await openStorages(options, directory, journal.instanceId);
    if (journal.isNew) {
      const source = exportBlobs(options.fixture);
      const seed = await withOwnBytes(await fixtures.seed(), () => source, storages);
      await journal.seed(seed.entities, seed.counters);
    }
    const released = releasedByGeneration(journal, storages, directory);
    await sweepBlobs({ store: journal.store, storages, released, directory, warn });
    const signingKey = await keyOf(options, join(directory, 'jwt-key.pem'));
    const blobs = new Map([...released].map(([scheme, storage]) => [scheme, withPins(storage)]));
    const parts = { journal, blobs, storages, ids };
    return {
      life: createDiskWorldData(parts),
      renew: replacementOnDisk(parts),
      isNew: journal.isNew,
      signingKey,
    };
  } catch (error) {
    await journal.store.close();
    throw error;
  }
};

/** One storage for each scheme, where its mount says: on the disk, or in a bucket. Uploads take turns over all of them. */
export const openStorages = async (
  { site, durability, ids }: Pick<OpenWorldsOptions, 'site' | 'durability' | 'ids'>,
  directory: string,
  instance: string,
): Promise<ReadonlyMap<string, BlobStorage>> => {
  const newName = (): string => ids.uuid();
  const space = freeSpaceAbove(site.uploads.freeBytes);
  const turns = createUploadQueue(site.uploads.atOnce);
  const blobs = new Map<string, BlobStorage>();
  for (const { scheme, s3 } of site.storages) {
    const place = blobDirectory(directory, scheme);
    const storage =
      s3 === undefined
        ? await openDiskBlobStorage({ directory: place, durability, newName, space })
        : await openBucket(ownPlace(s3, instance), newName);
    blobs.set(scheme, withUploadQueue(storage, turns));
  }
  return blobs;
};

const openBucket = async (place: S3Place, newName: () => string): Promise<BlobStorage> => {
  const storage = await openS3BlobStorage({ place, newName });
  // A service that cannot be reached stops no start; the sweep that follows tells of it.
  await storage.abortUnfinished().catch(() => undefined);
  return storage;
};

const keyOf = async (options: OpenWorldsOptions, file: string): Promise<SigningKeySource> => {
  if (options.signingKey !== undefined) return givenSigningKey(options.signingKey);
  const pem = await readFile(file, 'utf8').catch(() => undefined);
  if (pem !== undefined) return givenSigningKey(pem);
  // Whole or not at all: a start that is killed here must not leave half a key for the next one.
  return generatedSigningKey((made) => writeWhole(diskFiles('full'), file, made));
};
