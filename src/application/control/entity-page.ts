/** Makes one page of the stored entities: filtered, sorted, by number or behind a cursor. */
import {
  type ContentFilter,
  type ContentQuery,
  listed,
  placeOf,
  mediaUsing,
  findAmong,
  findRecords,
} from '../../repository/repository-content.ts';
import { parsedJson } from '../../basics/json.ts';
import { mediaUsingFile, type World } from '../../repository/repository.ts';
import type { components } from '../../client/generated/control.ts';
import { summariesOf } from './entity-summaries.ts';
import type { Entity, FoundRecords, Place, RecordOrder } from '../../openapi/openapi-records.ts';
import { malformed } from '../../openapi/openapi-terms.ts';

export const defaultLimit = 50;

export type EntityQuery = {
  readonly type: string;
  readonly filter?: ContentFilter | undefined;
  /** Media: a file that they use. */
  readonly file?: number | undefined;
  readonly order?: RecordOrder | undefined;
  readonly isDescending?: boolean | undefined;
  /** From 0. */
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  /** The `next` of another page. With it, `page` does not count. Throws 400 when it is of another order. */
  readonly cursor?: string | undefined;
};

type Listing = Pick<World, 'store' | 'baseUrl' | 'site'>;

export const pageOfEntities = async (
  world: Listing,
  query: EntityQuery,
): Promise<components['schemas']['EntityPage']> => {
  const { type, filter = {}, order = 'id', isDescending = false, page = 0, limit = defaultLimit, cursor } = query;
  const after = cursor === undefined ? undefined : readCursor(cursor, order, isDescending);
  const part = after === undefined ? { offset: page * limit } : { after };
  const asked = { type, filter, order, isDescending, limit, ...part };
  const { total, begin, entities } = await (query.file === undefined
    ? findRecords(world.store, asked)
    : findMediaUsing(query.file, world, asked));
  const last = entities.at(-1);
  return {
    total,
    page: after === undefined ? page : Math.floor(begin / limit),
    pages: Math.ceil(total / limit),
    ...(last === undefined || begin + limit >= total ? {} : { next: cursorOf(last, order, isDescending) }),
    entities: await summariesOf(entities, world),
  };
};

/** Few media use one file. */
const findMediaUsing = async (file: number, { store, site }: Listing, query: ContentQuery): Promise<FoundRecords> => {
  if (query.type !== 'media') return findAmong([], query);
  const [found = []] = await store.lookupMany([mediaUsingFile(file)]);
  return findAmong(mediaUsing(found, file, site.model), query);
};

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
  const read = parsedJson(text);
  return Array.isArray(read) ? read : [];
};
