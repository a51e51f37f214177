/** Lists the stored entities. The contract's own interface has no such listing. */
import { entityTypes, isPublished, labelOf, targetIds, type Entity, type EntityType } from '../model/entity.ts';
import type { EntityStore } from '../model/entity-store.ts';
import { addressPath } from '../site/site.ts';
import type { World } from '../world.ts';
import { jsonReply, type ControlHandlers } from './control-handlers.ts';
import type { components } from '../generated/control.ts';

type Schemas = components['schemas'];

const pageSize = 50;

export const entityHandlers: Pick<ControlHandlers, 'listEntities'> = {
  listEntities: async ({ query }, world) => {
    const type = entityTypes.find((each) => each === query.type) ?? 'node';
    const page = Number(query.page ?? 0);
    return async () => jsonReply(await pageOfEntities(world, type, page, query.bundle));
  },
};

/** One page of the entities of a type, in ascending id. A page has 50 entities; the first page is 0. */
export const pageOfEntities = async (
  { store, ...address }: Pick<World, 'store' | 'baseUrl' | 'site'>,
  type: EntityType,
  page: number,
  bundle?: string,
): Promise<Schemas['EntityPage']> => {
  const { total, entities } = await store.list(type, { bundle, offset: page * pageSize, limit: pageSize });
  const models = await modelLabels(store, entities);
  const summaries = entities.map((entity) => summaryOf(entity, address, models));
  return { total, page, pages: Math.ceil(total / pageSize), entities: summaries };
};

const modelOf = (entity: Entity): number | undefined =>
  targetIds(entity, entity.type === 'media' ? 'field_media_use' : 'field_model')[0];

const modelLabels = async (store: EntityStore, entities: readonly Entity[]): Promise<ReadonlyMap<number, string>> => {
  const ids = [...new Set(entities.flatMap((entity) => modelOf(entity) ?? []))];
  const terms = await store.getMany(ids.map((id) => `taxonomy_term:${id}` as const));
  return new Map(terms.flatMap((term) => (term === undefined ? [] : [[term.id, labelOf(term)]])));
};

/** The absolute URL of an entity as JSON. */
export const jsonUrlOf = ({ type, id }: Entity, { baseUrl, site }: Pick<World, 'baseUrl' | 'site'>): string =>
  `${baseUrl}${addressPath(site, type, id)}?_format=json`;

const summaryOf = (
  entity: Entity,
  address: Pick<World, 'baseUrl' | 'site'>,
  models: ReadonlyMap<number, string>,
): Schemas['EntitySummary'] => {
  const model = models.get(modelOf(entity) ?? 0);
  return {
    type: entity.type,
    id: entity.id,
    uuid: entity.uuid,
    bundle: entity.bundle,
    title: labelOf(entity),
    ...(model === undefined ? {} : { model }),
    published: isPublished(entity),
    url: jsonUrlOf(entity, address),
  };
};
