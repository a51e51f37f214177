/** Makes all links of an entity, in the order in which they are sent. `bounded-links.ts` fits them into a header. */
import type { Entity } from '../model/entity.ts';
import type { EntityLink, LinkContext } from './link-context.ts';
import { mediaLinks } from './media-links.ts';
import { nodeLinks } from './node-links.ts';
import { platformLinks } from './platform-links.ts';

/**
 * Platform links first, then the links of a node or a media. Terms, files and accounts have platform links only, and so has
 * everything on a site without those of the module Islandora. The links are those for one requester.
 */
export const linksOf = async (entity: Entity, context: LinkContext): Promise<EntityLink[]> => {
  const platform = platformLinks(entity, context);
  if (!hasIslandoraLinks(entity, context)) return platform;
  const own = entity.type === 'node' ? await nodeLinks(entity, context) : await mediaLinks(entity, context);
  return [...platform, ...own];
};

/** Whether a record has links beside those of the platform. */
export const hasIslandoraLinks = ({ type }: Entity, { site }: Pick<LinkContext, 'site'>): boolean =>
  site.linkHeaders && site.modules.islandora && (type === 'node' || type === 'media');
