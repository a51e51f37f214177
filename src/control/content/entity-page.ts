/** Makes one page of the stored entities: filtered, sorted, by number or behind a cursor. */
import { mediaUsing } from '../../content/file-uses.ts';
import { mediaUsingFile } from '../../content/index-keys.ts';
import {
  comparePlaces,
  compareRecords,
  listed,
  passesFilter,
  placeOf,
  type ListedRecord,
  type Place,
  type RecordFilter,
  type RecordOrder,
} from '../../content/lists/record-filter.ts';
import { recordView } from '../../content/lists/record-views.ts';
import type { Entity, EntityType } from '../../model/entity.ts';
import type { EntityStore } from '../../model/entity-store.ts';
import { malformed } from '../../problem.ts';
import type { components } from '../../generated/control.ts';
import type { World } from '../../world.ts';
import { summariesOf } from './entity-summaries.ts';

export const defaultLimit = 50;

export type EntityQuery = {
  readonly type: EntityType;
  readonly filter?: RecordFilter | undefined;
  /** Media: a file that they use. */
  readonly file?: number | undefined;
  readonly order?: RecordOrder | undefined;
  readonly isDescending?: boolean | undefined;
  /** From 0. */
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  /** The `next` of another page. `page` does not count beside it. Throws 400 when it is of another order. */
  readonly cursor?: string | undefined;
};

type Listing = Pick<World, 'store' | 'baseUrl' | 'site'>;

export const pageOfEntities = async (
  world: Listing,
  query: EntityQuery,
): Promise<components['schemas']['EntityPage']> => {
  const { order = 'id', isDescending = false, page = 0, limit = defaultLimit, cursor } = query;
  const after = cursor === undefined ? undefined : readCursor(cursor, order, isDescending);
  const sequence = await sequenceOf(world, query);
  const { total } = sequence;
  const begin = after === undefined ? page * limit : await positionBehind(after, sequence, isDescending);
  const end = Math.min(begin + limit, total);
  const [from, to] = isDescending ? [Math.max(total - end, 0), total - begin] : [begin, end];
  const ascending = from < to ? await sequence.slice(from, to) : [];
  const entities = isDescending ? [...ascending].reverse() : ascending;
  const last = entities.at(-1);
  return {
    total,
    page: after === undefined ? page : Math.floor(begin / limit),
    pages: Math.ceil(total / limit),
    ...(last === undefined || end >= total ? {} : { next: cursorOf(last, order, isDescending) }),
    entities: await summariesOf(entities, world),
  };
};

/** Records in ascending order. Positions count from 0. */
type Sequence = {
  readonly total: number;
  slice(from: number, to: number): Promise<readonly Entity[]>;
  /** How many records stand before the place; with `isIncluded` also the record at it. */
  countBefore(place: Place, isIncluded: boolean): Promise<number>;
};

const sequenceOf = async ({ store, site }: Listing, query: EntityQuery): Promise<Sequence> => {
  const { type, filter = {}, file, order = 'id' } = query;
  if (file !== undefined) {
    if (type !== 'media') return sequenceIn([], order);
    const [found = []] = await store.lookupMany([mediaUsingFile(file)]);
    const using = mediaUsing(found, file, site.model).map(listed);
    return sequenceIn(using.filter((each) => passesFilter(filter, each)).sort(compareRecords(order)), order);
  }
  const { bundles, ...others } = filter;
  const isPlain = Object.values(others).every((wanted) => wanted === undefined) && (bundles?.length ?? 0) <= 1;
  if (isPlain && order === 'id') return sequenceOfStore(store, type, bundles?.[0]);
  return sequenceIn(await recordView(store, type, order, filter), order);
};

const sequenceIn = (records: readonly ListedRecord[], order: RecordOrder): Sequence => ({
  total: records.length,
  slice: async (from, to) => records.slice(from, to).map(({ entity }) => entity),
  countBefore: async (place, isIncluded) =>
    firstPosition(records.length, async (at) => {
      const record = records[at];
      return record === undefined || !isBefore(placeOf(record, order), place, isIncluded);
    }),
});

/** The store has its records in ascending id, so nothing is kept beside it. */
const sequenceOfStore = async (store: EntityStore, type: EntityType, bundle?: string): Promise<Sequence> => {
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

const orderName = (order: RecordOrder, isDescending: boolean): string => `${isDescending ? '-' : ''}${order}`;

const cursorOf = (entity: Entity, order: RecordOrder, isDescending: boolean): string => {
  const { value, id } = placeOf(listed(entity), order);
  return Buffer.from(JSON.stringify([orderName(order, isDescending), id, value])).toString('base64url');
};

const readCursor = (cursor: string, order: RecordOrder, isDescending: boolean): Place => {
  const [name, id, value] = partsOf(Buffer.from(cursor, 'base64url').toString());
  const isOfOrder = name === orderName(order, isDescending) && typeof id === 'number';
  if (isOfOrder && order === 'title' && typeof value === 'string') return { value, id };
  if (isOfOrder && order !== 'title' && typeof value === 'number') return { value, id };
  throw malformed('/query/cursor: is not the next of a page in this order');
};

const partsOf = (text: string): readonly unknown[] => {
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
};
