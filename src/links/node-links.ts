/** The links of a node to what it refers to, to its media and to its other formats. */
import { entityKey, labelOf, targetIds, type Entity } from '../content/entity.ts';
import { mediaOf } from '../content/index-keys.ts';
import { fetchTargets } from '../representations/targets.ts';
import { alternateLinks } from './alternate-links.ts';
import { entityUrl, type EntityLink, type LinkContext } from './link-source.ts';
import { linkedKeys, referenceLinks } from './reference-links.ts';

/** References, media, alternates (reference 4.2), in two calls of the store. */
export const nodeLinks = async (node: Entity, context: LinkContext): Promise<EntityLink[]> => {
  const [media = []] = await context.store.lookupMany([mediaOf(node.id)]);
  const useIds = [...new Set(media.flatMap(usesOf))];
  const useKeys = useIds.map((id) => entityKey('taxonomy_term', id));
  const targets = await fetchTargets(context.store, [...linkedKeys(node, context), ...useKeys]);
  const labels = new Map(
    useKeys.flatMap((key) => {
      const term = targets.get(key);
      return term === undefined ? [] : [[term.id, labelOf(term)] as const];
    }),
  );
  return [
    ...(await referenceLinks(node, targets, context)),
    ...(await mediaLinks(media, labels, context)),
    ...alternateLinks(node, context),
  ];
};

const usesOf = (media: Entity): number[] => targetIds(media, 'field_media_use');

/**
 * In media id order, one link per media-use term with the term's label, whatever the term's URI (decisions: Media of a
 * node). The linked entity is the media, so the media has to be viewable. `labels` are those of the terms that exist.
 */
const mediaLinks = async (
  media: readonly Entity[],
  labels: ReadonlyMap<number, string>,
  context: LinkContext,
): Promise<EntityLink[]> => {
  const limit = context.mediaLimit ?? Infinity;
  const links: EntityLink[] = [];
  for (const one of media) {
    if (links.length >= limit) break;
    const viewable = context.canView(one);
    // a node can have 10,000 media: awaiting each plain answer would cost more than everything else here
    if (typeof viewable === 'boolean' ? !viewable : !(await viewable)) continue;
    const target = entityUrl(one, context);
    for (const use of usesOf(one)) {
      const title = labels.get(use);
      if (title !== undefined) links.push({ kind: 'media', target, rel: 'related', title });
    }
  }
  return links;
};
