/** Makes the links that nodes and media share: to what their reference fields name, and to their other formats. */
import { labelOf, type Entity } from '../model/entity.ts';
import { oncePerBundle, type FieldDefinition } from '../model/bundle.ts';
import { mediaTypes } from '../representations/represent.ts';
import { targetsOf } from '../representations/targets.ts';
import { externalUri } from '../representations/uri.ts';
import { entityUrl, shownBundle, viewable, type EntityLink, type LinkContext } from './link-context.ts';

/** Only configured entity references make links. Base fields, typed relations and files make none. */
const linkedFieldsOf = oncePerBundle((bundle): readonly FieldDefinition[] =>
  [...bundle.fields.values()].filter((field) => field.configured && field.type === 'entity_reference'),
);

/** Links in the order of field machine names, then of items. Only entities that the requester may view get a link. */
export const referenceLinks = (entity: Entity, context: LinkContext): EntityLink[] => {
  const links: EntityLink[] = [];
  for (const field of linkedFieldsOf(shownBundle(entity, context))) {
    if (entity.fields[field.name] === undefined) continue;
    for (const target of viewable(targetsOf(entity, field, context.records), context)) {
      links.push(referenceLink(target, field, context));
    }
  }
  return links;
};

/** A term gets a `tag` link, with its name as the title. Any other entity gets `related`, with the field's label. */
const referenceLink = (
  target: Entity,
  field: FieldDefinition,
  context: Pick<LinkContext, 'site' | 'baseUrl'>,
): EntityLink =>
  target.type === 'taxonomy_term'
    ? { kind: 'tag', target: externalUri(target) ?? entityUrl(target, context), rel: 'tag', title: labelOf(target) }
    : { kind: 'related', target: entityUrl(target, context), rel: 'related', title: field.label };

/** One `alternate` link for every enabled format except the answer's own, in the order of the configuration. */
export const alternateLinks = (
  entity: Entity,
  context: Pick<LinkContext, 'site' | 'baseUrl' | 'format' | 'formats'>,
): EntityLink[] =>
  context.formats
    .filter((format) => format !== context.format)
    .map((format) => ({
      kind: 'kept',
      target: `${entityUrl(entity, context)}?_format=${format}`,
      rel: 'alternate',
      type: mediaTypes[format],
    }));
