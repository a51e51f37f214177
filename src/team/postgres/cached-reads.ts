/** Answers reads of a world from the cache, and loads the rest: consistent with one moment, and together with what is usually read next. */
import type { Database } from './database.ts';
import type { Follower } from './follower.ts';
import { createJoinedLoads } from './joined-loads.ts';
import type { WorldCache } from './record-cache.ts';
import type { WorldChange } from './world-row.ts';
import { load, placeOf, readPage, type Loaded, type Moment, type Place, type Wanted } from './world-reads.ts';
import type {
  Entity,
  EntityKey,
  EntityStore,
  IndexKey,
  RecordModel,
  KnownRecords,
  ListOptions,
} from '../../openapi/openapi-records.ts';

/** What is usually read together with a record. */
export type ReadAhead = {
  /** Look-ups that are loaded with the record, in one round trip. */
  readonly withKey: (key: EntityKey) => readonly IndexKey[];
  /** Records that it refers to, and look-ups. They are loaded next, in one round trip for all records. */
  readonly withRecord: (entity: Entity) => Wanted;
};

/** `isOpened`: it was asked for by its key, so its related records are kept too. A look-up has its records. */
export type Kept =
  { readonly entity: Entity | undefined; isOpened: boolean } | { readonly entities: readonly Entity[] };

export type CachedReads = Pick<EntityStore, 'getMany' | 'lookupMany' | 'list'> & {
  /** The cache at this moment. */
  readonly known: KnownRecords;
  /** Keeps what was loaded, if it is of the moment up to which changes are applied, or later. */
  keep(loaded: Loaded): void;
  /** Keeps the records that this process has written. */
  keepWritten(written: ReadonlyMap<EntityKey, Entity | undefined>): void;
  /** Forgets what a change has touched. */
  forget(change: WorldChange): void;
  forgetAll(): void;
};

type CachedReadsOptions = {
  readonly database: Database;
  readonly model: Pick<RecordModel, 'indexKeys'>;
  readonly readAhead: ReadAhead;
  readonly cache: WorldCache<Kept>;
  readonly follower: Follower;
};

/** Records take about this many bytes in memory for each character of their text. */
const bytesPerCharacter = 4;

/** Look-ups are loaded with so many records: one page shows one record. */
const maxOpened = 4;

/** More than this is not read ahead: a node can have 10,000 media. */
const maxAhead = 500;

/** How often a read begins again because the world changed meanwhile. Then it reads everything in one statement. */
const maxTries = 3;

export const createCachedReads = (options: CachedReadsOptions): CachedReads => {
  const { database, readAhead, cache, follower } = options;
  const place = (): Place => placeOf(follower.row());
  const kept = createKept(cache, follower);

  const { settle, loadTogether, readAll } = createLoading(options, kept);

  const ahead = createAhead(options, kept, loadTogether);
  return {
    ...kept,
    known: { record: kept.peek, lookup: kept.peekLookup },
    getMany: async (keys) => {
      const opened = keys.filter((key) => kept.isMissing(key));
      const indexes = opened.length > maxOpened ? [] : opened.flatMap(readAhead.withKey);
      const found = await readAll<readonly (Entity | undefined)[]>(
        { keys, indexes },
        () => {
          const missing = keys.filter((key) => kept.isMissing(key));
          if (missing.length > 0) return { keys: missing, indexes };
          return keys.map((key) => kept.peek(key)?.entity);
        },
        (loaded) => keys.map((key) => loaded.records.get(key)?.entity),
      );
      for (const key of opened) kept.markOpened(key);
      const shown = keys.filter((key) => kept.isOpened(key));
      const related = indexes.flatMap((index) => kept.peekLookup(index) ?? []);
      await ahead([...shown.flatMap((key) => kept.peek(key)?.entity ?? []), ...related]);
      return found;
    },
    lookupMany: async (names) => {
      const isKept = names.every((index) => kept.peekLookup(index) !== undefined);
      const found = await readAll<readonly (readonly Entity[])[]>(
        { keys: [], indexes: names },
        () => {
          const missing = names.filter((index) => kept.peekLookup(index) === undefined);
          if (missing.length > 0) return { keys: [], indexes: missing };
          return names.map((index) => kept.peekLookup(index) ?? []);
        },
        (loaded) => names.map((index) => loaded.lookups.get(index)?.entities ?? []),
      );
      if (!isKept) await ahead(found.flat());
      return found;
    },
    list: async (type: string, listOptions: ListOptions) => {
      const page = await readPage(database, place(), type, listOptions);
      if (await settle(page.at)) return { total: page.total, entities: page.entities };
      const { total, entities, at } = await readPage(database, place(), type, listOptions);
      await settle(at);
      return { total, entities };
    },
  };
};

