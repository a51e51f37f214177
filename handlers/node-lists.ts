/** The media and the members of a node as lists, beyond the contract. */
import type { Principal } from '../src/model/principal.ts';
import type { Entity } from '../src/model/entity.ts';
import { mediaOfNode, membersOfNode } from '../src/content/listings.ts';
import type { Repository } from '../src/content/repository.ts';
import { entityAt } from '../src/engine/path-parameters.ts';
import type { Handler } from '../src/engine/handler.ts';
import { representList } from '../src/representations/represent-list.ts';
import type { World } from '../src/world.ts';
import type { EntityRequest } from './entity-handlers.ts';

type Listing = (repository: Repository, principal: Principal, node: Entity) => Promise<Entity[]>;

const listHandler = (listing: Listing) => async (request: EntityRequest<'node_id'>, world: World) => {
  const viewer = request.identity.principal;
  const node = await world.repository.view(viewer, entityAt(request, 'node', 'node_id'));
  return async () => ({
    status: 200 as const,
    ...(await representList(await listing(world.repository, viewer, node), request.format, { ...world, viewer })),
  });
};

export const listNodeMedia: Handler<'listNodeMedia'> = listHandler(mediaOfNode);
export const listNodeMembers: Handler<'listNodeMembers'> = listHandler(membersOfNode);
