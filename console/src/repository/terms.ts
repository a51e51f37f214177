/** The terms that say what a record is: the models of nodes and the uses of media. */
import { queryOptions } from '@tanstack/react-query';
import { control, type ControlSchemas } from '../api/control.ts';
import type { EntitySummary } from '../api/queries.ts';
import type { EntityType } from './listing.ts';

type ModelField = ControlSchemas['ModelField'];

/** The field that Islandora reads. Undefined on a site whose bundles do not have it. */
export const modelFieldOf = (
  model: ControlSchemas['ContentModel'] | undefined,
  type: EntityType,
): ModelField | undefined => {
  const name = type === 'media' ? 'field_media_use' : type === 'node' ? 'field_model' : undefined;
  return fieldNamed(model, type, name);
};

/** The field of nodes that leads to their collection. */
export const memberFieldOf = (
  model: ControlSchemas['ContentModel'] | undefined,
  type: EntityType,
): ModelField | undefined => fieldNamed(model, type, type === 'node' ? 'field_member_of' : undefined);

const fieldNamed = (
  model: ControlSchemas['ContentModel'] | undefined,
  type: EntityType,
  name: string | undefined,
): ModelField | undefined =>
  model?.bundles
    .filter((each) => each.type === type)
    .flatMap(({ fields }) => fields.filter((each) => each.name === name))[0];

const mostTerms = '200';

/** The terms of vocabularies, by name. Without vocabularies there are none. */
export const termsQuery = (vocabularies: readonly string[] | undefined) =>
  queryOptions({
    queryKey: ['content', 'terms', vocabularies],
    queryFn: async (): Promise<readonly EntitySummary[]> => {
      const query = {
        type: 'taxonomy_term',
        bundle: (vocabularies ?? []).join(','),
        order: 'title',
        limit: mostTerms,
      } as const;
      return (await control.ask('listEntities', { query })).entities;
    },
    enabled: vocabularies !== undefined && vocabularies.length > 0,
    staleTime: 60_000,
  });
