/** The links of a node to what it refers to, to its media and to its other formats. */
import { entityKey, labelOf, targetIds, type Entity, type EntityKey } from '../model/entity.ts';
import { mediaOf } from '../content/index-keys.ts';
import { fetchTargets, type Targets } from '../representations/targets.ts';
import { alternateLinks } from './alternate-links.ts';
import { entityUrl, viewable, type EntityLink, type LinkContext } from './link-source.ts';
import { linkedKeys, referenceLinks } from './reference-links.ts';

/** References, media, alternates (reference 4.2), in two calls of the store; in three where uses are dead or hidden. */
export const nodeLinks = async (node: Entity, context: LinkContext): Promise<EntityLink[]> => {
  const limit = context.mediaLimit ?? Infinity;
  const [media = []] = await context.store.lookupMany([mediaOf(node.id)]);
  // Of 10,000 media a header shows 60: the others are looked at only when those do not yield enough links.
  const first = await viewable(media, context, limit);
  const targets = await fetchTargets(context.store, [...linkedKeys(node, context), ...useKeys(first)]);
  const firstLinks = await mediaLinks(first, targets, context);
  const isEnough = first.length < limit || firstLinks.length >= limit;
  return [
    ...(await referenceLinks(node, targets, context)),
    ...(isEnough ? firstLinks : await allMediaLinks(media, context)),
    ...alternateLinks(node, context),
  ];
};

const allMediaLinks = async (media: readonly Entity[], context: LinkContext): Promise<EntityLink[]> => {
  const shown = await viewable(media, context);
  return mediaLinks(shown, await fetchTargets(context.store, useKeys(shown)), context);
};

const usesOf = (media: Entity): number[] => targetIds(media, 'field_media_use');
const useKeys = (media: readonly Entity[]): EntityKey[] =>
  [...new Set(media.flatMap(usesOf))].map((id) => entityKey('taxonomy_term', id));

/**
 * In media id order, one link per media-use term with the term's label, whatever the term's URI (decisions: Media of a
 * node). The media are viewable, and a hidden term's label is not shown either (contract: Signposting 1; cases: Z05).
 */
const mediaLinks = async (media: readonly Entity[], targets: Targets, context: LinkContext): Promise<EntityLink[]> => {
  const limit = context.mediaLimit ?? Infinity;
  const terms = await viewable(
    useKeys(media).flatMap((key) => targets.get(key) ?? []),
    context,
  );
  const labels = new Map(terms.map((term) => [term.id, labelOf(term)]));
  const links: EntityLink[] = [];
  for (const one of media) {
    if (links.length >= limit) break;
    for (const use of usesOf(one)) {
      const title = labels.get(use);
      if (title !== undefined) links.push({ kind: 'media', target: entityUrl(one, context), rel: 'related', title });
    }
  }
  return links;
};
