/** All links of an entity, in the order in which they are sent. How many of them fit into a header is not asked here. */
import type { Entity } from '../model/entity.ts';
import type { EntityLink, LinkContext } from './link-source.ts';
import { mediaLinks } from './media-links.ts';
import { nodeLinks } from './node-links.ts';
import { platformLinks } from './platform-links.ts';

/**
 * Platform relations first, then the links of the entity's own kind (reference 4.2); terms and files have the platform's
 * only, users none (decisions: Readings). Computed for one requester, in at most two calls of the store.
 */
export const linksOf = async (entity: Entity, context: LinkContext): Promise<EntityLink[]> => [
  ...platformLinks(entity, context),
  ...(entity.type === 'node' ? await nodeLinks(entity, context) : []),
  ...(entity.type === 'media' ? await mediaLinks(entity, context) : []),
];
