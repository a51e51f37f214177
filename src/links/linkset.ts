/** The complete set of an entity's links as a document of its own (RFC 9264), for when a header cannot hold it. */
import type { Entity, JsonObject } from '../model/entity.ts';
import { escapeUri } from '../representations/uri.ts';
import { linksOf } from './entity-links.ts';
import { entityUrl, type LinkContext } from './link-source.ts';
import type { TypedLink } from './typed-link.ts';

/** Its media type (RFC 9264 §4.2). */
export const linksetMediaType = 'application/linkset+json';

/** The link to the linkset of a node or a media; other entities have none, for their links always fit. */
export const linksetLink = (entity: Entity, context: Pick<LinkContext, 'baseUrl'>): TypedLink | undefined =>
  entity.type === 'node' || entity.type === 'media'
    ? { target: `${entityUrl(entity, context)}/linkset`, rel: 'linkset', type: linksetMediaType }
    : undefined;

/**
 * `{"linkset": [{"anchor": …, "<rel>": [{"href", "title", "type"}, …]}]}` (RFC 9264 §4.2): every link that the requester may
 * see, anchored at the canonical URL, with an `alternate` for every format.
 */
export const linksetOf = async (
  entity: Entity,
  context: Omit<LinkContext, 'format' | 'mediaLimit'>,
): Promise<JsonObject> => {
  const links = await linksOf(entity, { ...context, format: undefined, mediaLimit: undefined });
  const relations = new Map<string, JsonObject[]>();
  for (const link of links) {
    const targets = relations.get(link.rel);
    if (targets === undefined) relations.set(link.rel, [targetObject(link)]);
    else targets.push(targetObject(link));
  }
  return { linkset: [{ anchor: entityUrl(entity, context), ...Object.fromEntries(relations) }] };
};

/** JSON holds any title, so `title*` is not needed here. */
const targetObject = ({ target, title, type }: TypedLink): JsonObject => ({
  href: escapeUri(target),
  ...(title === undefined ? {} : { title }),
  ...(type === undefined ? {} : { type }),
});
