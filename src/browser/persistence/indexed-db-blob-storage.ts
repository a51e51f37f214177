/**
 * The blob storage in IndexedDB: each blob is a list of parts, each of them a Blob that the browser keeps on the disk.
 *
 * Not in the file system of the origin (OPFS): that has no transaction with the records, no promise of durability, and in Safari
 * it could for years only be written in workers. A database is one name, one quota and one thing to delete.
 */
import { randomUUID } from 'node:crypto';
import { type Arrivals, createArrivals, receiveBody } from '../../storage/storage-driver.ts';
import { openHeld } from '../held-blobs.ts';
import type { Database } from './database.ts';
import type { BlobReference, BlobStorage, ReceivedBlob, ReceiveOptions } from '../../openapi/openapi-records.ts';
import { outOfSpace } from '../../openapi/openapi-terms.ts';

/** A record of the store `blobs`. A blob without such a record is not kept yet. */
type KeptBlob = { readonly size: number; readonly sha256: string; readonly parts: number };

type BlobStorageOptions = {
  /** How many bytes of an arriving body are in memory at most, apart from one chunk; 4 MiB. */
  readonly partBytes?: number | undefined;
};

/** Opens a storage, and removes what an earlier page left of unfinished uploads. Rejects with 503. */
export const openIndexedDbBlobStorage = async (
  database: Database,
  { partBytes = 4 * 1024 * 1024 }: BlobStorageOptions = {},
): Promise<BlobStorage> => {
  await removeUnfinished(database);
  const arrivals = createArrivals(async (key) => {
    const kept = await keptBlob(database, key);
    if (kept !== undefined) await removeBlob(database, key, kept.parts);
  });
  return {
    receive: (source, options) => receive({ database, partBytes, arrivals }, source, options),
    open: async ({ key, size }, range) => {
      const bytes = await bytesOf(database, key, size);
      return bytes && openHeld(bytes, range);
    },
    sweep: arrivals.sweep,
    keys: () =>
      database.read(['blobs'], (store) => {
        const keys = store('blobs').getAllKeys();
        return () => keys.result.map(String).sort();
      }),
  };
};

const keptBlob = (database: Database, key: string): Promise<KeptBlob | undefined> =>
  database.read(['blobs'], (store) => {
    const found = store('blobs').get(key);
    return () => found.result as KeptBlob | undefined; // `receive` wrote it
  });

/** All bytes of a blob, which the browser reads when they are needed. Undefined when they are missing or of another size. */
const bytesOf = async (database: Database, key: string, size: number): Promise<Blob | undefined> => {
  const kept = await keptBlob(database, key);
  if (kept?.size !== size) return undefined;
  const parts = await database.read(['parts'], (store) => {
    const found = Array.from({ length: kept.parts }, (_, at) => store('parts').get([key, at]));
    return () => found.map(({ result }) => result as Blob | undefined); // `receive` wrote it
  });
  const present = parts.filter((part) => part !== undefined);
  const whole = new Blob(present);
  return whole.size === size ? whole : undefined;
};

const removeBlob = (database: Database, key: string, parts: number): Promise<void> =>
  database.write(['blobs', 'parts'], (store) => {
    store('blobs').delete(key);
    for (let at = 0; at < parts; at++) store('parts').delete([key, at]);
  });

type Storage = { readonly database: Database; readonly partBytes: number; readonly arrivals: Arrivals };

const receive = async (
  { database, partBytes, arrivals }: Storage,
  source: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
): Promise<ReceivedBlob> => {
  await requireRoom(database, options.expectedBytes ?? 0);
  const key = randomUUID();
  const parts = createParts(database, key, partBytes);
  const discard = (): Promise<void> => removeBlob(database, key, parts.count());
  try {
    const received = await receiveBody(source, options, parts.add);
    await parts.flush();
    const { size, sha256 } = received;
    let isKept = false;
    return {
      ...received,
      settle: () => arrivals.settle(key),
      discard: () => (isKept ? arrivals.giveUp(key) : discard()),
      keep: async (): Promise<BlobReference> => {
        const kept: KeptBlob = { size, sha256, parts: parts.count() };
        await arrivals.begin(key, () => false);
        try {
          await database.write(['blobs'], (store) => {
            store('blobs').put(kept, key);
          });
        } catch (error) {
          arrivals.settle(key);
          await discard().catch(() => undefined);
          throw error;
        }
        isKept = true;
        return { key, size, sha256 };
      },
    };
  } catch (error) {
    // The next start removes what cannot be removed now.
    await discard().catch(() => undefined);
    throw error;
  }
};

/** Collects chunks, and writes them as a part when there are enough of them. */
const createParts = (database: Database, key: string, partBytes: number) => {
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let count = 0;
  const flush = async (): Promise<void> => {
    if (bytes === 0) return;
    const part = new Blob(chunks);
    chunks = [];
    bytes = 0;
    const at = count;
    count += 1;
    await database.write(['parts'], (store) => {
      store('parts').put(part, [key, at]);
    });
  };
  return {
    add: async (chunk: Uint8Array): Promise<void> => {
      // A copy: the source may use the memory again before the part is made.
      chunks.push(new Uint8Array(chunk));
      bytes += chunk.byteLength;
      if (bytes >= partBytes) await flush();
    },
    flush,
    /** The number of parts, with one that could not be written. */
    count: () => count,
  };
};

/** Refuses a body with 507 when the browser says that it has no room for it. Small ones find out when they are written. */
const requireRoom = async ({ platform }: Database, expectedBytes: number): Promise<void> => {
  if (expectedBytes < 1024 * 1024) return;
  const room = await platform.storage?.estimate?.().catch(() => undefined);
  if (room?.quota === undefined || room.usage === undefined) return;
  if (room.quota - room.usage < expectedBytes) throw outOfSpace();
};

const removeUnfinished = async (database: Database): Promise<void> => {
  const { kept, parts } = await database.read(['blobs', 'parts'], (store) => {
    const names = store('blobs').getAllKeys();
    const found = store('parts').getAllKeys();
    return () => ({ kept: new Set(names.result.map(String)), parts: found.result as [string, number][] }); // as `receive` wrote them
  });
  const unfinished = parts.filter(([key]) => !kept.has(key));
  if (unfinished.length === 0) return;
  await database.write(['parts'], (store) => {
    for (const each of unfinished) store('parts').delete(each);
  });
};
