/** Makes all links of an entity, in the order in which they are sent. `bounded-links.ts` fits them into a header. */
import type { Entity } from '../model/entity.ts';
import type { EntityLink, LinkContext } from './link-context.ts';
import { mediaLinks } from './media-links.ts';
import { nodeLinks } from './node-links.ts';
import { platformLinks } from './platform-links.ts';

/**
 * Platform links first, then the links of a node or a media. Terms, files and accounts have platform links only.
 * The links are those for one requester.
 */
export const linksOf = async (entity: Entity, context: LinkContext): Promise<EntityLink[]> => [
  ...platformLinks(entity, context),
  ...(entity.type === 'node' ? await nodeLinks(entity, context) : []),
  ...(entity.type === 'media' ? await mediaLinks(entity, context) : []),
];
