/** Says whether the viewer may see a field of a record, where a page needs one field alone. */
import { mayViewField } from '../content/fields/restricted-fields.ts';
import type { Entity } from '../model/entity.ts';
import { bundleOf } from '../representations/targets.ts';
import type { PageContext } from './page-context.ts';

/** True where the record's bundle has the field, and the viewer may not see it. */
export const isRestrictedFrom = (entity: Entity, name: string, { world, viewer }: PageContext): boolean => {
  const field = bundleOf(world.site, entity).fields.get(name);
  return field !== undefined && !mayViewField(viewer, entity, field);
};
