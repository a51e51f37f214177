/** Lists what is stored: the contract has no listing (decisions: rule 7 is not emulated). */
import { canonicalPath, entityTypes, isPublished, labelOf, targetIds } from '../model/entity.ts';
import type { Entity, EntityType } from '../model/entity.ts';
import type { EntityStore } from '../model/entity-store.ts';
import type { ControlHandlers } from './control-handlers.ts';

/** What a person needs to know of an entity to go on. */
export type EntitySummary = {
  readonly type: EntityType;
  readonly id: number;
  readonly uuid: string;
  readonly bundle: string;
  readonly title: string;
  /** Of a node: the label of its model. Of a media: that of its use. */
  readonly model?: string;
  readonly published: boolean;
  /** Absolute, with `_format=json`. */
  readonly url: string;
};

export type EntityPage = {
  readonly total: number;
  readonly page: number;
  readonly pages: number;
  readonly entities: EntitySummary[];
};

const pageSize = 50;

/** The entity type of that name, if there is one. */
const readEntityType = (name: string): EntityType | undefined => entityTypes.find((type) => type === name);

/** One page of what is stored. */
export const entityHandlers: Pick<ControlHandlers, 'listEntities'> = {
  listEntities: async ({ query }, world) => {
    const type = readEntityType(query.type ?? 'node') ?? 'node';
    const wanted = { type, bundle: query.bundle, page: Number(query.page ?? 0) };
    return async () => ({
      status: 200,
      mediaType: 'application/json',
      body: await pageOfEntities(world.store, world.baseUrl, wanted),
    });
  },
};

/** One page of a type, in ascending id; 50 to a page, from page 0. */
export const pageOfEntities = async (
  store: EntityStore,
  baseUrl: string,
  wanted: { readonly type: EntityType; readonly bundle: string | undefined; readonly page: number },
): Promise<EntityPage> => {
  const { type, bundle, page } = wanted;
  const { total, entities } = await store.list(type, { bundle, offset: page * pageSize, limit: pageSize });
  const models = await modelLabels(store, entities);
  const summaries = entities.map((entity) => summaryOf(entity, baseUrl, models));
  return { total, page, pages: Math.ceil(total / pageSize), entities: summaries };
};

const modelOf = (entity: Entity): number | undefined =>
  targetIds(entity, entity.type === 'media' ? 'field_media_use' : 'field_model')[0];

const modelLabels = async (store: EntityStore, entities: readonly Entity[]): Promise<ReadonlyMap<number, string>> => {
  const ids = [...new Set(entities.flatMap((entity) => modelOf(entity) ?? []))];
  const terms = await store.getMany(ids.map((id) => `taxonomy_term:${id}` as const));
  return new Map(terms.flatMap((term) => (term === undefined ? [] : [[term.id, labelOf(term)]])));
};

const summaryOf = (entity: Entity, baseUrl: string, models: ReadonlyMap<number, string>): EntitySummary => {
  const model = models.get(modelOf(entity) ?? 0);
  return {
    type: entity.type,
    id: entity.id,
    uuid: entity.uuid,
    bundle: entity.bundle,
    title: labelOf(entity),
    ...(model === undefined ? {} : { model }),
    published: isPublished(entity),
    url: `${baseUrl}${canonicalPath(entity.type, entity.id)}?_format=json`,
  };
};
