/**
 * Runs a read: a pure function of the records that are there. What a run misses is noted and loaded together, and the function
 * runs again. In memory nothing is missing but what takes longer than a turn of the event loop should.
 */
import { fewItems, mapInSlices } from '../../basics/long-work.ts';
import type { Awaitable } from '../../basics/awaitable.ts';
import type { EntityStore, IndexKey, Entity, EntityKey } from '../../openapi/openapi-records.ts';

/** The published records as a read sees them. What it makes of a record that is not there yet is thrown away. */
export type Records = {
  /** Undefined for a record that is not there. */
  get(key: EntityKey): Entity | undefined;
  /** Ascending id. */
  lookup(index: IndexKey): readonly Entity[];
  /**
   * What cannot be had without waiting: long work, or bytes. Undefined until it is done. The same name and the same objects stand
   * for the same work. `reads` is the key of what the work reads elsewhere than here.
   */
  later<T>(name: string, of: readonly unknown[], work: () => Promise<T>, reads?: string): T | undefined;
};

/** The key of what no change of a record tells of. A reply that depends on it is not kept. */
export const unwatched = 'unwatched';

/** The mapped items, in order. Many of them are mapped in slices between two runs of the read. `name` as in `later`. */
export const eachOf = <T, R>(
  items: readonly T[],
  map: (item: T) => R,
  { records, name, few }: { readonly records: Pick<Records, 'later'>; readonly name: string; readonly few?: number },
): readonly R[] =>
  items.length <= (few ?? fewItems)
    ? items.map(map)
    : (records.later(name, items, () => mapInSlices(items, map, few)) ?? []);

/** The store under a read. */
type ReadStore = Pick<EntityStore, 'getMany' | 'lookupMany' | 'present' | 'known'>;

type Work = { readonly name: string; readonly of: readonly unknown[]; readonly work: () => Promise<unknown> };
type Wanted = { readonly keys: Set<EntityKey>; readonly indexes: Set<IndexKey>; readonly works: Work[] };
type Done = Pick<Work, 'name' | 'of'> & { readonly value: unknown };

const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a === b || (a.length === b.length && a.every((each, at) => each === b[at]));

/** Every round brings the records that the one before has asked for. They lead on only a few times. */
const maxRounds = 24;

/** The records of one request. */
export class Reading implements Records {
  private readonly store: ReadStore;
  private readonly reads: Set<string> | undefined;
  private wanted: Wanted | undefined;
  /** The records so far, once the read must run again: all its runs see the same ones. */
  private records: Map<EntityKey, Entity | undefined> | undefined;
  private lookups: Map<IndexKey, readonly Entity[]> | undefined;
  private readonly done: Done[] = [];

  /** `reads` gets every key that is read. */
  constructor(store: ReadStore, reads?: Set<string>) {
    this.store = store;
    this.reads = reads;
  }

  /** Calls `read` until it misses nothing, at once where it never does. It throws and resolves as `read` does. */
  settle<T>(read: (records: Records) => T): Awaitable<T> {
    try {
      const result = read(this);
      if (this.wanted === undefined) return result;
    } catch (error) {
      if (this.wanted === undefined) throw error;
    }
    return this.again(read);
  }

  get(key: EntityKey): Entity | undefined {
    this.reads?.add(key);
    const { present } = this.store;
    if (this.records === undefined) {
      if (present !== undefined) return present.get(key);
    } else if (this.records.has(key)) return this.records.get(key);
    const found = present === undefined ? this.store.known?.record(key) : { entity: present.get(key) };
    if (found === undefined) this.want().keys.add(key);
    else (this.records ??= new Map()).set(key, found.entity);
    return found?.entity;
  }

  lookup(index: IndexKey): readonly Entity[] {
    this.reads?.add(index);
    const { present } = this.store;
    const before = this.lookups?.get(index);
    if (before !== undefined) return before;
    // Reading many records takes long.
    const isNear = present !== undefined && present.count(index) <= fewItems;
    const found = isNear ? present.lookup(index) : this.store.known?.lookup(index);
    if (found === undefined) this.want().indexes.add(index);
    else if (!isNear || this.records !== undefined) (this.lookups ??= new Map()).set(index, found);
    return found ?? [];
  }

  later<T>(name: string, of: readonly unknown[], work: () => Promise<T>, reads?: string): T | undefined {
    if (reads !== undefined) this.reads?.add(reads);
    const done = this.done.find((each) => each.name === name && isSame(each.of, of));
    if (done === undefined) this.want().works.push({ name, of, work });
    return done?.value as T | undefined; // the same name and objects are the same work
  }

  private missing(): Wanted | undefined {
    return this.wanted;
  }

  private want(): Wanted {
    this.records ??= new Map();
    return (this.wanted ??= { keys: new Set(), indexes: new Set(), works: [] });
  }

  private async again<T>(read: (records: Records) => T): Promise<T> {
    for (let round = 1; round <= maxRounds; round += 1) {
      await this.load();
      try {
        const result = read(this);
        if (this.wanted === undefined) return result;
      } catch (error) {
        if (this.wanted === undefined) throw error;
      }
    }
    const { keys, indexes, works } = this.want();
    const names = [...keys, ...indexes, ...works.map(({ name }) => name)].slice(0, 10).join(', ');
    throw new Error(`A read misses something after ${maxRounds} rounds, which is more than any read needs: ${names}.`);
  }

  /** Loads all that is wanted. */
  private async load(): Promise<void> {
    const { keys, indexes, works } = this.want();
    this.wanted = undefined;
    const [wantedKeys, wantedIndexes] = [[...keys], [...indexes]];
    const [entities, lists] = await Promise.all([
      wantedKeys.length === 0 ? [] : this.store.getMany(wantedKeys),
      wantedIndexes.length === 0 ? [] : this.store.lookupMany(wantedIndexes),
    ]);
    const records = (this.records ??= new Map<EntityKey, Entity | undefined>());
    const lookups = (this.lookups ??= new Map<IndexKey, readonly Entity[]>());
    for (const [at, key] of wantedKeys.entries()) records.set(key, entities[at]);
    for (const [at, index] of wantedIndexes.entries()) lookups.set(index, lists[at] ?? []);
    for (const each of works) await this.carryOut(each);
  }

  /** Work may read records, too. What it has made while some were missing does not count. */
  private async carryOut({ name, of, work }: Work): Promise<void> {
    const before = this.wanted;
    this.wanted = undefined;
    try {
      const value = await work();
      // Whatever `work` itself has missed is in `wanted` now.
      if (this.missing() === undefined) this.done.push({ name, of, value });
    } catch (error) {
      if (this.missing() === undefined) throw error;
    }
    this.wanted = merged(before, this.missing());
  }
}

const merged = (before: Wanted | undefined, after: Wanted | undefined): Wanted | undefined => {
  if (before === undefined || after === undefined) return before ?? after;
  return {
    keys: new Set([...before.keys, ...after.keys]),
    indexes: new Set([...before.indexes, ...after.indexes]),
    works: [...before.works, ...after.works],
  };
};

/** One read on its own. */
export const readFrom = async <T>(store: ReadStore, read: (records: Records) => T): Promise<T> =>
  new Reading(store).settle(read);
