/** Makes the page of the entities that are asked for by their ids. */
import { entityKey, type EntityType } from '../../../core/model/entity.ts';
import type { components } from '../../../core/generated/control.ts';
import type { World } from '../../../core/world.ts';
import { summariesOf } from './entity-summaries.ts';

/** `ids` have commas between them. Those that do not exist are left out, and none comes twice. */
export const entitiesById = async (
  world: Pick<World, 'store' | 'baseUrl' | 'site'>,
  type: EntityType,
  ids: string,
): Promise<components['schemas']['EntityPage']> => {
  const keys = [...new Set(ids.split(',').map(Number))].map((id) => entityKey(type, id));
  const entities = (await world.store.getMany(keys)).flatMap((entity) => entity ?? []);
  return {
    total: entities.length,
    page: 0,
    pages: Math.min(entities.length, 1),
    entities: await summariesOf(entities, world),
  };
};
