/** Says what is usually read together with a record, for a store that is far away: it loads all of it at once. */
import { targetIds, targetTypeOf, mediaOf, mediaUsingFile, type Site } from '../repository/repository.ts';
import { entityKey, type Entity, type EntityKey, type IndexKey } from '../openapi/openapi-records.ts';

/** The look-ups that can be named before the record is there. */
export const readWithKey = (key: EntityKey): readonly IndexKey[] => {
  const [type, digits] = key.split(':');
  const id = Number(digits);
  if (type === 'node') return [mediaOf(id)];
  return type === 'file' ? [mediaUsingFile(id)] : [];
};

/** More references of one field than these are read when they are asked for. */
const maxReferences = 100;

/**
 * Reads what the fields of a record refer to, and who uses its files: anyone who may see a media that uses a guarded file may see
 * the file.
 */
export const createReadWithRecord =
  (model: Site['model']) =>
  (entity: Entity): { readonly keys: readonly EntityKey[]; readonly indexes: readonly IndexKey[] } => {
    const bundle = model.bundle(entity.type, entity.bundle);
    const keys = Object.keys(entity.fields).flatMap((name) => {
      const field = bundle?.fields.get(name);
      const type = field === undefined ? undefined : targetTypeOf(field);
      if (type === undefined) return [];
      return targetIds(entity, name)
        .slice(0, maxReferences)
        .map((id) => entityKey(type, id));
    });
    const files = entity.type === 'media' ? keys.filter((key) => key.startsWith('file:')) : [];
    const own = entity.type === 'file' ? readWithKey(entityKey('file', entity.id)) : [];
    return { keys, indexes: [...own, ...files.flatMap(readWithKey)] };
  };
