/** Makes the links of a media: references, other formats, its source file. */
import { canonicalPath, firstValue, type Entity } from '../model/entity.ts';
import { contentUrl } from '../representations/content-url.ts';
import { fetchTargets, referenceKeys, sourceFieldOf, targetsOf, type Targets } from '../representations/targets.ts';
import { shownBundle, viewable, type EntityLink, type LinkContext } from './link-context.ts';
import { alternateLinks, linkedKeys, referenceLinks } from './shared-links.ts';

/** In this order: references, alternates, `edit-media`, `describes`. Makes one call of the store. */
export const mediaLinks = async (media: Entity, context: LinkContext): Promise<EntityLink[]> => {
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
