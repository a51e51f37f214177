/** Opens a world: its records and bytes, on disk or in memory, filled with the site and a fixture when it is new. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccess } from './access/create-access.ts';
import { generatedSigningKey, givenSigningKey, type SigningKeySource } from './access/signing-key.ts';
import type { Clock, Identifiers } from './content/given.ts';
import { indexKeys } from './content/index-keys.ts';
import { Repository } from './content/repository.ts';
import { withOwnBytes } from './fill-repository.ts';
import { seedEntities } from './site/seed.ts';
import type { S3Place, Site } from './site/site.ts';
import type { BlobStorage } from './storage/blob-storage.ts';
import { openDiskBlobStorage } from './storage/disk-blob-storage.ts';
import type { EntityStore } from './storage/entity-store.ts';
import { exportBlobs, readExport } from './storage/export-directory.ts';
import { diskFiles, writeWhole, type Durability } from './storage/files.ts';
import { openJournalEntityStore } from './storage/journal-entity-store.ts';
import { freeSpaceAbove } from './storage/free-space.ts';
import { createMemoryBlobStorage } from './storage/memory-blob-storage.ts';
import { createMemoryEntityStore, type Seed } from './storage/memory-entity-store.ts';
import { openS3BlobStorage } from './storage/s3-blob-storage.ts';
import { createUploadTurns, withTurns } from './storage/upload-turns.ts';
import { ownPlace } from './stored-blobs.ts';
import { blobDirectory, releasedByGeneration, sweepBlobs } from './sweep-blobs.ts';
import type { World } from './world.ts';

export type WorldOptions = {
  readonly site: Site;
  readonly baseUrl: string;
  /** The data directory; nothing is written to disk without one. */
  readonly data: string | undefined;
  /** The directory of the fixture that fills a new repository. */
  readonly fixture: string;
  /** The fixture's records, when they have been read already. */
  readonly records?: Seed | undefined;
  readonly durability: Durability;
  readonly clock: Clock;
  readonly ids: Identifiers;
  /** A PEM that tokens are signed with, instead of the data directory's own. */
  readonly signingKey?: string | undefined;
  readonly warn: (message: string) => void;
};

export type OpenedWorld = {
  readonly world: World;
  readonly isNew: boolean;
  /** The key for tokens, made now if there is none yet. */
  readonly warmSigningKey: () => Promise<unknown>;
  close(): Promise<void>;
};

/** Opens the main world. Rejects with the codes of the storage room, or of a fixture that cannot be read. */
export const openWorld = async (options: WorldOptions): Promise<OpenedWorld> => {
  const { site, baseUrl, clock, ids } = options;
  const state = options.data === undefined ? await inMemory(options) : await onDisk(options, options.data);
  const { store, blobs, signingKey } = state;
  const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
  const access = createAccess({ site, store, clock, ids, baseUrl, basePath, signingKey });
  const readIcon = (name: string): Promise<Uint8Array> => readFile(join(site.iconDirectory, name));
  const repository = new Repository({ site, store, blobs, clock, ids, readIcon });
  return {
    world: {
      name: 'main',
      baseUrl,
      basePath,
      durability: options.data === undefined ? 'memory' : options.durability,
      site,
      store,
      blobs,
      clock,
      ids,
      access,
      repository,
    },
    isNew: state.isNew,
    warmSigningKey: signingKey,
    close: () => store.close(),
  };
};

type State = {
  readonly store: EntityStore;
  readonly blobs: ReadonlyMap<string, BlobStorage>;
  readonly signingKey: SigningKeySource;
  readonly isNew: boolean;
};

const inMemory = async (options: WorldOptions): Promise<State> => {
  const seed = await seedOf(options);
  // All schemes share one allowance of memory and one fixture below it.
  const storage = createMemoryBlobStorage({ base: exportBlobs(options.fixture) });
  return {
    store: createMemoryEntityStore({ indexes: indexKeys, seed }),
    blobs: new Map(options.site.storages.map(({ scheme }) => [scheme, storage])),
    signingKey:
      options.signingKey === undefined ? generatedSigningKey(async () => {}) : givenSigningKey(options.signingKey),
    isNew: true,
  };
};

const onDisk = async (options: WorldOptions, directory: string): Promise<State> => {
  const { durability, warn } = options;
  const opened = await openJournalEntityStore({ directory, indexes: indexKeys, durability, warn });
  try {
    const storages = await openStorages(options, directory, opened.instanceId);
    if (opened.isNew) {
      const seed = await withOwnBytes(await seedOf(options), options.fixture, storages);
      await opened.seed(seed.entities, seed.counters);
    }
    const blobs = releasedByGeneration(opened, storages, directory);
    await sweepBlobs({ store: opened.store, storages, released: blobs, directory, warn });
    const signingKey = await keyOf(options, join(directory, 'jwt-key.pem'));
    return { store: opened.store, blobs, isNew: opened.isNew, signingKey };
  } catch (error) {
    await opened.store.close();
    throw error;
  }
};

/** One storage for each scheme, where its mount says: on the disk, or in a bucket. Uploads take turns over all of them. */
export const openStorages = async (
  { site, durability, ids }: Pick<WorldOptions, 'site' | 'durability' | 'ids'>,
  directory: string,
  instance: string,
): Promise<ReadonlyMap<string, BlobStorage>> => {
  const newName = (): string => ids.uuid();
  const space = freeSpaceAbove(site.uploads.freeBytes);
  const turns = createUploadTurns(site.uploads.atOnce);
  const blobs = new Map<string, BlobStorage>();
  for (const { scheme, s3 } of site.storages) {
    const place = blobDirectory(directory, scheme);
    const storage =
      s3 === undefined
        ? await openDiskBlobStorage({ directory: place, durability, newName, space })
        : await openBucket(ownPlace(s3, instance), newName);
    blobs.set(scheme, withTurns(storage, turns));
  }
  return blobs;
};

const openBucket = async (place: S3Place, newName: () => string): Promise<BlobStorage> => {
  const storage = await openS3BlobStorage({ place, newName });
  // A service that cannot be reached stops no start; the sweep that follows tells of it.
  await storage.abortUnfinished().catch(() => undefined);
  return storage;
};

/** The site's terms and accounts, and over them the fixture's records. */
const seedOf = async ({ site, fixture, records }: WorldOptions): Promise<Seed> => {
  const filled = records ?? (await readExport(fixture));
  return { entities: [...seedEntities(site), ...filled.entities], counters: filled.counters };
};

const keyOf = async (options: WorldOptions, file: string): Promise<SigningKeySource> => {
  if (options.signingKey !== undefined) return givenSigningKey(options.signingKey);
  const pem = await readFile(file, 'utf8').catch(() => undefined);
  if (pem !== undefined) return givenSigningKey(pem);
  // Whole or not at all: a start that is killed here must not leave half a key for the next one.
  return generatedSigningKey((made) => writeWhole(diskFiles('full'), file, made));
};
