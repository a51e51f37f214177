/** Keeps the records of collections in a map, for tests that ask an engine without a server. */
import type { CollectionRecord, CollectionStore, CollectionsView } from '../../../src/openapi/openapi-terms.ts';

export const memoryCollections = (): CollectionStore => {
  let collections = new Map<string, ReadonlyMap<string, CollectionRecord>>();
  const lists = new WeakMap<ReadonlyMap<string, CollectionRecord>, readonly CollectionRecord[]>();
  const numbers = new Map<string, number>();
  const begun = new Set<string>();
  const recordsOf = (name: string): ReadonlyMap<string, CollectionRecord> => {
    const records = collections.get(name) ?? new Map<string, CollectionRecord>();
    collections.set(name, records);
    return records;
  };
  const list = (name: string): readonly CollectionRecord[] => {
    const records = recordsOf(name);
    const known = lists.get(records) ?? [...records.values()];
    lists.set(records, known);
    return known;
  };
  const view: CollectionsView = {
    get: (name, id) => recordsOf(name).get(id),
    list,
    put: (name, id, value) => {
      collections.set(name, new Map(recordsOf(name)).set(id, { id, value: structuredClone(value) }));
      const number = /(?:^|\/)(\d{1,15})$/.exec(id)?.[1];
      if (number !== undefined) numbers.set(name, Math.max(numbers.get(name) ?? 0, Number(number)));
    },
    delete: (name, id) => {
      const copy = new Map(recordsOf(name));
      const isThere = copy.delete(id);
      collections.set(name, copy);
      return isThere;
    },
    nextNumber: (name) => {
      const next = (numbers.get(name) ?? 0) + 1;
      numbers.set(name, next);
      return next;
    },
    begin: (name) => {
      const isFirst = !begun.has(name);
      begun.add(name);
      return isFirst;
    },
  };
  return {
    get: (name, id) => recordsOf(name).get(id),
    list,
    hasBegun: (name) => begun.has(name),
    names: () => [...collections.keys()],
    transact: async (decide) => {
      const before = new Map(collections);
      try {
        return await Promise.resolve(decide(view));
      } catch (error) {
        collections = before;
        throw error;
      }
    },
  };
};
