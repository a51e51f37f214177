/** Removes bytes that no record of a living layer names. */
import { isSomebodyWriting } from '../lease.ts';
import type { Queries } from '../postgres/database.ts';
import { type BlobStorage, type Clock, type Entity, schemeOf } from '../../openapi/openapi-records.ts';

/**
 * For how long nothing may have named a layer or bytes before they are removed, in milliseconds: a request in progress may still read
 * a layer that a merge has replaced.
 */
export const graceMs = 600_000;

/** Remembers since when something was not needed. */
type Seen<Key> = {
  /** Those of `unneeded` that were in it for the whole grace time. The others are forgotten when they are not in it. */
  longAgo(unneeded: readonly Key[]): readonly Key[];
};

export const createSeen = <Key>(clock: Clock): Seen<Key> => {
  let since = new Map<Key, number>();
  return {
    longAgo: (unneeded) => {
      const now = clock.now();
      since = new Map(unneeded.map((key) => [key, since.get(key) ?? now]));
      return unneeded.filter((key) => now - (since.get(key) ?? now) >= graceMs);
    },
  };
};

/** Younger bytes may be those of an upload whose record is not written yet, in milliseconds. */
const blobGraceMs = 3_600_000;

/** How many records one statement reads. */
const recordsPerQuery = 5000;

type LivingBlob = { readonly scheme: string; readonly key: string };

/** The bytes that records name, of all worlds, snapshots and fixtures, also those that only an older version names. */
export async function* livingBlobs(queries: Queries): AsyncGenerator<LivingBlob> {
  let [layer, id] = [0, -1];
  for (;;) {
    const rows = await queries.query<{ layer: number; id: number; record: string | null }>(
      `select layer, id, record from atoll_records where type = 'file' and (layer, id) > ($1, $2)
        order by layer, id limit ${recordsPerQuery}`,
      [layer, id],
    );
    for (const row of rows) {
      [layer, id] = [row.layer, row.id];
      if (row.record === null) continue;
      const file = JSON.parse(row.record) as Entity; // as the store wrote it
      if (file.blob !== undefined) yield { scheme: schemeOf(file), key: file.blob.key };
    }
    if (rows.length < recordsPerQuery) return;
  }
}

type BlobCollector = {
  /** Resolves with the number of blobs that were removed. What cannot be reached is left for another time. */
  collect(): Promise<number>;
};

type Options = {
  readonly database: Queries;
  readonly storages: ReadonlyMap<string, BlobStorage>;
  readonly warn: (message: string) => void;
};

export const createBlobCollector = ({ database, storages, warn }: Options, seen: Seen<string>): BlobCollector => ({
  collect: async () => {
    // A process that fills a layer has stored its bytes long before its records can be seen.
    if (await isSomebodyWriting(database)) return 0;
    // By key alone, which is unique: several schemes may lie in one bucket, and each of them lists the keys of all.
    const stored = new Map<string, BlobStorage>();
    for (const [scheme, storage] of storages) {
      const keys = await storage.keys().catch(() => {
        warn(`The bytes of ${scheme}:// cannot be listed, so none of them are collected now.`);
        return [];
      });
      for (const key of keys) stored.set(key, storage);
    }
    // Asked for after the list: bytes that were there before it and have a record by now stay.
    for await (const { key } of livingBlobs(database)) stored.delete(key);
    const longAgo = seen.longAgo([...stored.keys()]);
    let removed = 0;
    for (const storage of new Set(stored.values())) {
      const unnamed = async (): Promise<readonly string[]> => {
        const old: string[] = [];
        for (const key of longAgo) {
          const age = stored.get(key) === storage ? await storage.age?.(key).catch(() => undefined) : undefined;
          if (age !== undefined && age >= blobGraceMs) old.push(key);
        }
        return old;
      };
      removed += (await storage.sweep(unnamed)).length;
    }
    return removed;
  },
});
