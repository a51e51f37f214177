/** Says in a word whether an entity is to be seen. */
import type { EntitySummary } from '../api/queries.ts';

/** `published` of a file means that it is kept, of a user that the account may log in. */
export const stateOf = ({ type, published }: Pick<EntitySummary, 'type' | 'published'>): string => {
  if (type === 'file') return published ? 'permanent' : 'temporary';
  if (type === 'user') return published ? 'active' : 'blocked';
  return published ? 'published' : 'unpublished';
};
