/** The handlers that send all links of a node or a media as a document, for when they do not fit into a header. */
import { entityAt } from '../src/core/engine/path-parameters.ts';
import type { Handler } from '../src/core/engine/handler.ts';
import { linkContextOf } from '../src/core/links/link-context.ts';
import { linksetMediaType, linksetOf } from '../src/core/links/linkset.ts';
import type { World } from '../src/core/world.ts';
import type { EntityRequest } from './entity-handlers.ts';

const linksetHandler =
  <Parameter extends string>(type: 'node' | 'media', parameter: Parameter) =>
  async (request: EntityRequest<Parameter>, world: World) => {
    const { principal } = request.identity;
    const entity = await world.repository.view(principal, entityAt(request, type, parameter));
    return async () => ({
      status: 200 as const,
      mediaType: linksetMediaType,
      body: await linksetOf(entity, linkContextOf(world, principal, type, undefined)),
    });
  };

export const getNodeLinkset: Handler<'getNodeLinkset'> = linksetHandler('node', 'node_id');
export const getMediaLinkset: Handler<'getMediaLinkset'> = linksetHandler('media', 'media_id');
