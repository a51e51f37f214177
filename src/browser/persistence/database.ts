/** Opens the database of a repository in IndexedDB, and reads and writes it in whole transactions. */
import { randomUUID } from 'node:crypto';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { holdName, type Release } from './ownership.ts';
import { browserPlatform, type Platform } from './platform.ts';
import { outOfSpace, Problem, unavailable } from '../../openapi/openapi-terms.ts';

/**
 * `records` by key, `counters` by name, `blobs` (size and number of parts) by name, `parts` of blobs by name and number, `kept`:
 * other values that stay, `owner`: who may write.
 */
type StoreName = 'records' | 'counters' | 'blobs' | 'parts' | 'kept' | 'owner';

const storeNames: readonly StoreName[] = ['records', 'counters', 'blobs', 'parts', 'kept', 'owner'];

/**
 * Raise it when the stores change, and bring older ones up in `upgrade`. Version 2 has the same stores as 1, and records of collections
 * in them, which programs of version 1 would lose.
 */
export const schemaVersion = 2;

/** Asks for what is wanted and says how to read it, once the transaction is over. */
type Reading<T> = (store: (name: StoreName) => IDBObjectStore) => () => T;

/** Makes all changes of a transaction without waiting. */
type Writing = (store: (name: StoreName) => IDBObjectStore) => void;

export type Database = {
  /** What the caller named it. */
  readonly name: string;
  readonly platform: Platform;
  /** Reads in one transaction. Rejects with 503. */
  read<T>(stores: readonly StoreName[], reading: Reading<T>): Promise<T>;
  /**
   * Writes in one transaction, and resolves when it is on the disk. Rejects with a Problem (507 without space, otherwise 503),
   * and then nothing of it is stored. A tab or worker that no longer owns the database writes nothing.
   */
  write(stores: readonly StoreName[], writing: Writing): Promise<void>;
  /** Why nothing can be read or written any more. Undefined when all is well. */
  lost(): string | undefined;
  /** Ends the connection and lets others open the database. */
  close(): void;
};

/** The name in the browser, which no database of an application has. */
const nameInBrowser = (name: string): string => `atoll/${name}`;

/**
 * Opens a database, or makes it. Rejects with `ConfigurationError` when another tab or worker has it open, when a newer version
 * of Atoll has written it, and when the browser refuses.
 */
export const openDatabase = async (name: string, platform: Platform = browserPlatform()): Promise<Database> => {
  const factory = factoryOf(platform);
  const release = await holdOrRefuse(name, platform);
  try {
    const connection = await connect(factory, name);
    try {
      const owner = await claim(connection);
      return databaseOver(connection, { name, platform, owner, release });
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    release();
    throw error instanceof ConfigurationError ? error : cannotOpen(name, error);
  }
};

/** Removes a repository with all its bytes. A missing one is not an error. Rejects with `ConfigurationError` when it is in use. */
export const deleteDatabase = async (name: string, platform: Platform = browserPlatform()): Promise<void> => {
  const factory = factoryOf(platform);
  const release = await holdOrRefuse(name, platform);
  try {
    await new Promise<void>((resolve, reject) => {
      const request = factory.deleteDatabase(nameInBrowser(name));
      request.onsuccess = () => resolve();
      request.onblocked = () => reject(inUse(name));
      request.onerror = () => reject(cannotOpen(name, request.error));
    });
  } finally {
    release();
  }
};

const factoryOf = ({ factory }: Platform): IDBFactory => {
  if (factory !== undefined) return factory;
  throw new ConfigurationError('There is no IndexedDB here, so nothing can be kept. Leave out persist.');
};

const holdOrRefuse = async (name: string, platform: Platform): Promise<Release> => {
  const release = await holdName(nameInBrowser(name), platform).catch((error: unknown) => {
    throw cannotOpen(name, error);
  });
  if (release === undefined) throw inUse(name);
  return release;
};

const inUse = (name: string): ConfigurationError =>
  new ConfigurationError(
    `The repository "${name}" is open in another tab or worker of this browser. Close it there, or name another one.`,
  );

const cannotOpen = (name: string, cause: unknown): ConfigurationError =>
  new ConfigurationError(
    `The browser cannot open the repository "${name}" (${cause instanceof Error ? cause.message : String(cause)}).`,
    { cause },
  );

const connect = (factory: IDBFactory, name: string): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = factory.open(nameInBrowser(name), schemaVersion);
    request.onupgradeneeded = ({ oldVersion }) => upgrade(request.result, oldVersion);
    request.onblocked = () => reject(inUse(name));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () =>
      reject(request.error?.name === 'VersionError' ? isNewer(name) : cannotOpen(name, request.error));
  });

