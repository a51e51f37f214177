/** The handlers that send all links of a node or a media as a document, for when they do not fit into a header. */
import type { Records } from '../src/core/model/reading.ts';
import { viewed } from '../src/core/content/views.ts';
import { entityAt } from '../src/core/engine/contract-request.ts';
import type { Reader } from '../src/core/engine/handler.ts';
import { linkContextOf, linksetMediaType } from '../src/core/links/link-context.ts';
import { linksetOf } from '../src/core/links/linkset.ts';
import type { World } from '../src/core/world.ts';
import type { EntityRequest } from './entity-handlers.ts';

const linksetHandler =
  <Parameter extends string>(type: 'node' | 'media', parameter: Parameter) =>
  (request: EntityRequest<Parameter>, world: World, records: Records) => {
    const { principal } = request.identity;
    const entity = viewed(entityAt(request, type, parameter), { principal, records, site: world.site });
    return () => ({
      status: 200 as const,
      mediaType: linksetMediaType,
      body: linksetOf(entity, linkContextOf(world, { principal, records, type }, undefined)),
    });
  };

export const getNodeLinkset: Reader<'getNodeLinkset'> = linksetHandler('node', 'node_id');
export const getMediaLinkset: Reader<'getMediaLinkset'> = linksetHandler('media', 'media_id');
