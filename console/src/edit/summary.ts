/** Asks for the summary of one record: its title and where it is. */
import { queryOptions } from '@tanstack/react-query';
import { control } from '../api/control.ts';
import type { EntitySummary } from '../api/queries.ts';
import type { EntityType } from './model.ts';

/** Null for a record that does not exist. */
export const summaryQuery = (type: EntityType, id: string) =>
  queryOptions({
    queryKey: ['summary', type, id],
    queryFn: async (): Promise<EntitySummary | null> => {
      const { entities } = await control.ask('listEntities', { query: { type, ids: id } });
      return entities[0] ?? null;
    },
    staleTime: 60_000,
  });
