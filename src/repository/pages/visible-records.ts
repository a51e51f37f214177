/** Says which records and fields the viewer of a page may see. */
import { mayViewField } from '../content/fields/field-access.ts';
import { mayView } from '../content/views.ts';
import type { PageContext } from '../markup/page-context.ts';
import { bundleOf } from '../model/bundle.ts';
import { type Entity, type EntityKey, keyOf } from '../../openapi/openapi-records.ts';

export const isVisible = (entity: Entity, { world: { site }, viewer: principal, records }: PageContext): boolean =>
  mayView(entity, { principal, records, site });

/** The records that the viewer may view. */
export const visibleKeys = (entities: Iterable<Entity>, context: PageContext): ReadonlySet<EntityKey> =>
  new Set([...entities].filter((entity) => isVisible(entity, context)).map(keyOf));

/** True where the record's bundle has the field, and the viewer may not see it. */
export const isRestrictedFrom = (entity: Entity, name: string, { world, viewer }: PageContext): boolean => {
  const field = bundleOf(world.site, entity).fields.get(name);
  return field !== undefined && !mayViewField(viewer, entity, field);
};