const isNewer = (name: string): ConfigurationError =>
  new ConfigurationError(
    `A newer version of Atoll has written the repository "${name}". Use that version, or delete the repository.`,
  );

const upgrade = (connection: IDBDatabase, from: number): void => {
  if (from < 1) for (const each of storeNames) connection.createObjectStore(each);
};

const ownerKey = 'owner';

/** From now on only this owner writes. Another one, whose lock was taken from it, is stopped by it. */
const claim = async (connection: IDBDatabase): Promise<string> => {
  const owner = randomUUID();
  const transaction = connection.transaction(['owner'], 'readwrite', { durability: 'strict' });
  transaction.objectStore('owner').put(owner, ownerKey);
  await ended(transaction);
  return owner;
};

const lostTo = {
  another: 'Another tab or worker has opened the repository. Nothing is written here any more.',
  browser: 'The browser has removed the repository, or closed it. Nothing is kept any more: load the page again.',
};

type Ownership = Pick<Database, 'name' | 'platform'> & { readonly owner: string; readonly release: Release };

const databaseOver = (connection: IDBDatabase, { name, platform, owner, release }: Ownership): Database => {
  let lost: string | undefined;
  let isClosed = false;
  const lose = (reason: string): void => {
    if (!isClosed) lost ??= reason;
    connection.close();
  };
  connection.onversionchange = () => lose(lostTo.browser);
  connection.onclose = () => lose(lostTo.browser);

  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    if (lost !== undefined) throw unavailable(lost);
    try {
      return await work();
    } catch (error) {
      throw storageProblem(error);
    }
  };
  const requireOwner = (found: unknown): void => {
    if (found === owner) return;
    lose(found === undefined ? lostTo.browser : lostTo.another);
    throw unavailable(lost ?? lostTo.another);
  };
  return {
    name,
    platform,
    read: (stores, reading) =>
      run(async () => {
        const transaction = connection.transaction(stores, 'readonly');
        const result = reading((each) => transaction.objectStore(each));
        await ended(transaction);
        return result();
      }),
    write: (stores, writing) =>
      run(async () => {
        const transaction = connection.transaction([...stores, 'owner'], 'readwrite', { durability: 'strict' });
        await ended(transaction, afterGet(transaction.objectStore('owner').get(ownerKey), requireOwner, writing));
      }),
    lost: () => lost,
    close: () => {
      isClosed = true;
      connection.close();
      release();
    },
  };
};

/** Looks at the owner first: the browser runs this transaction after that of any other owner. */
const afterGet =
  (request: IDBRequest<unknown>, check: (found: unknown) => void, writing: Writing) =>
  (transaction: IDBTransaction, fail: (error: unknown) => void): void => {
    request.onsuccess = () => {
      try {
        check(request.result);
        writing((each) => transaction.objectStore(each));
        transaction.commit();
      } catch (error) {
        fail(error);
        transaction.abort();
      }
    };
  };

/** Resolves when the transaction is durable. Rejects with the error of `begin`, or with that of the transaction. */
const ended = (
  transaction: IDBTransaction,
  begin?: (transaction: IDBTransaction, fail: (error: unknown) => void) => void,
): Promise<void> =>
  new Promise((resolve, reject) => {
    let failure: Error | undefined;
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => {
      reject(failure ?? transaction.error ?? new Error('The browser ended the transaction.'));
    };
    begin?.(transaction, (error) => {
      failure = error as Error; // the browser and this file throw nothing else
    });
  });

/** 507 when the quota is used up, 503 for any other failure. Returns a Problem unchanged. */
const storageProblem = (error: unknown): Problem => {
  if (error instanceof Problem) return error;
  const isFull = typeof error === 'object' && error !== null && 'name' in error && error.name === 'QuotaExceededError';
  return isFull ? outOfSpace(error) : unavailable('Writing is not possible at the moment.', error);
};
