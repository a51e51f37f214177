/** Makes all links of a node, a media or another entity, in the order in which they are sent. `bounded-links.ts` fits them into a header. */
import { eachOf } from '../content/reading.ts';
import { mediaOf } from '../content/index-keys.ts';
import { externalUrisIn } from '../content/term-uris.ts';
import { canonicalPath, type Entity, entityKey, firstValue, labelOf, targetIds } from '../model/entity.ts';
import { contentUrl } from '../representations/content-url.ts';
import { sourceFieldOf, targetsOf } from '../representations/targets.ts';
import { type EntityLink, entityUrl, type LinkContext, shownBundle } from './link-context.ts';
import { platformLinks } from './platform-links.ts';
import { alternateLinks, referenceLinks } from './shared-links.ts';

/**
 * Platform links first, then the links of a node or a media. Terms, files and accounts have platform links only, and so has
 * everything on a site without those of the module Islandora. The links are those for one requester.
 */
export const linksOf = (entity: Entity, context: LinkContext): EntityLink[] => {
  const { site } = context;
  const links = platformLinks(entity, context);
  if (!site.linkHeaders || !site.modules.islandora) return links;
  if (entity.type === 'node') return [...links, ...nodeLinks(entity, context)];
  return entity.type === 'media' ? [...links, ...mediaLinks(entity, context)] : links;
};

/** In this order: references, alternates, `edit-media`, `describes`. */
const mediaLinks = (media: Entity, context: LinkContext): EntityLink[] => [
  ...referenceLinks(media, context),
  ...alternateLinks(media, context),
  ...editMediaLinks(media, context),
  ...describesLinks(media, context),
];

const editMediaLinks = (media: Entity, context: LinkContext): EntityLink[] =>
  context.mayEditSource(media)
    ? [{ kind: 'kept', target: `${context.baseUrl}${canonicalPath('media', media.id)}/source`, rel: 'edit-media' }]
    : [];

/** A link to the content of the source file, when the requester may view the file and the file has not lost its bytes. */
const describesLinks = (media: Entity, context: LinkContext): EntityLink[] => {
  const field = sourceFieldOf(shownBundle(media, context));
  const file = field && targetsOf(media, field, context.records).find(({ blob }) => blob !== undefined);
  const target = file && context.canView(file) ? contentUrl(context.site, context.baseUrl, file) : undefined;
  if (file === undefined || target === undefined) return [];
  const type = firstValue(file, 'filemime');
  return [{ kind: 'kept', target, rel: 'describes', ...(typeof type === 'string' ? { type } : {}) }];
};

/** In this order: references, media, alternates. */
const nodeLinks = (node: Entity, context: LinkContext): EntityLink[] => [
  ...referenceLinks(node, context),
  ...useLinks(context.records.lookup(mediaOf(node.id)), context),
  ...alternateLinks(node, context),
];

/** A node can have 10,000 media, but a header holds 60 links: no more media are looked at than it takes. */
const useLinks = (media: readonly Entity[], context: LinkContext): readonly EntityLink[] => {
  const { mediaLimit: limit, records } = context;
  if (limit === undefined)
    return eachOf(media, (each) => linksToMedia(each, context), { records, name: 'media' }).flat();
  const links: EntityLink[] = [];
  for (const each of media) {
    if (links.length >= limit) break;
    links.push(...linksToMedia(each, context));
  }
  return links;
};

const none: readonly EntityLink[] = [];

/** One link for each media-use term that the site links by, with its label. A term that the requester may not view makes no link. */
const linksToMedia = (media: Entity, context: LinkContext): readonly EntityLink[] => {
  if (!context.canView(media)) return none;
  return targetIds(media, 'field_media_use').flatMap((id): readonly EntityLink[] => {
    const term = context.records.get(entityKey('taxonomy_term', id));
    if (term === undefined || !isLinkedUse(term, context.site) || !context.canView(term)) return none;
    return [{ kind: 'media', target: entityUrl(media, context), rel: 'related', title: labelOf(term) }];
  });
};

/** A real site looks at the first address of the term alone. */
const isLinkedUse = (term: Entity, { mediaLinks }: LinkContext['site']): boolean =>
  mediaLinks === 'every' || externalUrisIn(term)[0]?.startsWith('http://pcdm.org/use#') === true;
