/** Makes temporary files permanent when a record uses them. */
import type { Change, StoreView } from '../../model/entity-store.ts';
import { changedAt } from '../../model/changed-at.ts';
import { isTemporary } from '../verdicts.ts';
import { entityKey, targetIds, type Entity } from '../../model/entity.ts';
import type { Bundle } from '../../model/bundle.ts';

/** The changes that make the temporary files of a saved record permanent. `now` in seconds since 1970. */
export const makeFilesPermanent = (entity: Entity, bundle: Bundle, view: StoreView, now: number): Change[] => {
  const fields = [...bundle.fields.values()].filter(({ target }) => target?.type === 'file');
  const ids = new Set(fields.flatMap(({ name }) => targetIds(entity, name)));
  return [...ids].flatMap((id) => {
    const file = view.get(entityKey('file', id));
    if (file === undefined || !isTemporary(file)) return [];
    return [{ put: { ...file, fields: { ...file.fields, status: [{ value: true }], changed: changedAt(file, now) } } }];
  });
};
