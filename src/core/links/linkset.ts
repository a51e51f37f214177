/** Writes all links of an entity as a linkset document (RFC 9264), for entities with too many links for a header. */
import { canonicalPath, type Entity, type JsonObject } from '../model/entity.ts';
import { escapeUri } from '../representations/uri.ts';
import { linksOf } from './entity-links.ts';
import { entityUrl, type LinkContext } from './link-context.ts';
import type { TypedLink } from './typed-link.ts';

/** RFC 9264 §4.2. */
export const linksetMediaType = 'application/linkset+json' as const;

/**
 * The link to the linkset of a node or a media. Other entities have none, because their links always fit, and so does a site that
 * answers as an installation without linksets.
 */
export const linksetLink = (entity: Entity, context: Pick<LinkContext, 'baseUrl' | 'site'>): TypedLink | undefined =>
  context.site.beyond.linkset && (entity.type === 'node' || entity.type === 'media')
    ? {
        target: `${context.baseUrl}${canonicalPath(entity.type, entity.id)}/linkset`,
        rel: 'linkset',
        type: linksetMediaType,
      }
    : undefined;

/**
 * `{"linkset": [{"anchor": …, "<rel>": [{"href", "title", "type"}, …]}]}` (RFC 9264 §4.2) with every link that the
 * requester may see. The anchor is the canonical URL. Every format has an `alternate` link.
 */
export const linksetOf = (entity: Entity, context: Omit<LinkContext, 'format' | 'mediaLimit'>): JsonObject => {
  const links = linksOf(entity, { ...context, format: undefined, mediaLimit: undefined });
  const relations = new Map<string, JsonObject[]>();
  for (const link of links) {
    const { rel } = link;
    const target = targetObject(link);
    const targets = relations.get(rel);
    if (targets === undefined) relations.set(rel, [target]);
    else targets.push(target);
  }
  return { linkset: [{ anchor: entityUrl(entity, context), ...Object.fromEntries(relations) }] };
};

/** JSON can hold any title, so there is no `title*`. */
const targetObject = ({ target, title, type }: TypedLink): JsonObject => ({
  href: escapeUri(target),
  ...(title === undefined ? {} : { title }),
  ...(type === undefined ? {} : { type }),
});
