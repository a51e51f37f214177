/** Makes temporary files permanent when a record uses them. */
import type { Change, StoreView } from '../../model/entity-store.ts';
import { changedAt } from '../../model/changed-at.ts';
import { isTemporary } from '../verdicts.ts';
import { entityKey, targetIds, type Entity, type FieldName } from '../../model/entity.ts';
import { oncePerBundle, type Bundle } from '../../model/bundle.ts';

/** The changes that make the temporary files of a saved record permanent. `now` in seconds since 1970. */
export const makeFilesPermanent = (entity: Entity, bundle: Bundle, view: StoreView, now: number): Change[] => {
  const ids = new Set<number>();
  for (const name of fileFieldsOf(bundle)) for (const id of targetIds(entity, name)) ids.add(id);
  return [...ids].flatMap((id) => {
    const file = view.get(entityKey('file', id));
    if (file === undefined || !isTemporary(file)) return [];
    return [{ put: { ...file, fields: { ...file.fields, status: [{ value: true }], changed: changedAt(file, now) } } }];
  });
};

/** The names of the fields that refer to files. Every write asks for them. */
const fileFieldsOf = oncePerBundle((bundle): readonly FieldName[] =>
  [...bundle.fields.values()].filter(({ target }) => target?.type === 'file').map(({ name }) => name),
);
