/** Makes all links of a node, a media or another entity, in the order in which they are sent. `bounded-links.ts` fits them into a header. */
import { areMany, beginSlices } from '../../basics/long-work.ts';
import { mediaOf } from '../content/index-keys.ts';
import {
  canonicalPath,
  type Entity,
  entityKey,
  type EntityKey,
  firstValue,
  labelOf,
  targetIds,
} from '../model/entity.ts';
import { contentUrl } from '../representations/content-url.ts';
import { fetchTargets, referenceKeys, sourceFieldOf, type Targets, targetsOf } from '../representations/targets.ts';
import { type EntityLink, entityUrl, type LinkContext, shownBundle, viewable } from './link-context.ts';
import { platformLinks } from './platform-links.ts';
import { alternateLinks, linkedKeys, referenceLinks } from './shared-links.ts';

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

/** Whether a record has links besides those of the platform. */
export const hasIslandoraLinks = ({ type }: Entity, { site }: Pick<LinkContext, 'site'>): boolean =>
  site.linkHeaders && site.modules.islandora && (type === 'node' || type === 'media');

/** In this order: references, alternates, `edit-media`, `describes`. Makes one call of the store. */
const mediaLinks = async (media: Entity, context: LinkContext): Promise<EntityLink[]> => {
  const source = sourceFieldOf(shownBundle(media, context));
  const targets = await fetchTargets(context.store, [
    ...linkedKeys(media, context),
    ...(source ? referenceKeys(media, source) : []),
  ]);
  return [
    ...(await referenceLinks(media, targets, context)),
    ...alternateLinks(media, context),
    ...editMediaLinks(media, context),
    ...(await describesLinks(media, targets, context)),
  ];
};

const editMediaLinks = (media: Entity, context: LinkContext): EntityLink[] =>
  context.mayEditSource(media)
    ? [{ kind: 'kept', target: `${context.baseUrl}${canonicalPath('media', media.id)}/source`, rel: 'edit-media' }]
    : [];

/** A link to the content of the source file, when the requester may view the file and the file has not lost its bytes. */
const describesLinks = async (media: Entity, targets: Targets, context: LinkContext): Promise<EntityLink[]> => {
  const field = sourceFieldOf(shownBundle(media, context));
  const files = field ? targetsOf(media, field, targets).filter((file) => file.blob !== undefined) : [];
  return (await viewable(files.slice(0, 1), context)).flatMap((file) => {
    const target = contentUrl(context.site, context.baseUrl, file);
    const type = firstValue(file, 'filemime');
    return target === undefined
      ? []
      : [{ kind: 'kept', target, rel: 'describes', ...(typeof type === 'string' ? { type } : {}) }];
  });
};

/** In this order: references, media, alternates. Makes two calls of the store, or three when media-use terms are dead or hidden. */
const nodeLinks = async (node: Entity, context: LinkContext): Promise<EntityLink[]> => {
  const limit = context.mediaLimit ?? Infinity;
  const [media = []] = await context.store.lookupMany([mediaOf(node.id)]);
  // A node can have 10,000 media, but a header holds 60 links. The other media are read only when the first ones yield too few links.
  const first = await viewable(media, context, limit);
  const targets = await fetchTargets(context.store, [...linkedKeys(node, context), ...useKeys(first)]);
  const firstLinks = await useLinks(first, targets, context);
  const isEnough = first.length < limit || firstLinks.length >= limit;
  return [
    ...(await referenceLinks(node, targets, context)),
    ...(isEnough ? firstLinks : await allMediaLinks(media, context)),
    ...alternateLinks(node, context),
  ];
};

const allMediaLinks = async (media: readonly Entity[], context: LinkContext): Promise<EntityLink[]> => {
  const shown = await viewable(media, context);
  return useLinks(shown, await fetchTargets(context.store, useKeys(shown)), context);
};

const usesOf = (media: Entity): number[] => targetIds(media, 'field_media_use');
const useKeys = (media: readonly Entity[]): EntityKey[] =>
  [...new Set(media.flatMap(usesOf))].map((id) => entityKey('taxonomy_term', id));

/**
 * One link per media and media-use term, with the term's label, in media id order. The term can have any URI. The
 * requester may view the media; a term that the requester may not view makes no link.
 */
const useLinks = async (media: readonly Entity[], targets: Targets, context: LinkContext): Promise<EntityLink[]> => {
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
