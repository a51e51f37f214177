/** Links to what an entity's configured reference fields name. Typed relations and files are no such fields (reference 4.3). */
import { labelOf, type Entity, type EntityKey } from '../model/entity.ts';
import type { FieldDefinition } from '../model/bundle.ts';
import { bundleOf, oncePerBundle, referenceKeys, targetsOf, type Targets } from '../representations/targets.ts';
import { externalUri } from '../representations/uri.ts';
import { entityUrl, viewable, type EntityLink, type LinkContext } from './link-source.ts';

/** Those that can be linked. */
const linkedFieldsOf = oncePerBundle((bundle): readonly FieldDefinition[] =>
  [...bundle.fields.values()].filter((field) => field.configured && field.type === 'entity_reference'),
);

/** Those that say something. */
const referenceFields = (entity: Entity, { site }: LinkContext): FieldDefinition[] =>
  linkedFieldsOf(bundleOf(site, entity)).filter((field) => entity.fields[field.name] !== undefined);

/** What has to be fetched before `referenceLinks` can speak. */
export const linkedKeys = (entity: Entity, context: LinkContext): EntityKey[] =>
  referenceFields(entity, context).flatMap((field) => referenceKeys(entity, field));

/** In order of field machine name, then item order (reference 4.2); only what the requester may view. */
export const referenceLinks = async (entity: Entity, targets: Targets, context: LinkContext): Promise<EntityLink[]> => {
  const links: EntityLink[] = [];
  for (const field of referenceFields(entity, context)) {
    for (const target of await viewable(targetsOf(entity, field, targets), context)) {
      links.push(referenceLink(target, field, context));
    }
  }
  return links;
};

/** A term is a tag with its own name; anything else is related, with the field's label (contract: Signposting). */
const referenceLink = (target: Entity, field: FieldDefinition, context: LinkContext): EntityLink =>
  target.type === 'taxonomy_term'
    ? { kind: 'tag', target: externalUri(target) ?? entityUrl(target, context), rel: 'tag', title: labelOf(target) }
    : { kind: 'related', target: entityUrl(target, context), rel: 'related', title: field.label };
