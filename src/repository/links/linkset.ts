/** Writes all links of an entity as a linkset document (RFC 9264), for entities with too many links for a header. */
import { escapeUri } from '../model/uri.ts';
import { linksOf } from './entity-links.ts';
import { entityUrl, type LinkContext } from './link-context.ts';
import type { TypedLink } from '../../basics/formats/typed-link.ts';
import type { Entity } from '../../openapi/openapi-records.ts';
import type { JsonObject } from '../../basics/json.ts';

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
