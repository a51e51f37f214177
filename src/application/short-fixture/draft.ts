/** What short fixtures and samples are made in: a repository in memory, whose uuids come from names, and the records that it then holds. */
import { join } from 'node:path';
import { readRegularFile } from '../../basics/disk/regular-file.ts';
import { Repository, transactionReactions, hashingBlobs } from '../../repository/repository-content.ts';
import { type BlobStorage, keyOf } from '../../openapi/openapi-records.ts';
import { countersOfAll, recordModel, entityTypes, type Site } from '../../repository/repository.ts';
import { derivedUuid } from '../../basics/secrets/derived-uuid.ts';
import { initialRecords } from '../../repository/repository-sites.ts';
import { createMemoryEntityStore, type InitialRecords } from '../../storage/storage.ts';

type DraftOptions = {
  readonly blobs: BlobStorage;
  /** The time of the new records, in milliseconds since 1970. */
  readonly now: () => number;
  /** Called with the file of an icon before it is read. */
  readonly onIcon?: (path: string) => void;
};

/** A repository that begins with the records of the site, `own`. */
export const createDraft = (site: Site, { blobs, now, onIcon }: DraftOptions) => {
  const own = initialRecords(site);
  const uuids = createNamedUuids();
  const store = createMemoryEntityStore({ model: recordModel, initialRecords: { entities: own, counters: {} } });
  const repository = new Repository({
    site,
    store,
    blobs: hashingBlobs(site, new Map(site.storages.map(({ scheme }) => [scheme, blobs]))),
    clock: { now },
    ids: { uuid: uuids.next, secret: uuids.next },
    reactions: transactionReactions(site),
    readIcon: (name) => {
      const path = join(site.iconDirectory, name);
      onIcon?.(path);
      return readRegularFile(path);
    },
  });
  /** The records without those that it began with, and the highest ids and revisions of all. */
  const made = async (): Promise<InitialRecords> => {
    const lists = entityTypes.map((type) => store.list(type, { offset: 0, limit: Number.MAX_SAFE_INTEGER }));
    const all = (await Promise.all(lists)).flatMap(({ entities }) => entities);
    const known = new Set(own.map(keyOf));
    return { entities: all.filter((entity) => !known.has(keyOf(entity))), counters: countersOfAll(all) };
  };
  return { own, repository, nameUuids: uuids.begin, made };
};

/** Uuids from a name: the n-th one of a name is always the same. */
const createNamedUuids = () => {
  let name = '';
  let drawn = 0;
  return {
    /** Uuids are made from this name from now on. */
    begin: (next: string): void => {
      name = next;
      drawn = 0;
    },
    next: (): string => {
      drawn += 1;
      return derivedUuid(`fixture ${drawn} ${name}`);
    },
  };
};

/** The records with uuids that are made from a word, and the kind and id of each. */
export const withUuidsOf = (word: string, { entities, counters }: InitialRecords): InitialRecords => ({
  entities: [...entities].map((entity) => ({
    ...entity,
    uuid: derivedUuid(`${word} ${entity.type} ${entity.id}`, (digit) => '89ab'[digit & 3] ?? '8'),
  })),
  counters,
});