const createLoading = ({ database, model, follower }: CachedReadsOptions, kept: ReturnType<typeof createKept>) => {
  const place = (): Place => placeOf(follower.row());

  /** Whether what was loaded is of the moment that is known. If it is of a later one, the changes up to there are applied first. */
  const settle = async (at: Moment): Promise<boolean> => {
    if (at === undefined || follower.isEnded() || at.generation !== follower.row().generation) return true;
    if (at.seq === follower.row().seq) return true;
    if (at.seq > follower.row().seq) await follower.check();
    return false;
  };

  /** Loads and keeps. `isSettled`: it is of the moment that was known before and is still known. */
  const loadTogether: LoadTogether = createJoinedLoads(async (wanted) => {
    const before = follower.row();
    const loaded = await load(database, placeOf(before), wanted, model.indexKeys);
    const isSettled = await settle(loaded.at);
    const row = follower.row();
    // A later moment may have a layer that was not read.
    if (loaded.at?.seq === before.seq || isSamePlace(placeOf(before), placeOf(row))) kept.keep(loaded);
    return { loaded, isSettled: isSettled && before.seq === row.seq };
  });

  /** Loads the missing records, then asks again, until all of it is of one moment. */
  const readAll = async <T>(wanted: Wanted, collect: () => T | Wanted, pick: (loaded: Loaded) => T): Promise<T> => {
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const missing = collect();
      if (!isWanted(missing)) return missing;
      const seq = follower.row().seq;
      const { loaded, isSettled } = await loadTogether(missing);
      if (isSettled && seq === follower.row().seq && sameSize(missing, wanted)) return pick(loaded);
    }
    const loaded = await load(database, place(), wanted, model.indexKeys);
    await settle(loaded.at);
    return pick(loaded);
  };

  return { settle, loadTogether, readAll };
};

type LoadTogether = (wanted: Wanted) => Promise<{ readonly loaded: Loaded; readonly isSettled: boolean }>;

const createAhead = (
  { readAhead }: CachedReadsOptions,
  kept: ReturnType<typeof createKept>,
  loadTogether: LoadTogether,
) => {
  /** What is usually read next to these records and is not kept yet, as far as it is not very much. */
  return async (entities: readonly Entity[]): Promise<void> => {
    const keys = new Set<EntityKey>();
    const names = new Set<IndexKey>();
    for (const entity of entities) {
      const next = readAhead.withRecord(entity);
      for (const key of next.keys) if (kept.peek(key) === undefined) keys.add(key);
      for (const index of next.indexes) if (kept.peekLookup(index) === undefined) names.add(index);
      if (keys.size + names.size > maxAhead) break;
    }
    if (keys.size + names.size === 0) return;
    await loadTogether({ keys: [...keys], indexes: [...names] });
  };
};

const isSamePlace = (a: Place, b: Place): boolean =>
  a.chain.length === b.chain.length && a.chain.every((layer, at) => layer === b.chain[at]);

const isWanted = (value: unknown): value is Wanted => typeof value === 'object' && value !== null && 'indexes' in value;
const sameSize = (a: Wanted, b: Wanted): boolean =>
  a.keys.length === b.keys.length && a.indexes.length === b.indexes.length;

const createKept = (cache: WorldCache<Kept>, follower: Follower) => {
  const peek = (key: EntityKey) => {
    const entry = cache.get(key);
    return entry !== undefined && 'entity' in entry ? entry : undefined;
  };
  const peekLookup = (index: IndexKey): readonly Entity[] | undefined => {
    const entry = cache.get(index);
    return entry !== undefined && 'entities' in entry ? entry.entities : undefined;
  };
  const put = (key: EntityKey, entity: Entity | undefined, length: number): void => {
    cache.set(key, { entity, isOpened: peek(key)?.isOpened ?? false }, length * bytesPerCharacter);
  };
  return {
    peek,
    peekLookup,
    isMissing: (key: EntityKey): boolean => peek(key) === undefined,
    markOpened: (key: EntityKey): void => {
      const entry = peek(key);
      if (entry !== undefined) entry.isOpened = true;
    },
    isOpened: (key: EntityKey | undefined): boolean => key !== undefined && peek(key)?.isOpened === true,
    keep: ({ at, records, lookups }: Loaded): void => {
      const { generation, seq } = follower.row();
      if (at === undefined || at.generation !== generation || at.seq < seq) return;
      for (const [key, { entity, length }] of records) put(key, entity, length);
      for (const [index, { entities, length }] of lookups) cache.set(index, { entities }, length * bytesPerCharacter);
    },
    keepWritten: (written: ReadonlyMap<EntityKey, Entity | undefined>): void => {
      for (const [key, entity] of written) put(key, entity, entity === undefined ? 0 : JSON.stringify(entity).length);
    },
    forget: ({ touched }: WorldChange): void => {
      for (const key of touched) cache.delete(key);
    },
    forgetAll: () => cache.clear(),
  };
};
