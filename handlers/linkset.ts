/** All links of a node or a media as a document, for when they do not fit into a header. */
import type { Principal } from '../src/model/principal.ts';
import type { Entity, JsonObject } from '../src/model/entity.ts';
import { entityAt } from '../src/engine/path-parameters.ts';
import type { Handler } from '../src/engine/handler.ts';
import { linkContextOf } from '../src/links/link-context.ts';
import { linksetMediaType, linksetOf } from '../src/links/linkset.ts';
import type { World } from '../src/world.ts';

export const getNodeLinkset: Handler<'getNodeLinkset'> = async (request, world) => {
  const { principal } = request.identity;
  const { entity } = await world.repository.view(principal, entityAt(request, 'node', 'node_id'));
  return () => answer(entity, principal, world);
};

export const getMediaLinkset: Handler<'getMediaLinkset'> = async (request, world) => {
  const { principal } = request.identity;
  const { entity } = await world.repository.view(principal, entityAt(request, 'media', 'media_id'));
  return () => answer(entity, principal, world);
};

type LinksetReply = { status: 200; mediaType: typeof linksetMediaType; body: JsonObject };

const answer = async (entity: Entity, principal: Principal, world: World): Promise<LinksetReply> => ({
  status: 200,
  mediaType: linksetMediaType,
  body: await linksetOf(entity, linkContextOf(world, principal, entity.type, undefined)),
});
