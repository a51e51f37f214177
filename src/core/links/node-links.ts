/** Makes the links of a node: references, its media, other formats. */
import { entityKey, labelOf, targetIds, type Entity, type EntityKey } from '../model/entity.ts';
import { mediaOf } from '../content/index-keys.ts';
import { areMany, beginSlices } from '../../basics/long-work.ts';
import { fetchTargets, type Targets } from '../representations/targets.ts';
import { entityUrl, viewable, type EntityLink, type LinkContext } from './link-context.ts';
import { alternateLinks, linkedKeys, referenceLinks } from './shared-links.ts';

/** In this order: references, media, alternates. Makes two calls of the store, or three when media-use terms are dead or hidden. */
export const nodeLinks = async (node: Entity, context: LinkContext): Promise<EntityLink[]> => {
  const limit = context.mediaLimit ?? Infinity;
  const [media = []] = await context.store.lookupMany([mediaOf(node.id)]);
  // A node can have 10,000 media, but a header holds 60 links. The other media are read only when the first ones yield too few links.
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
 * One link per media and media-use term, with the term's label, in media id order. The term can have any URI. The
 * requester may view the media; a term that the requester may not view makes no link.
 */
const mediaLinks = async (media: readonly Entity[], targets: Targets, context: LinkContext): Promise<EntityLink[]> => {
  const limit = context.mediaLimit ?? Infinity;
  const terms = await viewable(
    useKeys(media).flatMap((key) => targets.get(key) ?? []),
    context,
  );
  const labels = new Map(terms.map((term) => [term.id, labelOf(term)]));
  const links: EntityLink[] = [];
  const slices = areMany(media) ? beginSlices() : undefined;
  for (const item of media) {
    if (links.length >= limit) break;
    if (slices?.isOver() === true) await slices.next();
    for (const use of usesOf(item)) {
      const title = labels.get(use);
      if (title !== undefined) links.push(mediaLink(item, title, context));
    }
  }
  return links;
};

/** `title` is the label of the media-use term. */
export const mediaLink = (
  media: Entity,
  title: string,
  context: Pick<LinkContext, 'site' | 'baseUrl'>,
): EntityLink => ({ kind: 'media', target: entityUrl(media, context), rel: 'related', title });
