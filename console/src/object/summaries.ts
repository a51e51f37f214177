/** Asks the control interface for entities by their ids, and for lists of them. */
import { keepPreviousData, queryOptions, useQueries, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { control } from '../api/control.ts';
import type { EntitySummary } from '../api/queries.ts';
import type { EntityKey, EntityType } from './entity-address.ts';

/** The most ids of one question. */
const most = 200;

const byIds = (type: EntityType, ids: readonly number[]) =>
  queryOptions({
    queryKey: ['content', 'by-id', type, ...ids],
    queryFn: async (): Promise<readonly EntitySummary[]> => {
      const query = { type, ids: ids.join(',') };
      return (await control.ask('listEntities', { query })).entities;
    },
    enabled: ids.length > 0,
    staleTime: 10_000,
  });

/** The entity, or undefined data in an empty list when there is none. */
export const useSummary = ({ type, id }: EntityKey): UseQueryResult<readonly EntitySummary[]> =>
  useQuery(byIds(type, [id]));

export type Names = ReadonlyMap<string, EntitySummary>;
export const nameKey = ({ type, id }: EntityKey): string => `${type}:${id}`;

/** The entities of several types, by `nameKey`, as far as they have arrived. */
export const useNames = (keys: readonly EntityKey[]): Names => {
  const idsOf = new Map<EntityType, Set<number>>();
  for (const { type, id } of keys) idsOf.set(type, (idsOf.get(type) ?? new Set()).add(id));
  const asked = [...idsOf].map(([type, ids]) => byIds(type, [...ids].sort((a, b) => a - b).slice(0, most)));
  const answers = useQueries({ queries: asked });
  return new Map(answers.flatMap(({ data = [] }) => data.map((entity) => [nameKey(entity), entity] as const)));
};

type ListQuery = {
  readonly type: EntityType;
  readonly collection?: string;
  readonly media_of?: string;
  readonly file?: string;
  readonly cursor?: string;
  readonly page?: string;
};

/** A page of 50. The one before stays until the next one is there. */
export const useList = (query: ListQuery, isWanted = true) =>
  useQuery({
    queryKey: ['content', 'list', query],
    queryFn: () => control.ask('listEntities', { query }),
    placeholderData: keepPreviousData,
    enabled: isWanted,
  });
