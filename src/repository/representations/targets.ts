/** Finds what an entity refers to. */
import { targetTypeOf } from '../fields/values.ts';
import type { Records } from '../model/reading.ts';
import { targetIds } from '../model/entity.ts';
import { oncePerBundle, type Bundle, type FieldDefinition } from '../model/bundle.ts';
import { entityKey, type Entity, type EntityKey } from '../../openapi/openapi-records.ts';

/** The fields of a bundle that refer to entities, in the model's order. */
export const referencesOf = oncePerBundle((bundle): readonly FieldDefinition[] =>
  [...bundle.fields.values()].filter((field) => targetTypeOf(field) !== undefined),
);

/** The keys of everything that a field of an entity refers to, in item order. */
export const referenceKeys = (entity: Entity, field: FieldDefinition): EntityKey[] => {
  if (entity.fields[field.name] === undefined) return [];
  const type = targetTypeOf(field);
  return type === undefined ? [] : targetIds(entity, field.name).map((id) => entityKey(type, id));
};

/** The entities behind a reference field, in item order, without the dead ones. */
export const targetsOf = (entity: Entity, field: FieldDefinition, records: Pick<Records, 'get'>): Entity[] =>
  referenceKeys(entity, field).flatMap((key) => records.get(key) ?? []);

/** The source field of a media type. Its name depends on the media type. */
export const sourceFieldOf = (bundle: Bundle): FieldDefinition | undefined =>
  bundle.source && bundle.fields.get(bundle.source.field);
