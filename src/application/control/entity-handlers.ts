/** Lists the stored entities. The contract's own interface has no such listing. */
import { folded } from '../../repository/repository-content.ts';
import type { components, operations } from '../../client/generated/control.ts';
import { entityTypes, repositoryWorld, type World } from '../../repository/repository.ts';
import { jsonReply } from '../../openapi/openapi-host.ts';
import type { ControlHandlers } from '../../server/server-application.ts';
import { defaultLimit, type EntityQuery, pageOfEntities } from './entity-page.ts';
import { summariesOf } from './entity-summaries.ts';
import { entityKey, recordOrders } from '../../openapi/openapi-records.ts';

/** `ids` have commas between them. Those that do not exist are left out, and none comes twice. */
const entitiesById = async (
  world: Pick<World, 'store' | 'baseUrl' | 'site'>,
  type: string,
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

export const entityHandlers: Pick<ControlHandlers, 'listEntities'> = {
  listEntities: async ({ query }, hosted) => {
    const world = repositoryWorld(hosted);
    const read = readQuery(query);
    const { ids } = query;
    if (ids !== undefined) return async () => jsonReply(await entitiesById(world, read.type, ids));
    return async () => jsonReply(await pageOfEntities(world, read));
  },
};

type SentQuery = NonNullable<operations['listEntities']['parameters']['query']>;

/** The document has checked each parameter. A filter for media alone says the type. */
const readQuery = (query: SentQuery): EntityQuery => {
  const { bundle, text, published, order = 'id', cursor } = query;
  const isOfMedia = query.media_of !== undefined || query.file !== undefined;
  const sortedBy = order.replace('-', '');
  return {
    type: entityTypes.find((each) => each === query.type) ?? (isOfMedia ? 'media' : 'node'),
    order: recordOrders.find((each) => each === sortedBy) ?? 'id',
    isDescending: order.startsWith('-'),
    page: Number(query.page ?? 0),
    limit: Number(query.limit ?? defaultLimit),
    cursor,
    file: numberOf(query.file),
    filter: {
      bundles: bundle === undefined || bundle === '' ? undefined : [...new Set(bundle.split(','))].sort(),
      model: numberOf(query.model),
      memberOf: numberOf(query.collection),
      mediaOf: numberOf(query.media_of),
      text: text === undefined || text === '' ? undefined : folded(text),
      isPublished: published === undefined ? undefined : published === 'true',
    },
  };
};

const numberOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));
