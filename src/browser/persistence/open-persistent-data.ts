/** Opens the main world of a repository that stays in the browser, and fills a new one. */
import { recordModel, type Site } from '../../repository/repository.ts';
import { createBlobSweeper } from '../../storage/storage.ts';
import type { FixtureContent } from '../../server/server-application.ts';
import {
  fillNew,
  createDiskWorldData,
  replaceDataOnDisk,
  type HealthReason,
  blobKeyOf,
  filesWithBytes,
  type MainWorld,
} from '../../server/server-worlds.ts';
import { createWorldClock } from '../../server/server.ts';
import { existingSigningKey, generatedSigningKey, type SigningKeySource } from '../signing-key.ts';
import { openDatabase, type Database } from './database.ts';
import { openIndexedDbBlobStorage } from './indexed-db-blob-storage.ts';
import { openIndexedDbEntityStore, type IndexedDbEntityStore } from './indexed-db-entity-store.ts';
import type { Platform } from './platform.ts';
import type { Clock, Identifiers, BlobStorage } from '../../openapi/openapi-records.ts';
import { Problem } from '../../openapi/openapi-terms.ts';

type PersistentDataOptions = {
  /** Names the repository. Each origin has its own names. */
  readonly databaseName: string;
  readonly site: Site;
  /** The records of the site and of a fixture, and their bytes. Called for a new repository only. */
  readonly initial: () => Promise<FixtureContent>;
  readonly ids: Identifiers;
  /** The real time. */
  readonly clock: Clock;
  /** Gets the names of files that have no bytes, and of what was removed because no record names it. */
  readonly warn: (message: string) => void;
  /** What the page has. When left out: the browser's own. */
  readonly platform?: Platform | undefined;
};

export type PersistentData = {
  /** For `createWorlds`. A reset replaces everything stored by the fixture, durably. */
  readonly main: MainWorld;
  /** No record was ever written before, or the browser has removed them meanwhile. */
  readonly isNew: boolean;
  /** The key that signs tokens. It is made for the first token, and stays. */
  readonly signingKey: SigningKeySource;
  /** What is wrong now. Empty when all is well. */
  readonly health: () => Promise<readonly HealthReason[]>;
  /** Waits for open writes, and lets other tabs and workers open the repository. Close the worlds before. */
  close(): Promise<void>;
};

/**
 * Opens the repository of this name, or makes it. Rejects with `ConfigurationError` as `openDatabase`, and with a Problem when a
 * new one cannot be filled.
 */
export const openPersistentData = async (options: PersistentDataOptions): Promise<PersistentData> => {
  const { databaseName, site, clock, ids, warn } = options;
  const database = await openDatabase(databaseName, options.platform);
  try {
    const journal = await openIndexedDbEntityStore(database, recordModel);
    const { storage, isFull } = withFullness(await openIndexedDbBlobStorage(database));
    const blobs = new Map(site.storages.map(({ scheme }) => [scheme, storage]));
    if (journal.isNew) await fillNew(journal, await options.initial(), blobs);
    await sweep(journal, storage, warn);
    const sweeper = createBlobSweeper({ model: recordModel, storages: blobs, freeze: () => journal.freeze() });
    const parts = { model: recordModel, journal, blobs, sweeper, ids };
    return {
      main: {
        data: createDiskWorldData(parts),
        replaceData: replaceDataOnDisk(parts),
        clock: createWorldClock(clock),
        durability: 'full',
      },
      isNew: journal.isNew,
      signingKey: await openSigningKey(database),
      health: async () => healthOf(database, journal, isFull()),
      close: () => journal.store.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
};

/** Removes bytes that no record names: a page that ended between the two left them. */
const sweep = async (
  { store }: IndexedDbEntityStore,
  storage: BlobStorage,
  warn: (message: string) => void,
): Promise<void> => {
  const files = await filesWithBytes(store);
  const present = new Set(await storage.keys());
  for (const file of files) if (!present.has(blobKeyOf(file))) warn(`The bytes of file ${file.id} are missing.`);
  for (const file of files) present.delete(blobKeyOf(file));
  const removed = await storage.sweep(() => Promise.resolve(present));
  if (removed.length > 0) warn(`Removed ${removed.length} stored files that no record names.`);
};

/** Remembers whether the last body found no room. */
const withFullness = (storage: BlobStorage): { readonly storage: BlobStorage; readonly isFull: () => boolean } => {
  let isFull = false;
  const receive: BlobStorage['receive'] = async (source, options) => {
    try {
      const received = await storage.receive(source, options);
      isFull = false;
      return received;
    } catch (error) {
      isFull = error instanceof Problem && error.status === 507;
      throw error;
    }
  };
  return { storage: { ...storage, receive }, isFull: () => isFull };
};

const signingKeyName = 'signing-key';

/** The private half is kept as a JSON Web Key. Only pages of this origin can read it. */
const openSigningKey = async (database: Database): Promise<SigningKeySource> => {
  const jwk = await database.read(['kept'], (store) => {
    const found = store('kept').get(signingKeyName);
    return () => found.result as JsonWebKey | undefined; // this function wrote it
  });
  if (jwk !== undefined) return existingSigningKey(jwk);
  return generatedSigningKey((made) =>
    database.write(['kept'], (store) => {
      store('kept').put(made, signingKeyName);
    }),
  );
};

const healthOf = (database: Database, journal: IndexedDbEntityStore, areBlobsFull: boolean): HealthReason[] => {
  const lost = database.lost();
  if (lost !== undefined) return [{ code: 'directory_lost', message: lost }];
  if (areBlobsFull || journal.isOutOfSpace()) {
    return [{ code: 'disk_full', message: 'The browser gives no more space. What needs more is refused with 507.' }];
  }
  return journal.hasLastWriteFailed() ? [{ code: 'write_failed', message: 'The last write failed.' }] : [];
};
