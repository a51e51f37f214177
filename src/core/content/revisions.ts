/** Makes the fields of a new revision, for bundles in which each change is one. */
import type { Bundle } from '../model/bundle.ts';
import { identityFields, type Fields } from '../model/entity.ts';
import type { StoreView } from '../model/entity-store.ts';
import type { Principal } from '../model/principal.ts';

/** `now` in seconds since 1970. */
type Author = { readonly view: StoreView; readonly principal: Principal; readonly now: number };

const authorFields = {
  node: { time: 'revision_timestamp', author: 'revision_uid' },
  media: { time: 'revision_created', author: 'revision_user' },
} as const;

/** The number, time and author of the revision that a change makes. Empty for bundles that keep one revision. */
export const nextRevision = ({ newRevision, entityType }: Bundle, { view, principal, now }: Author): Fields => {
  const number = identityFields[entityType].revision;
  if (newRevision !== true || number === undefined || (entityType !== 'node' && entityType !== 'media')) return {};
  const { time, author } = authorFields[entityType];
  return {
    [number]: [{ value: view.nextId(`${entityType}_revision`) }],
    [time]: [{ value: now }],
    [author]: [{ target_id: principal.uid }],
  };
};
