/** Makes the links that nodes and media share: to what their reference fields name, and to their other formats. */
import { labelOf, type Entity, type EntityKey } from '../model/entity.ts';
import { oncePerBundle, type FieldDefinition } from '../model/bundle.ts';
import { mediaTypes } from '../representations/represent.ts';
import { referenceKeys, targetsOf, type Targets } from '../representations/targets.ts';
import { externalUri } from '../representations/uri.ts';
import { entityUrl, shownBundle, viewable, type EntityLink, type LinkContext } from './link-context.ts';

/** Only configured entity references make links. Base fields, typed relations and files make none. */
export const linkedFieldsOf = oncePerBundle((bundle): readonly FieldDefinition[] =>
  [...bundle.fields.values()].filter((field) => field.configured && field.type === 'entity_reference'),
);

/** The linked fields that have items. */
const referenceFields = (entity: Entity, context: LinkContext): FieldDefinition[] =>
  linkedFieldsOf(shownBundle(entity, context)).filter((field) => entity.fields[field.name] !== undefined);

/** The keys of the entities that `referenceLinks` needs as its targets. */
export const linkedKeys = (entity: Entity, context: LinkContext): EntityKey[] =>
  referenceFields(entity, context).flatMap((field) => referenceKeys(entity, field));

/** Links in the order of field machine names, then of items. Only entities that the requester may view get a link. */
export const referenceLinks = async (entity: Entity, targets: Targets, context: LinkContext): Promise<EntityLink[]> => {
  const links: EntityLink[] = [];
  for (const field of referenceFields(entity, context)) {
    for (const target of await viewable(targetsOf(entity, field, targets), context)) {
      links.push(referenceLink(target, field, context));
    }
  }
  return links;
};

/** A term gets a `tag` link, with its name as the title. Any other entity gets `related`, with the field's label. */
export const referenceLink = (
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
