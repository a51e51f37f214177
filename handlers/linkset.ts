/** The handlers that send all links of a node or a media as a document, for when they do not fit into a header. */
import type { Records, World } from '../src/repository/repository.ts';
import { viewed, linkContextOf, linksetMediaType, linksetOf } from '../src/repository/repository-content.ts';
import { entityAt, type Reader } from '../src/repository/repository-engine.ts';
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
