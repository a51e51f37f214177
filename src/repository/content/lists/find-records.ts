/** Finds a part of a list of stored records: by the store's own indexes, or from lists that are kept next to it. */
import { storeFilter } from './record-lists.ts';
import {
  type ContentQuery,
  comparePlaces,
  compareRecords,
  listed,
  passesFilter,
  placeOf,
  type ListedRecord,
} from './record-filter.ts';
import { recordView } from './record-views.ts';
import {
  entityKey,
  type Entity,
  type EntityStore,
  type FoundRecords,
  type Place,
  type RecordOrder,
} from '../../../openapi/openapi-records.ts';

/** The records of the part come in the order that was asked for. */
export const findRecords = async (store: EntityStore, query: ContentQuery): Promise<FoundRecords> =>
  store.find === undefined
    ? partOf(await sequenceOf(store, query), query)
    : store.find({ ...query, filter: storeFilter(query.type, query.filter) });

/** The same among these records, which are of the query's type. */
export const findAmong = (entities: readonly Entity[], query: ContentQuery): Promise<FoundRecords> => {
  const byId = new Map(entities.map((entity) => [entity.id, entity]));
  const records = entities.map(listed).filter((each) => passesFilter(query.filter, each));
  const read = (ids: readonly number[]) => Promise.resolve(ids.map((id) => byId.get(id)));
  return partOf(sequenceIn(records.sort(compareRecords(query.order)), query.order, read), query);
};

/** Records in ascending order. Positions count from 0. */
type Sequence = {
  readonly total: number;
  slice(from: number, to: number): Promise<readonly Entity[]>;
  /** How many records stand before the place; with `isIncluded` also the record at it. */
  countBefore(place: Place, isIncluded: boolean): Promise<number>;
};

const partOf = async (sequence: Sequence, query: ContentQuery): Promise<FoundRecords> => {
  const { isDescending, limit } = query;
  const { total } = sequence;
  const begin = 'after' in query ? await positionBehind(query.after, sequence, isDescending) : query.offset;
  const end = Math.min(begin + limit, total);
  const [from, to] = isDescending ? [Math.max(total - end, 0), total - begin] : [begin, end];
  const ascending = from < to ? await sequence.slice(from, to) : [];
  return { total, begin, entities: isDescending ? [...ascending].reverse() : ascending };
};

const sequenceOf = async (store: EntityStore, { type, filter, order }: ContentQuery): Promise<Sequence> => {
  const { bundles, ...others } = filter;
  const isPlain = Object.values(others).every((wanted) => wanted === undefined) && (bundles?.length ?? 0) <= 1;
  if (isPlain && order === 'id') return sequenceOfStore(store, type, bundles?.[0]);
  const read = (ids: readonly number[]) => store.getMany(ids.map((id) => entityKey(type, id)));
  return sequenceIn(await recordView(store, type, order, filter), order, read);
};

type ReadRecords = (ids: readonly number[]) => Promise<readonly (Entity | undefined)[]>;

/** A record that was removed since it was listed is left out. */
const sequenceIn = (records: readonly ListedRecord[], order: RecordOrder, read: ReadRecords): Sequence => ({
  total: records.length,
  slice: async (from, to) =>
    (await read(records.slice(from, to).map(({ id }) => id))).filter((entity) => entity !== undefined),
  countBefore: async (place, isIncluded) =>
    firstPosition(records.length, async (at) => {
      const record = records[at];
      return record === undefined || !isBefore(placeOf(record, order), place, isIncluded);
    }),
});

/** The store has its records in ascending id, so nothing is kept next to it. */
const sequenceOfStore = async (store: EntityStore, type: string, bundle?: string): Promise<Sequence> => {
  const slice = async (from: number, to: number): Promise<readonly Entity[]> =>
    (await store.list(type, { bundle, offset: from, limit: to - from })).entities;
  const { total } = await store.list(type, { bundle, offset: 0, limit: 0 });
  return {
    total,
    slice,
    countBefore: (place, isIncluded) =>
      firstPosition(total, async (at) => {
        const [entity] = await slice(at, at + 1);
        return entity === undefined || !isBefore({ value: entity.id, id: entity.id }, place, isIncluded);
      }),
  };
};

const isBefore = (a: Place, b: Place, isIncluded: boolean): boolean => {
  const difference = comparePlaces(a, b);
  return difference < 0 || (isIncluded && difference === 0);
};

/** The first position below `end` at which the test holds, or `end`. It holds at each later one, too. */
const firstPosition = async (end: number, holds: (at: number) => Promise<boolean>): Promise<number> => {
  let [low, high] = [0, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (await holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};

const positionBehind = async (place: Place, sequence: Sequence, isDescending: boolean): Promise<number> =>
  isDescending ? sequence.total - (await sequence.countBefore(place, false)) : sequence.countBefore(place, true);
