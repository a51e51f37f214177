/** When a file that waited to be used becomes permanent. That other people may not use it meanwhile is said in `access.ts`. */
import type { Change, StoreView } from '../../model/entity-store.ts';
import { isTemporary } from '../verdicts.ts';
import { entityKey, targetIds, type Entity } from '../../model/entity.ts';
import type { Bundle } from '../../model/bundle.ts';

/** The temporary files that a saved record refers to, made permanent (R 2.7, 8). `now` in seconds since 1970. */
export const filesToKeep = (entity: Entity, bundle: Bundle, view: StoreView, now: number): Change[] => {
  const fields = [...bundle.fields.values()].filter(({ target }) => target?.type === 'file');
  const ids = new Set(fields.flatMap(({ name }) => targetIds(entity, name)));
  return [...ids].flatMap((id) => {
    const file = view.get(entityKey('file', id));
    if (file === undefined || !isTemporary(file)) return [];
    return [{ put: { ...file, fields: { ...file.fields, status: [{ value: true }], changed: [{ value: now }] } } }];
  });
};
