/** Opens a world: its records and bytes, on disk or in memory, filled with the site and a fixture when it is new. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccess } from './access/create-access.ts';
import { generatedSigningKey, givenSigningKey, type SigningKeySource } from './access/signing-key.ts';
import { firstValue, textOf, type Entity } from './content/entity.ts';
import type { Clock, Identifiers } from './content/given.ts';
import { indexKeys } from './content/index-keys.ts';
import { Repository, schemeOf } from './content/repository.ts';
import { seedEntities } from './site/seed.ts';
import type { Site } from './site/site.ts';
import type { BlobStorage } from './storage/blob-storage.ts';
import { openDiskBlobStorage } from './storage/disk-blob-storage.ts';
import type { EntityStore } from './storage/entity-store.ts';
import { exportBlobs, readExport } from './storage/export-directory.ts';
import type { Durability } from './storage/files.ts';
import { openJournalEntityStore } from './storage/journal-entity-store.ts';
import { createMemoryBlobStorage } from './storage/memory-blob-storage.ts';
import { createMemoryEntityStore, type Seed } from './storage/memory-entity-store.ts';
import type { World } from './world.ts';

export type WorldOptions = {
  readonly site: Site;
  readonly baseUrl: string;
  /** The data directory; nothing is written to disk without one. */
  readonly data: string | undefined;
  /** The directory of the fixture that fills a new repository. */
  readonly fixture: string;
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
  const access = createAccess({ site, store, clock, ids, baseUrl, basePath: '', signingKey });
  const readIcon = (name: string): Promise<Uint8Array> => readFile(join(site.iconDirectory, name));
  const repository = new Repository({ site, store, blobs, clock, ids, readIcon });
  return {
    world: {
      name: 'main',
      baseUrl,
      basePath: '',
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
  const { durability, ids, warn } = options;
  const opened = await openJournalEntityStore({ directory, indexes: indexKeys, durability, warn });
  try {
    const blobs = new Map<string, BlobStorage>();
    for (const { scheme } of options.site.storages) {
      const place = join(directory, 'blobs', scheme);
      blobs.set(scheme, await openDiskBlobStorage({ directory: place, durability, newName: () => ids.uuid() }));
    }
    if (opened.isNew) {
      const seed = await seedOf(options);
      const entities = await Promise.all(
        [...seed.entities].map((entity) => withOwnBytes(entity, options.fixture, blobs)),
      );
      await opened.seed(entities, seed.counters);
    }
    await sweep(opened.store, blobs, warn);
    const signingKey = await keyOf(options, join(directory, 'jwt-key.pem'));
    return { store: opened.store, blobs, isNew: opened.isNew, signingKey };
  } catch (error) {
    await opened.store.close();
    throw error;
  }
};

/** The site's terms and accounts, and over them the fixture's records. */
const seedOf = async ({ site, fixture }: WorldOptions): Promise<Seed> => {
  const filled = await readExport(fixture);
  return { entities: [...seedEntities(site), ...filled.entities], counters: filled.counters };
};

/** A fixture's file with its bytes copied into the repository's own storage. */
const withOwnBytes = async (
  entity: Entity,
  fixture: string,
  blobs: ReadonlyMap<string, BlobStorage>,
): Promise<Entity> => {
  if (entity.blob === undefined) return entity;
  const source = await exportBlobs(fixture).open(entity.blob);
  const target = blobs.get(schemeOf(entity));
  const uri = textOf(firstValue(entity, 'uri'));
  if (source === undefined || target === undefined) throw new Error(`${fixture}: the bytes of ${uri} are missing.`);
  const received = await target.receive(source, { maxBytes: entity.blob.size });
  return { ...entity, blob: { ...entity.blob, ...(await received.keep()) } };
};

const pageSize = 1000;

/** Bytes that no record names are left over from a crash between the bytes and their record (house 1.11). */
const sweep = async (
  store: EntityStore,
  blobs: ReadonlyMap<string, BlobStorage>,
  warn: (message: string) => void,
): Promise<void> => {
  const named = new Set<string>();
  for (let offset = 0; ; offset += pageSize) {
    const { entities } = await store.list('file', { offset, limit: pageSize });
    for (const file of entities) if (file.blob !== undefined) named.add(`${schemeOf(file)} ${file.blob.key}`);
    if (entities.length < pageSize) break;
  }
  for (const [scheme, storage] of blobs) {
    const orphans = (await storage.keys()).filter((key) => !named.has(`${scheme} ${key}`));
    for (const key of orphans) await storage.remove(key);
    if (orphans.length > 0) warn(`Removed ${orphans.length} stored files of ${scheme}:// that no record names.`);
  }
};

const keyOf = async (options: WorldOptions, file: string): Promise<SigningKeySource> => {
  if (options.signingKey !== undefined) return givenSigningKey(options.signingKey);
  const pem = await readFile(file, 'utf8').catch(() => undefined);
  if (pem !== undefined) return givenSigningKey(pem);
  return generatedSigningKey((made) => writeFile(file, made, { mode: 0o600, flush: true, flag: 'wx' }));
};
