/** Makes the fields of a new revision, for bundles in which each change is one. */
import type { Bundle } from '../model/bundle.ts';
import { identityOf } from '../model/entity.ts';
import type { Fields, StoreView } from '../../openapi/openapi-records.ts';

/**
 * The number of the revision that a change makes, and the time of that of a node. Empty for bundles that keep one revision. The author
 * stays that of the revision before, also when somebody else changes the record, and so does the time of a media: the real site sets
 * these only in its forms.
 */
export const nextRevision = (
  { newRevision, entityType }: Bundle,
  { view, now }: { readonly view: StoreView; readonly now: number },
): Fields => {
  const number = identityOf(entityType).revision;
  if (newRevision !== true || number === undefined) return {};
  return {
    [number]: [{ value: view.nextId(`${entityType}_revision`) }],
    ...(entityType === 'node' ? { revision_timestamp: [{ value: now }] } : {}),
  };
};
