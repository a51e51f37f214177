/** What the pages of collections ask: the collections, the records of one, and one record. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { control, type ControlSchemas } from '../api/control.ts';

export type Collection = ControlSchemas['CollectionSummary'];
export type CollectionPage = ControlSchemas['CollectionPage'];
export type CollectionRecord = ControlSchemas['CollectionRecord'];

/** How many records a page shows. Long ones make it shorter. */
export const pageSize = 50;

export const collectionsQuery = queryOptions({
  queryKey: ['content', 'collections'],
  queryFn: () => control.ask('listCollections'),
});

type ListQuery = { readonly offset: number; readonly fits: 'false' | undefined };

export const recordsQuery = (collection: string, { offset, fits }: ListQuery) =>
  queryOptions({
    queryKey: ['content', 'collection', collection, offset, fits],
    queryFn: () =>
      control.ask('listCollectionRecords', {
        path: { collection_name: collection },
        query: { offset: String(offset), limit: String(pageSize), fits },
      }),
    placeholderData: keepPreviousData,
  });

export const recordQuery = (collection: string, id: string) =>
  queryOptions({
    queryKey: ['content', 'collection-record', collection, id],
    queryFn: () => control.ask('getCollectionRecord', { path: { collection_name: collection, record_id: id } }),
  });

/** Stores a value, and resolves with what the document does not allow in it. */
export const putRecord = (collection: string, id: string, value: unknown): Promise<CollectionRecord> =>
  control.ask('putCollectionRecord', {
    path: { collection_name: collection, record_id: id },
    body: value as object, // any JSON
  });
